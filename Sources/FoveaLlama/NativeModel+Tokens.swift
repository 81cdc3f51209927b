internal import Fovea

extension NativeModel {
  /// The tokens of bytes in which nothing is a control token; remembered.
  func tokens(of bytes: [UInt8]) throws(FoveaError) -> [TokenID] {
    try tokenizations.tokens(of: bytes) { bytes throws(FoveaError) in try tokenize(bytes) }
  }

  /// The tokens of bytes that follow other tokens: as the tokenizer cuts both together, where that
  /// leaves those before as they are.
  func tokens(
    of bytes: [UInt8], behind previous: [TokenID], vocabulary: Vocabulary
  ) throws(FoveaError) -> [TokenID] {
    let all = try tokenize(previous.flatMap { vocabulary.pieces[Int($0)] } + bytes)
    if all.starts(with: previous) { return Array(all.dropFirst(previous.count)) }
    return try tokenize(bytes)
  }

  private func tokenize(_ bytes: [UInt8]) throws(FoveaError) -> [TokenID] {
    try weights.tokenize(
      String(decoding: bytes, as: UTF8.self), isTrusted: false, addsSpecial: false)
  }
}
