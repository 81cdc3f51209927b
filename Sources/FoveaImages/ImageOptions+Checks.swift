internal import Fovea

// Each limit's error says the limit, its name here and its name on the command line.
extension ImageOptions {
  /// The error for a file of `count` bytes; nil: it is not known how many there are.
  static func tooManyBytes(_ name: String, _ count: Int?, limit: Int) -> FoveaError {
    let size = count.map { "has \($0) bytes, more" } ?? "has more"
    return FoveaError(
      .invalidImage, "the image \(name) \(size) than the limit of \(limit)",
      fix: "make it smaller, or raise the limit (ImageOptions.maxBytes, --max-bytes)")
  }

  /// Throws when an image of this size is too large, or has no pixels at all.
  func check(width: Int, height: Int, name: String) throws {
    guard width > 0, height > 0 else {
      throw FoveaError(
        .invalidImage, "the image \(name) claims a size of \(width)x\(height) pixels",
        fix: "the file is damaged; get it again from where it came")
    }
    if width > maxSide || height > maxSide {
      throw FoveaError(
        .invalidImage,
        "the image \(name) claims \(width)x\(height) pixels, more on a side than the limit of "
          + "\(maxSide)",
        fix: "cut it into parts, or raise the limit (ImageOptions.maxSide, --max-side)")
    }
    // Neither side is above maxSide, but that may be any number.
    let (pixels, overflows) = width.multipliedReportingOverflow(by: height)
    if overflows || pixels > maxPixels {
      throw FoveaError(
        .invalidImage,
        "the image \(name) claims \(width)x\(height) pixels, more than the limit of "
          + "\(maxPixels) in all",
        fix: "make it smaller, or raise the limit (ImageOptions.maxPixels, --max-pixels)")
    }
  }

  /// Throws when a document has more pages than are taken apart.
  func check(pages: Int, name: String) throws {
    guard pages > maxPages else { return }
    throw FoveaError(
      .invalidImage, "the document \(name) has \(pages) pages, more than the limit of \(maxPages)",
      fix: "name the pages (\(name)[1]), or raise the limit (ImageOptions.maxPages, --max-pages)")
  }
}
