internal import Fovea

// The same words on every platform; `words` are the native library's own.
extension ImageDecoder {
  static func unsupported(
    _ format: ImageFormat, _ name: String, fix: String? = nil, _ words: String? = nil
  ) -> FoveaError {
    FoveaError(
      .unsupportedImageFormat,
      "the image \(name) is \(format.rawValue), which this build cannot decode",
      fix: fix ?? "convert it to PNG or JPEG", cause: words)
  }

  /// For a document that does not open with the password, or without one.
  static func encrypted(_ name: String, password: String?) -> FoveaError {
    FoveaError(
      .passwordRequired,
      password == nil
        ? "the document \(name) is encrypted" : "the password does not open the document \(name)",
      fix: "give its password (ImageOptions.password, --password)")
  }

  /// `name` has the number of the page.
  static func noSuchPage(of count: Int, _ name: String) -> FoveaError {
    FoveaError(
      .invalidArgument,
      "\(name) is asked for, but the file has \(count == 1 ? "one page" : "\(count) pages")",
      fix: count == 1 ? "leave out the page" : "ask for a page from 1 to \(count)")
  }
}
