internal import Fovea

// The same words on every platform; `words` are the native library's own.
extension ImageDecoder {
  static func damaged(_ name: String, _ words: String?) -> FoveaError {
    FoveaError(
      .invalidImage, "the image \(name) is damaged or cut short",
      fix: "get it again from where it came, or save it anew with another program", cause: words)
  }

  static func unsupported(
    _ format: ImageFormat, _ name: String, fix: String? = nil, _ words: String? = nil
  ) -> FoveaError {
    FoveaError(
      .unsupportedImageFormat,
      "the image \(name) is \(format.rawValue), which this build cannot decode",
      fix: fix ?? "convert it to PNG or JPEG", cause: words)
  }
}
