package import Fovea

package import struct Foundation.Data

extension Vocabulary {
  /// Reads the vocabulary that `fovea-vocabulary --dump` wrote, so that a tool without llama.cpp
  /// has real tokens.
  ///
  ///     │ count │ end of text │ end of turn │ length │ attributes │ bytes … │ length │ …
  ///       u32 each, little-endian; 0xFFFFFFFF: no such token
  ///
  /// The attributes are llama.cpp's, and bit 31 says that the token ends a generation. Which
  /// tokens have bytes is decided as the engine does it when it loads a model: not control,
  /// unknown and unused tokens, none that ends a generation, and no user-defined placeholder such
  /// as `<unused7>`.
  package init(contentsOfDump data: Data) throws(FoveaError) {
    var reader = DumpReader(bytes: [UInt8](data))
    let count = try reader.word()
    _ = try reader.word()
    _ = try reader.word()
    var pieces: [[UInt8]] = []
    var endTokens: [TokenID] = []
    for token in 0..<count {
      let length = try reader.word()
      let attributes = try reader.word()
      let bytes = try reader.bytes(Int(length))
      let endsGeneration = attributes & DumpReader.endsGeneration != 0
      if endsGeneration { endTokens.append(TokenID(token)) }
      pieces.append(
        endsGeneration || Self.isNeverText(bytes, attributes: attributes) ? [] : bytes)
    }
    self.init(pieces: pieces, endTokens: endTokens)
  }

  private static func isNeverText(_ bytes: [UInt8], attributes: UInt32) -> Bool {
    if attributes & DumpReader.neverText != 0 { return true }
    guard attributes & DumpReader.userDefined != 0, bytes.count > 2 else { return false }
    return bytes.first == UInt8(ascii: "<") && bytes.last == UInt8(ascii: ">")
      || bytes.starts(with: "[PAD".utf8)
  }
}

private struct DumpReader {
  /// llama.cpp's attributes "unknown", "unused" and "control".
  static let neverText: UInt32 = 1 << 0 | 1 << 1 | 1 << 3
  /// llama.cpp's attribute "user defined".
  static let userDefined: UInt32 = 1 << 4
  static let endsGeneration: UInt32 = 1 << 31

  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func word() throws(FoveaError) -> UInt32 {
    try bytes(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func bytes(_ count: Int) throws(FoveaError) -> [UInt8] {
    guard count <= bytes.count - position else {
      throw FoveaError(
        .invalidArgument, "the vocabulary dump ends after \(bytes.count) bytes, within a token",
        fix: "write it again: scripts/vocabularies")
    }
    defer { position += count }
    return [UInt8](bytes[position..<position + count])
  }
}
