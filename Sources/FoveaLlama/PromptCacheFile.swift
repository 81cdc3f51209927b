internal import Foundation
internal import Fovea

/// The evaluated beginning of a prompt on disk, in a file whose name is a hash of what it belongs to.
///
///     FOVEAPFX │ size of the header │ header, JSON │ state of the sequence │ hash of all before
///        8     │    4, little-endian│              │                       │  8, little-endian
struct PromptCacheFile {
  let path: String
  private let header: Data

  /// A state is of use where all of this is the same.
  struct Header: Encodable {
    /// The model file's fingerprint.
    var model: String
    /// The build of llama.cpp, the processor, and how the model is computed.
    var computation: String
    var tokens: [TokenID]
  }

  /// Names the file of a beginning in a folder.
  init(folder: String, header: Header) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Texts and numbers can always be encoded.
    self.header = (try? encoder.encode(header)) ?? Data()
    var hash = StableHash()
    hash.combine(self.header)
    let name = String(hash.value, radix: 16)
    path = URL(fileURLWithPath: folder).appendingPathComponent("\(name).prompt").path
  }

  private static let magic = Data("FOVEAPFX".utf8)
  private static let hashSize = 8

  /// What the file holds.
  enum Content {
    case state(Data)
    /// There is none.
    case nothing
    /// It is damaged, and will be written anew.
    case damaged

    /// Whether a file has to be written.
    var isMissing: Bool { if case .state = self { false } else { true } }
  }

  /// Reads the state.
  ///
  /// - Throws: `.fileNotReadable`.
  func read() throws(FoveaError) -> Content {
    do {
      let file = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      return state(in: file).map { .state($0) } ?? .damaged
    } catch CocoaError.fileReadNoSuchFile {
      return .nothing
    } catch {
      throw FoveaError(
        .fileNotReadable, "the prompt cache '\(path)' cannot be read",
        fix: "check that its folder is one, and its permissions", cause: SystemReason.of(error))
    }
  }

  private var beginning: Data {
    Self.magic + Self.bytes(UInt64(header.count), size: 4) + header
  }

  private func state(in file: Data) -> Data? {
    let content = file.dropLast(Self.hashSize)
    guard content.starts(with: beginning),
      Self.number(file.suffix(Self.hashSize)) == Self.hash(of: content)
    else { return nil }
    return content.dropFirst(beginning.count)
  }

  /// Writes the file, whole or not at all.
  ///
  /// - Throws: `.fileNotWritable`.
  func write(_ state: Data) throws(FoveaError) {
    do {
      var file = beginning + state
      file += Self.bytes(Self.hash(of: file), size: Self.hashSize)
      try file.write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw FoveaError(
        .fileNotWritable, "the prompt cache '\(path)' cannot be written",
        fix: "name a folder that exists and may be written to, with room on its disk",
        cause: SystemReason.of(error))
    }
  }

  private static func hash(of data: Data) -> UInt64 {
    var hash = StableHash()
    hash.combine(data)
    return hash.value
  }

  private static func bytes(_ number: UInt64, size: Int) -> Data {
    Data((0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) })
  }

  private static func number(_ bytes: Data) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
