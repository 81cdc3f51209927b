internal import Fovea

/// A file whose header is being checked, and how it is refused.
struct CheckedFile {
  let path: String
  let code: FoveaError.Code
  /// In bytes.
  let size: UInt64

  /// The error for a header that cannot be right.
  func damaged(_ what: String) -> FoveaError {
    FoveaError(code, "'\(path)' is damaged: \(what)", fix: "fetch the file again")
  }

  /// Checks a count or size. It may be absent: llama.cpp has a default for it or says that it is
  /// missing.
  func check(
    _ metadata: borrowing MetadataHandle, _ key: String, in range: ClosedRange<Int>
  ) throws(FoveaError) {
    guard let value = metadata.integer(key), !range.contains(value) else { return }
    throw damaged(
      "its \(key) is \(value), outside of \(range.lowerBound) to \(range.upperBound)")
  }

  /// Checks what is added to a variance before its root is taken.
  func checkEpsilon(_ metadata: borrowing MetadataHandle, _ key: String) throws(FoveaError) {
    guard let value = metadata.number(key), !(0...1).contains(value) else { return }
    throw damaged("its \(key) is \(value), outside of 0 to 1")
  }
}
