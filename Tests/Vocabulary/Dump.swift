internal import Foundation
internal import Fovea
internal import FoveaLlama
internal import FoveaTestSupport

/// Writes a model's vocabulary into a file that needs no llama.cpp to be read: the format is that
/// of `Vocabulary(contentsOfDump:)`.
enum Dump {
  static func write(model: String, to path: String) throws {
    let tokenizer = try Tokenizer(path: model)
    let entries = tokenizer.readEntries()
    var data = Data()
    func add(_ word: UInt32) {
      withUnsafeBytes(of: word.littleEndian) { data.append(contentsOf: $0) }
    }
    add(UInt32(entries.count))
    add(tokenizer.endOfText.map { UInt32($0) } ?? .max)
    add(tokenizer.endOfTurn.map { UInt32($0) } ?? .max)
    for entry in entries {
      add(UInt32(entry.bytes.count))
      add(entry.attributes | (entry.endsGeneration ? 1 << 31 : 0))
      data.append(contentsOf: entry.bytes)
    }
    // What was written must be read back as the engine has it.
    let read = try Vocabulary(contentsOfDump: data)
    guard read.pieces == tokenizer.vocabulary.pieces,
      read.endTokens == tokenizer.vocabulary.endTokens
    else {
      throw FoveaError(.engineFailed, "the dump of '\(model)' is not its vocabulary")
    }
    try data.write(to: URL(fileURLWithPath: path), options: .atomic)
    let texts = read.pieces.count { !$0.isEmpty }
    print("\(path): \(read.count) tokens, \(texts) of text, \(read.endTokens.count) that end")
  }
}
