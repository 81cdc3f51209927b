public import Fovea

extension ImageInput {
  /// The pages of a document, each an image of its own. A PDF's are named `scan.pdf[1]` and so on,
  /// also where it has only one; a TIFF's where it has several. Any other file is one image with the
  /// file's name, also where it is animated.
  ///
  ///     for await result in model.predict(
  ///       images: try ImageInput.pages(of: "invoices.pdf"), prompt: "Extract it.", as: Invoice.self)
  ///     { … }
  ///
  /// The file is read here to count its pages, and again for each page that is used.
  ///
  /// - Throws: What using ``file(_:page:options:)-(String,_,_)`` throws, but for damage that only
  ///   decoding shows; `invalidImage` when there are more pages than `options.maxPages`.
  public static func pages(
    of path: String, options: ImageOptions = ImageOptions()
  ) throws(FoveaError) -> [ImageInput] {
    let numbers = try pageNumbers(path, options: options) {
      try OpenFile(path).bytes(limit: options.maxBytes)
    }
    return numbers.map { file(path, page: $0, options: options) }
  }

  /// The pages of a document by its bytes; see ``pages(of:options:)``. Names begin with `name`.
  ///
  /// - Throws: As ``pages(of:options:)``.
  public static func pages(
    of bytes: [UInt8], name: String, options: ImageOptions = ImageOptions()
  ) throws(FoveaError) -> [ImageInput] {
    let numbers = try pageNumbers(name, options: options) { bytes }
    return numbers.map { data(bytes, name: name, page: $0, options: options) }
  }

  /// Nil stands for a file that is one image.
  private static func pageNumbers(
    _ name: String, options: ImageOptions, _ read: () throws -> [UInt8]
  ) throws(FoveaError) -> [Int?] {
    do {
      let bytes = try read()
      let count = try ImageDecoder.pageCount(bytes, name: name, options: options)
      try options.check(pages: count, name: name)
      return count == 1 && ImageFormat(of: bytes) != .pdf ? [nil] : (0..<count).map { $0 + 1 }
    } catch let error as FoveaError {
      throw error
    } catch {
      throw FoveaError(.invalidImage, "'\(name)' cannot be read", cause: "\(error)")
    }
  }
}
