internal import Foundation
internal import Fovea
internal import FoveaImages

// What operands stand for: files, folders, pages.
extension InputFile {
  /// The inputs that operands name: folders replaced by the pictures in them, documents by their
  /// pages. `scan.pdf[2]` is one page, unless there is a file of that name.
  ///
  /// - Throws: `.fileNotReadable` for a folder without pictures. What is wrong with a file is thrown
  ///   when it is read.
  static func expand(
    _ operands: [String], options: ImageOptions = ImageOptions()
  ) throws(FoveaError) -> [InputFile] {
    var inputs: [InputFile] = []
    for operand in operands {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(atPath: operand, isDirectory: &isFolder)
      if operand == "-" {
        inputs += standardInput(options)
      } else if exists, isFolder.boolValue {
        let pictures = try pictures(in: operand)
        guard !pictures.isEmpty else {
          throw FoveaError(
            .fileNotReadable, "the folder '\(operand)' holds no pictures",
            fix: "name the files, or a folder with pictures")
        }
        for picture in pictures { inputs += pages(of: picture, options) }
      } else if !exists, let (document, page) = page(named: operand) {
        inputs.append(InputFile(path: document, page: page, options: options))
      } else {
        inputs += pages(of: operand, options)
      }
    }
    return inputs
  }

  /// The document and the number in `scan.pdf[2]`; nil where there is no such document.
  private static func page(named operand: String) -> (document: String, page: Int)? {
    guard operand.hasSuffix("]"), let bracket = operand.lastIndex(of: "[") else { return nil }
    let document = String(operand[..<bracket])
    let digits = operand[operand.index(after: bracket)...].dropLast()
    guard let page = Int(digits), FileManager.default.fileExists(atPath: document) else {
      return nil
    }
    return (document, page)
  }

  private static func pictures(in folder: String) throws(FoveaError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw FoveaError(
        .fileNotReadable, "the folder '\(folder)' cannot be read",
        fix: "check its permissions", cause: SystemReason.of(error))
    }
    return names.sorted().filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
      .filter { format(of: $0) != nil }
  }

  /// What the file is by its content; nil for what is no picture, or cannot be read: naming it gives
  /// the error.
  private static func format(of path: String) -> ImageFormat? {
    (try? InputFile(path: path).beginning()).flatMap(ImageFormat.init)  // nil: see above
  }

  /// An input for each page of a document; other files are one.
  private static func pages(of path: String, _ options: ImageOptions) -> [InputFile] {
    guard let format = format(of: path), format == .pdf || format == .tiff else {
      return [InputFile(path: path, options: options)]
    }
    return pages(path, options) { () throws(FoveaError) in
      try ImageInput.pages(of: path, options: options)
    }
  }

  private static func standardInput(_ options: ImageOptions) -> [InputFile] {
    let bytes: [UInt8]
    do {
      bytes = [UInt8](try FileHandle.standardInput.readToEnd() ?? Data())
    } catch {
      let failure = FoveaError(
        .fileNotReadable, "standard input cannot be read", cause: SystemReason.of(error))
      return [InputFile(path: "-", options: options, failure: failure)]
    }
    let format = ImageFormat(of: bytes)
    guard format == .pdf || format == .tiff else {
      return [InputFile(path: "-", options: options, bytes: bytes)]
    }
    return pages("-", options, bytes) { () throws(FoveaError) in
      try ImageInput.pages(of: bytes, name: "-", options: options)
    }
  }

  private static func pages(
    _ path: String, _ options: ImageOptions, _ bytes: [UInt8]? = nil,
    _ count: () throws(FoveaError) -> [ImageInput]
  ) -> [InputFile] {
    do throws(FoveaError) {
      let pages = try count()
      let isOne = pages.count == 1 && pages[0].name == path
      return pages.indices.map {
        InputFile(path: path, page: isOne ? nil : $0 + 1, options: options, bytes: bytes)
      }
    } catch {
      return [InputFile(path: path, options: options, failure: error)]
    }
  }
}
