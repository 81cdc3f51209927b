internal import Foundation
internal import Fovea
internal import FoveaImages
internal import Synchronization

/// An input of `fovea extract`: a picture, a page or text, told by its content.
struct InputFile {
  /// What a file holds.
  enum Content {
    case image(ImageInput)
    case text(String)
  }

  /// What was used although it is damaged, once that is known.
  final class Damage: Sendable {
    private let found = Mutex<FoveaError?>(nil)

    var error: FoveaError? {
      get { found.withLock { $0 } }
      set { found.withLock { $0 = newValue } }
    }
  }

  /// The file; `-` for standard input.
  let path: String
  /// The page of a document, counted from 1; nil for a file that is one input.
  let page: Int?
  let damage = Damage()
  private let options: ImageOptions
  /// The content, where it was read already.
  private let bytes: [UInt8]?
  /// Why it cannot be an input.
  private let failure: FoveaError?

  init(
    path: String, page: Int? = nil, options: ImageOptions = ImageOptions(), bytes: [UInt8]? = nil,
    failure: FoveaError? = nil
  ) {
    self.path = path
    self.page = page
    self.options = options
    self.bytes = bytes
    self.failure = failure
  }

  /// What records and messages call it: `scan.pdf[2]`.
  var name: String { page.map { "\(path)[\($0)]" } ?? path }

  /// Enough of the file to tell what it is.
  func beginning() throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    return [UInt8](try file.read(upToCount: 4_096) ?? Data())
  }

  /// The bytes of a file that is no picture, `-` for standard input. `role` says what it is for.
  ///
  /// - Throws: `.fileNotReadable`.
  static func bytes(of path: String, as role: String) throws(FoveaError) -> Data {
    do {
      if path == "-" { return try FileHandle.standardInput.readToEnd() ?? Data() }
      return try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw FoveaError(
        .fileNotReadable, "the \(role) '\(path)' cannot be read",
        fix: "check the path and its permissions", cause: SystemReason.of(error))
    }
  }

  /// The source of a chat template.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidTemplate` for what is no text.
  static func template(_ path: String) throws(FoveaError) -> String {
    guard let text = String(bytes: try bytes(of: path, as: "chat template"), encoding: .utf8) else {
      throw FoveaError(
        .invalidTemplate, "the chat template '\(path)' is not UTF-8", fix: "save it as UTF-8 text")
    }
    return text
  }

  /// Finds out what the file holds. Pictures are only opened here: they are read, within their
  /// limits, when they are used.
  ///
  /// - Throws: `.fileNotReadable`, and what is wrong with a document. Damaged pictures are reported
  ///   when they are decoded.
  func read() throws(FoveaError) -> Content {
    if let failure { throw failure }
    let start: [UInt8]
    var bytes = bytes
    var whole: [UInt8]?
    do {
      if path == "-", bytes == nil {
        bytes = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
      }
      whole = bytes
      if let bytes {
        start = bytes
      } else {
        start = try beginning()
        if ImageFormat(of: start) == nil, !Self.hasControls(start) {
          whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
      }
    } catch {
      throw FoveaError(
        .fileNotReadable, "'\(path)' cannot be read", fix: "check the path and its permissions",
        cause: SystemReason.of(error))
    }
    guard !start.isEmpty else {
      throw FoveaError(
        .invalidImage, "'\(path)' is empty (0 bytes)", fix: "give a picture or a text file")
    }
    if ImageFormat(of: start) == nil, let text = whole.flatMap(Self.text) { return .text(text) }
    var options = options
    options.onDamage = { [damage] _, error in damage.error = error }
    if let bytes {
      return .image(.data(bytes, name: "standard input", page: page, options: options))
    }
    return .image(.file(path, page: page, options: options))
  }

  /// The bytes as text: UTF-8 without control characters other than white space.
  private static func text(_ bytes: [UInt8]) -> String? {
    hasControls(bytes) ? nil : String(bytes: bytes, encoding: .utf8)
  }

  private static func hasControls(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) }
  }
}
