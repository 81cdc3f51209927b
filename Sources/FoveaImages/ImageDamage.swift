internal import Fovea

/// What a decoder found wrong with a file. It becomes a `FoveaError` where it is known whether what
/// there is may be used.
struct ImageDamage: Error {
  /// What the image is called.
  let name: String
  /// The native library's own words.
  let words: String?

  /// Nothing is used.
  var refusal: FoveaError {
    FoveaError(
      .invalidImage, "the image \(name) is damaged or cut short",
      fix: "get it again from where it came, or use what there is of it "
        + "(ImageOptions.allowsDamaged, --allow-damaged)", cause: words)
  }

  /// Nothing can be used, though it was allowed.
  var hopeless: FoveaError {
    FoveaError(
      .invalidImage, "the image \(name) is damaged so much that nothing of it can be decoded",
      fix: "get it again from where it came", cause: words)
  }

  /// What was decoded is used: `rows` of `height`, nil where that is not known.
  func used(rows: Int?, of height: Int) -> FoveaError {
    let part =
      switch rows {
      case nil: "what could be decoded of it is used, in less detail or with wrong parts"
      case height: "all \(height) rows are used, some of which may be wrong"
      case let rows?: "\(rows) of its \(height) rows are used, and white for the others"
      }
    return FoveaError(
      .invalidImage, "the image \(name) is damaged or cut short: \(part)",
      fix: "get it again from where it came", cause: words)
  }
}
