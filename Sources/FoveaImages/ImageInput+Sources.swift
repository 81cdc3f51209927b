public import Fovea

public import struct Foundation.Data
public import struct Foundation.URL

extension ImageInput {
  /// An image file: JPEG, PNG, WebP, GIF, TIFF, HEIC or AVIF, or a PDF, told by its content.
  ///
  /// Nothing is read before the image is used. Then it is turned upright, converted to sRGB, put
  /// on white where it is transparent, and fitted to the model. Of several frames the first is
  /// taken; of several pages `page`, counted from 1, or the first.
  ///
  ///     let total = try await model.predict(
  ///       image: .file("receipt.jpg"), prompt: "Extract the total.", as: Total.self)
  ///
  /// Using it throws a `FoveaError`: `fileNotReadable` when there is no such file, `invalidImage`
  /// when it is no image, is damaged, cut short or beyond a limit of `options`,
  /// `unsupportedImageFormat` when this build cannot decode the format, `passwordRequired` when a
  /// PDF is encrypted, `invalidArgument` when there is no such page.
  public static func file(
    _ path: String, page: Int? = nil, options: ImageOptions = ImageOptions()
  ) -> ImageInput {
    let name = name(path, page)
    return ImageInput(name: name) { requirements in
      let bytes = try OpenFile(path).bytes(limit: options.maxBytes)
      return try ImageDecoder.decode(
        bytes, name: name, page: page, options: options, for: requirements)
    }
  }

  /// An image file, by its URL. Only `file:` URLs: Fovea never fetches anything, and using
  /// another URL throws a `FoveaError` with the code `invalidArgument`.
  public static func file(
    _ url: URL, page: Int? = nil, options: ImageOptions = ImageOptions()
  ) -> ImageInput {
    guard url.isFileURL else {
      return ImageInput(name: url.absoluteString) { _ in
        throw FoveaError(
          .invalidArgument, "\(url.absoluteString) is not the URL of a file",
          fix: "download it and give the data with .data(_:)")
      }
    }
    return file(url.path, page: page, options: options)
  }

  /// The bytes of an image file, for example as they came from a camera or an upload; see
  /// ``file(_:page:options:)-(String,_,_)`` for formats, pages and errors.
  /// Error messages call it `name`.
  public static func data(
    _ bytes: [UInt8], name: String = "image data", page: Int? = nil,
    options: ImageOptions = ImageOptions()
  ) -> ImageInput {
    let name = self.name(name, page)
    return ImageInput(name: name) { requirements in
      try ImageDecoder.decode(bytes, name: name, page: page, options: options, for: requirements)
    }
  }

  /// The bytes of an image file; see ``file(_:page:options:)-(String,_,_)`` for formats, pages and
  /// errors. Error messages call it `name`.
  public static func data(
    _ data: Data, name: String = "image data", page: Int? = nil,
    options: ImageOptions = ImageOptions()
  ) -> ImageInput {
    let name = self.name(name, page)
    return ImageInput(name: name) { requirements in
      try ImageDecoder.decode(
        [UInt8](data), name: name, page: page, options: options, for: requirements)
    }
  }

  /// Pixels that are decoded already. They are fitted to the model like any other image.
  ///
  ///     let patch = PixelImage(width: 2, height: 1, rgb: [255, 0, 0, 0, 0, 255])
  ///     let input = ImageInput.pixels(patch)
  ///
  /// Error messages call it `name`.
  public static func pixels(_ image: PixelImage, name: String = "pixels") -> ImageInput {
    ImageInput(name: name) { requirements in
      try ImageDecoder.fit(image, name: name, for: requirements)
    }
  }

  /// `scan.pdf[2]` is how messages call a page.
  static func name(_ document: String, _ page: Int?) -> String {
    page.map { "\(document)[\($0)]" } ?? document
  }
}
