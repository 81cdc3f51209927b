#if !canImport(ImageIO)
  internal import CVips
  internal import Fovea

  /// An image of libvips: a plan of how its pixels come to be, which runs when they are asked for.
  ///
  /// It owns one reference to the C object. Each step makes a new image, and the C object of that
  /// one holds the step before it, so the Swift owners may go in any order.
  struct NativeImage: ~Copyable {
    private let image: UnsafeMutablePointer<VipsImage>
    private let name: String
    /// What the file is; nil for pixels.
    private let format: ImageFormat?

    private init(
      _ image: UnsafeMutablePointer<VipsImage>, name: String, format: ImageFormat? = nil
    ) {
      self.image = image
      self.name = name
      self.format = format
    }

    deinit { g_object_unref(image) }

    /// Reads the header and calls `body`. The image reads from `bytes`, so it cannot outlive them.
    static func with<Value: Sendable>(
      _ bytes: [UInt8], _ opening: ImageOpening, _ body: (borrowing NativeImage) throws -> Value
    ) throws -> Value {
      try bytes.withUnsafeBytes { buffer in
        try VipsLibrary.run { try body(open(buffer, opening)) }
      }
    }

    /// Wraps pixels and calls `body`. The image reads from `pixels`, so it cannot outlive them.
    static func with(
      _ pixels: PixelImage, name: String, _ body: (borrowing NativeImage) throws -> PixelImage
    ) throws -> PixelImage {
      try pixels.rgb.withUnsafeBytes { buffer in
        try VipsLibrary.run {
          let image = vips_image_new_from_memory(
            buffer.baseAddress, buffer.count, CInt(pixels.width), CInt(pixels.height), 3,
            VIPS_FORMAT_UCHAR)
          guard let image else { throw failure(name, nil) }
          image.pointee.Type = VIPS_INTERPRETATION_sRGB
          return try body(NativeImage(image, name: name))
        }
      }
    }

    /// How many pages a document has.
    static func pageCount(_ bytes: [UInt8], _ opening: ImageOpening) throws -> Int {
      try with(bytes, opening) { Int(vips_image_get_n_pages($0.image)) }
    }

    private static func open(
      _ buffer: UnsafeRawBufferPointer, _ opening: ImageOpening
    ) throws -> NativeImage {
      let format = opening.format
      guard let loader = format.vipsLoader, vips_type_find("VipsForeignLoad", loader) != 0 else {
        throw ImageDecoder.unsupported(format, opening.name, fix: format.missingPart)
      }
      var image: UnsafeMutablePointer<VipsImage>?
      let (start, count) = (buffer.baseAddress, buffer.count)
      switch format {
      case .tiff:
        _ = fovea_vips_open_tiff(start, count, &image, CInt(clamping: opening.page))
      case .pdf:
        _ = fovea_vips_open_pdf(
          start, count, &image, CInt(clamping: opening.page), CInt(clamping: opening.resolution),
          opening.password)
      default:
        image = fovea_vips_open(start, count, opening.isLenient ? 1 : 0)
      }
      guard let image else { throw failure(opening.name, format, password: opening.password) }
      return NativeImage(image, name: opening.name, format: format)
    }

    /// Width before it is turned upright, in pixels.
    var storedWidth: Int { Int(vips_image_get_width(image)) }
    /// Height before it is turned upright, in pixels.
    var storedHeight: Int { Int(vips_image_get_height(image)) }
    /// How it is stored; a tag with another value counts as none.
    var orientation: Orientation {
      Orientation(rawValue: Int(vips_image_get_orientation(image))) ?? .topLeft
    }

    /// Decodes: sRGB on white, upright, shrunk, on the canvas.
    borrowing func rendered(_ fit: ImageFit) throws -> PixelImage {
      let upright = try onWhite(inSRGB()).turnedUpright()
      let canvas = try upright.shrunk(fit).step { image, out in
        fovea_vips_on_white(image, out, 0, 0, CInt(fit.canvasWidth), CInt(fit.canvasHeight))
      }
      return try canvas.pixels()
    }

    // MARK: - Damage

    /// What can be decoded of a damaged file: the rows before the damage, or where there are none
    /// and the decoder can go on, what it makes of all. `check` sees the header first.
    static func salvaged(
      _ bytes: [UInt8], _ opening: ImageOpening, check: (borrowing NativeImage) throws -> Void
    ) throws -> SalvagedImage {
      var strict = opening
      strict.isLenient = false
      do {
        return try with(bytes, strict) { image in
          try check(image)
          return try image.onWhite(image.inSRGB()).rowsBeforeDamage(storedAs: image.orientation)
        }
      } catch let damage as ImageDamage {
        // The others leave what a buffer held before where they go on.
        guard [.jpeg, .gif].contains(opening.format) else { throw damage }
        return try with(bytes, opening) { image in
          try check(image)
          // Only a JPEG in several scans has more than its first rows in what came first.
          var isInScans: CInt = 0
          if opening.format == .jpeg,
            vips_image_get_int(image.image, "jpeg-multiscan", &isInScans) != 0 || isInScans == 0
          {
            throw damage
          }
          let pixels = try image.onWhite(image.inSRGB()).pixels(isLenient: true)
          // One grey area is what a decoder makes of nothing.
          guard pixels.rgb.contains(where: { $0 != pixels.rgb[0] }) else { throw damage }
          return SalvagedImage(image: pixels, orientation: image.orientation, rows: nil)
        }
      }
    }

    private borrowing func rowsBeforeDamage(
      storedAs orientation: Orientation
    ) throws -> SalvagedImage {
      guard let region = vips_region_new(image) else { throw NativeImage.failure(name, format) }
      defer { g_object_unref(region) }
      let (width, height) = (storedWidth, storedHeight)
      var rgb = [UInt8](repeating: 255, count: width * height * 3)
      var rows = 0
      try rgb.withUnsafeMutableBufferPointer { buffer in
        while rows < height {
          let count = min(8, height - rows)
          let place = buffer.baseAddress?.advanced(by: rows * width * 3)
          guard fovea_vips_rows(region, CInt(rows), CInt(count), place) == 0 else { break }
          rows += count
        }
        if rows == 0 { throw NativeImage.failure(name, format) }
      }
      _ = VipsLibrary.takeError()
      return SalvagedImage(
        image: PixelImage(width: width, height: height, rgb: rgb), orientation: orientation,
        rows: rows)
    }

    // MARK: - Colour

    private borrowing func inSRGB() throws -> NativeImage {
      if vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0,
        let converted = attempt(fovea_vips_profile_to_srgb)
      {
        return try converted.inEightBits()
      }
      // Without a profile, or with one that does not fit the image: by what the numbers mean.
      return try inEightBits()
    }

    private borrowing func inEightBits() throws -> NativeImage {
      try step(fovea_vips_to_srgb).step(fovea_vips_to_bytes)
    }

    private borrowing func onWhite(_ colours: consuming NativeImage) throws -> NativeImage {
      if vips_image_hasalpha(colours.image) != 0 { colours = try colours.step(fovea_vips_flatten) }
      if vips_image_get_bands(colours.image) > 3 {
        colours = try colours.step(fovea_vips_first_three_bands)
      }
      return colours
    }

    // MARK: - Size

    /// Turned before it is shrunk, so that the result does not depend on how it was stored.
    private consuming func turnedUpright() throws -> NativeImage {
      if orientation == .topLeft { return self }
      // Turning reads in another order than the file has, so all rows must be there.
      guard let held = vips_image_copy_memory(image) else {
        throw NativeImage.failure(name, format)
      }
      return try NativeImage(held, name: name, format: format).step(fovea_vips_upright)
    }

    private consuming func shrunk(_ fit: ImageFit) throws -> NativeImage {
      switch fit.scaling {
      case .none:
        return self
      case .wholeFactor(let factor):
        let whole = try step { image, out in
          fovea_vips_on_white(
            image, out, 0, 0, CInt(fit.width * factor), CInt(fit.height * factor))
        }
        return try whole.step { image, out in fovea_vips_shrink(image, out, CInt(factor)) }
      case .filtered:
        let x = Double(fit.width) / Double(fit.sourceWidth)
        let y = Double(fit.height) / Double(fit.sourceHeight)
        return try step { image, out in fovea_vips_resize(image, out, x, y) }
          .step { image, out in
            fovea_vips_exact_size(image, out, CInt(fit.width), CInt(fit.height))
          }
      }
    }

    // MARK: - Calls

    private borrowing func pixels(isLenient: Bool = false) throws -> PixelImage {
      let width = storedWidth
      let height = storedHeight
      var count = 0
      guard let memory = vips_image_write_to_memory(image, &count) else {
        throw NativeImage.failure(name, format)
      }
      defer { g_free(memory) }
      // libjpeg paints on after a gap in the data, and vips at this level calls that a warning.
      // Bytes too many between two parts are harmless, and some cameras write them.
      let words = VipsLibrary.takeError()
      if !isLenient, words.contains("Corrupt JPEG data"), !words.contains("extraneous bytes") {
        throw ImageDamage(name: name, words: words)
      }
      guard count == width * height * 3 else {
        throw ImageDamage(
          name: name, words: "\(count) bytes for \(width)x\(height) RGB pixels")
      }
      let rgb = [UInt8](UnsafeRawBufferPointer(start: memory, count: count))
      return PixelImage(width: width, height: height, rgb: rgb)
    }

    private typealias Call = (
      UnsafeMutablePointer<VipsImage>?, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?
    ) -> CInt

    private borrowing func step(_ call: Call) throws -> NativeImage {
      var result: UnsafeMutablePointer<VipsImage>?
      guard call(image, &result) == 0, let result else { throw NativeImage.failure(name, format) }
      return NativeImage(result, name: name, format: format)
    }

    /// Like `step`, for what may fail: nil then, and the words are dropped.
    private borrowing func attempt(_ call: Call) -> NativeImage? {
      var result: UnsafeMutablePointer<VipsImage>?
      guard call(image, &result) == 0, let result else {
        _ = VipsLibrary.takeError()
        return nil
      }
      return NativeImage(result, name: name, format: format)
    }

    /// The error for what vips has just refused to do.
    private static func failure(
      _ name: String, _ format: ImageFormat?, password: String? = nil
    ) -> any Error {
      let words = VipsLibrary.takeError()
      if format == .pdf, words.contains("encrypted") {
        return ImageDecoder.encrypted(name, password: password)
      }
      // libheif's words for a codec whose plug-in is not installed, and for what it cannot do
      // (some versions: mirror more than 8 bits); the file is sound then.
      if let format, words.contains("Unsupported codec") {
        return ImageDecoder.unsupported(format, name, fix: format.missingPart, words)
      }
      if let format, words.contains("Unsupported feature") {
        return ImageDecoder.unsupported(format, name, words)
      }
      return ImageDamage(name: name, words: words)
    }
  }
#endif
