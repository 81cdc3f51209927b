#if canImport(CVips)
  import CVips
  import Fovea
  import FoveaImages

  /// Writes files by libvips in every format and layout that it can write here.
  enum EncodedFile {
    /// The file of a picture. `suffix` is libvips' name of a format with options, `.tif[tile]`.
    /// An orientation is written as Exif; not in HEIC and AVIF, see ``HEIFFile``, nor GIF.
    ///
    /// - Throws: `FoveaError` with libvips' words where it refuses.
    static func of(
      _ picture: Quadrants, as suffix: String, orientation: Int = 1, tag: Int? = nil
    ) throws -> [UInt8] {
      let stored = picture.stored(orientation)
      return try VipsLibrary.run {
        let image = vips_image_new_from_memory_copy(
          stored.bytes, stored.bytes.count, CInt(stored.width), CInt(stored.height),
          CInt(picture.bands), picture.bits == 8 ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT)
        guard let image else { throw refusal(suffix) }
        defer { g_object_unref(image) }
        image.pointee.Type = picture.interpretation
        if let tag { vips_image_set_int(image, "orientation", CInt(tag)) }
        return try encoded(image, as: suffix)
      }
    }

    /// Pages below each other, each as high as the picture, as a file of pages.
    static func pages(_ pictures: [PixelImage], as suffix: String) throws -> [UInt8] {
      guard let first = pictures.first else { return [] }
      let rgb = pictures.flatMap(\.rgb)
      return try VipsLibrary.run {
        let image = vips_image_new_from_memory_copy(
          rgb, rgb.count, CInt(first.width), CInt(first.height * pictures.count), 3,
          VIPS_FORMAT_UCHAR)
        guard let image else { throw refusal(suffix) }
        defer { g_object_unref(image) }
        image.pointee.Type = VIPS_INTERPRETATION_sRGB
        vips_image_set_int(image, "page-height", CInt(first.height))
        return try encoded(image, as: suffix)
      }
    }

    private static func encoded(
      _ image: UnsafeMutablePointer<VipsImage>, as suffix: String
    ) throws -> [UInt8] {
      var memory: UnsafeMutableRawPointer?
      var count = 0
      guard fovea_vips_encode(image, suffix, &memory, &count) == 0, let memory else {
        throw refusal(suffix)
      }
      defer { g_free(memory) }
      return [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
    }

    private static func refusal(_ suffix: String) -> FoveaError {
      FoveaError(.invalidArgument, "cannot write \(suffix)", cause: VipsLibrary.takeError())
    }
  }

  extension Quadrants {
    fileprivate var interpretation: VipsInterpretation {
      switch (kind, bits) {
      case (.cmyk, _): VIPS_INTERPRETATION_CMYK
      case (.grey, 8), (.greyAlpha, 8): VIPS_INTERPRETATION_B_W
      case (.grey, _), (.greyAlpha, _): VIPS_INTERPRETATION_GREY16
      case (_, 8): VIPS_INTERPRETATION_sRGB
      default: VIPS_INTERPRETATION_RGB16
      }
    }
  }
#endif
