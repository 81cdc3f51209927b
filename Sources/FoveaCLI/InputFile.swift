internal import Foundation
internal import Fovea
internal import FoveaImages

/// An input of `fovea extract`: a picture or text, told by its content.
struct InputFile {
  /// What a file holds.
  enum Content {
    case image(ImageInput)
    case text(String)
  }

  let path: String

  /// The files that operands name, folders replaced by the pictures in them.
  ///
  /// - Throws: `.fileNotReadable` for a folder without pictures.
  static func expand(_ operands: [String]) throws(FoveaError) -> [InputFile] {
    var files: [InputFile] = []
    for operand in operands {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: operand, isDirectory: &isFolder),
        isFolder.boolValue
      else {
        files.append(InputFile(path: operand))
        continue
      }
      let pictures = try pictures(in: operand)
      guard !pictures.isEmpty else {
        throw FoveaError(
          .fileNotReadable, "the folder '\(operand)' holds no pictures",
          fix: "name the files, or a folder with pictures")
      }
      files += pictures
    }
    return files
  }

  private static func pictures(in folder: String) throws(FoveaError) -> [InputFile] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw FoveaError(
        .fileNotReadable, "the folder '\(folder)' cannot be read",
        fix: "check its permissions", cause: SystemReason.of(error))
    }
    return names.sorted().filter { !$0.hasPrefix(".") }.map { InputFile(path: "\(folder)/\($0)") }
      .filter(\.isPicture)
  }

  private var isPicture: Bool {
    // A file that cannot be read is no picture here; naming it gives the error.
    guard let start = try? beginning() else { return false }
    return ImageFormat(of: start) != nil
  }

  /// Enough of the file to tell what it is.
  private func beginning() throws -> [UInt8] {
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

  /// Finds out what the file holds, `-` for standard input. Pictures are only opened here: they are
  /// read, within their limits, when they are used.
  ///
  /// - Throws: `.fileNotReadable`. Damaged pictures are reported when they are decoded.
  func read() throws(FoveaError) -> Content {
    let isStandardInput = path == "-"
    let start: [UInt8]
    var whole: [UInt8]?
    do {
      if isStandardInput {
        start = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
        whole = start
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
    return .image(isStandardInput ? .data(start, name: "standard input") : .file(path))
  }

  /// The bytes as text: UTF-8 without control characters other than white space.
  private static func text(_ bytes: [UInt8]) -> String? {
    hasControls(bytes) ? nil : String(bytes: bytes, encoding: .utf8)
  }

  private static func hasControls(_ bytes: [UInt8]) -> Bool {
    bytes.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) }
  }
}
