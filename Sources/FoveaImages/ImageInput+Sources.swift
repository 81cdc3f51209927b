public import Fovea

public import struct Foundation.Data
public import struct Foundation.URL

extension ImageInput {
  /// An image file: JPEG, PNG, WebP, GIF, TIFF, HEIC or AVIF, told by its content.
  ///
  /// Nothing is read before the image is used. Then it is turned upright, converted to sRGB, put
  /// on white where it is transparent, and fitted to the model; of several frames or pages the
  /// first is taken.
  ///
  ///     let total = try await model.predict(
  ///       image: .file("receipt.jpg"), prompt: "Extract the total.", as: Total.self)
  ///
  /// Using it throws a `FoveaError`: `fileNotReadable` when there is no such file, `invalidImage`
  /// when it is no image, is damaged, cut short or beyond `limits`, `unsupportedImageFormat` when
  /// this build cannot decode the format.
  public static func file(_ path: String, limits: ImageLimits = ImageLimits()) -> ImageInput {
    ImageInput(name: path) { requirements in
      let bytes = try OpenFile(path).bytes(limit: limits.maxBytes)
      return try ImageDecoder.decode(bytes, name: path, limits: limits, for: requirements)
    }
  }

  /// An image file, by its URL. Only `file:` URLs: Fovea never fetches anything, and using
  /// another URL throws a `FoveaError` with the code `invalidArgument`.
  public static func file(_ url: URL, limits: ImageLimits = ImageLimits()) -> ImageInput {
    guard url.isFileURL else {
      return ImageInput(name: url.absoluteString) { _ in
        throw FoveaError(
          .invalidArgument, "\(url.absoluteString) is not the URL of a file",
          fix: "download it and give the data with .data(_:)")
      }
    }
    return file(url.path, limits: limits)
  }

  /// The bytes of an image file, for example as they came from a camera or an upload; see
  /// ``file(_:limits:)-(String,_)`` for formats and errors.
  /// Error messages call it `name`.
  public static func data(
    _ bytes: [UInt8], name: String = "image data", limits: ImageLimits = ImageLimits()
  ) -> ImageInput {
    ImageInput(name: name) { requirements in
      try ImageDecoder.decode(bytes, name: name, limits: limits, for: requirements)
    }
  }

  /// The bytes of an image file; see ``file(_:limits:)-(String,_)`` for formats and errors.
  /// Error messages call it `name`.
  public static func data(
    _ data: Data, name: String = "image data", limits: ImageLimits = ImageLimits()
  ) -> ImageInput {
    ImageInput(name: name) { requirements in
      try ImageDecoder.decode([UInt8](data), name: name, limits: limits, for: requirements)
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
}
