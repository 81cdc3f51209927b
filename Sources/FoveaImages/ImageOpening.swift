/// How a file is opened by the native library.
struct ImageOpening {
  /// What the file is.
  let format: ImageFormat
  /// Error messages call it so.
  let name: String
  /// The page as the file counts them, from 0.
  var page = 0
  /// Pixels an inch of a PDF page.
  var resolution = 72
  /// Opens an encrypted PDF.
  var password: String?
  /// Whether the decoder goes on after damage, as far as it can.
  var isLenient = false
}
