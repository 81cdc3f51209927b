internal import Fovea

/// From bytes to the pixels that a model gets. What is the same on every platform is here; the
/// native library stands behind `NativeImage`, of which each platform has its own.
///
///     bytes ─▶ kind? ─▶ page? ─▶ header ─▶ limits ─▶ fit ─▶ decode, colour, white, shrink, upright, pad
///                                                          └─ damaged? ─▶ the rows that there are
enum ImageDecoder {
  /// Decodes a page, counted from 1; nil: the first, or the only picture.
  static func decode(
    _ bytes: [UInt8], name: String, page: Int? = nil, options: ImageOptions,
    for requirements: ImageRequirements
  ) throws -> PixelImage {
    var opening = ImageOpening(
      format: try format(of: bytes, name: name, options: options), name: name,
      resolution: options.resolution, password: options.password)
    let render: (borrowing NativeImage) throws -> PixelImage = { image in
      try image.rendered(fit(image, name: name, options: options, for: requirements))
    }
    do {
      if opening.format == .png, let (width, height) = PNGChunks.size(in: bytes) {
        try options.check(width: width, height: height, name: name)
      }
      if opening.format == .pdf {
        for size in PDFImages.sizes(in: bytes) {
          try options.check(width: size.width, height: size.height, name: "inside \(name)")
        }
      }
      opening.page = try number(of: page, in: bytes, opening)
      if let words = damage(in: bytes, opening) { throw ImageDamage(name: name, words: words) }
      return try NativeImage.with(bytes, opening, render)
    } catch let damage as ImageDamage {
      guard options.allowsDamaged else { throw damage.refusal }
      let salvaged = try salvage(bytes, opening, damage) { image in
        _ = try fit(image, name: name, options: options, for: requirements)
      }
      options.onDamage?(name, damage.used(rows: salvaged.rows, of: salvaged.image.height))
      return try self.fit(
        salvaged.orientation.upright(salvaged.image), name: name, for: requirements)
    }
  }

  /// How many pages there are; 1 for what is one picture.
  static func pageCount(
    _ bytes: [UInt8], name: String, options: ImageOptions
  ) throws -> Int {
    let opening = ImageOpening(
      format: try format(of: bytes, name: name, options: options), name: name,
      password: options.password)
    do {
      return try pageCount(bytes, opening)
    } catch let damage as ImageDamage {
      throw options.allowsDamaged ? damage.hopeless : damage.refusal
    }
  }

  static func fit(
    _ pixels: PixelImage, name: String, for requirements: ImageRequirements
  ) throws -> PixelImage {
    let fit = ImageFit(width: pixels.width, height: pixels.height, for: requirements)
    if fit.changesNothing { return pixels }
    do {
      return try NativeImage.with(pixels, name: name) { image in try image.rendered(fit) }
    } catch let damage as ImageDamage {
      throw damage.refusal
    }
  }

  // MARK: - Steps

  private static func format(
    of bytes: [UInt8], name: String, options: ImageOptions
  ) throws -> ImageFormat {
    guard !bytes.isEmpty else {
      throw FoveaError(
        .invalidImage, "the image \(name) is empty (0 bytes)",
        fix: "get the file again from where it came")
    }
    guard bytes.count <= options.maxBytes else {
      throw ImageOptions.tooManyBytes(name, bytes.count, limit: options.maxBytes)
    }
    guard let format = ImageFormat(of: bytes) else {
      let found = BytesDescription(of: bytes)
      throw FoveaError(
        .invalidImage, "\(name) is not an image: it is \(found.what)", fix: found.fix)
    }
    return format
  }

  /// The page as the file counts them.
  private static func number(
    of page: Int?, in bytes: [UInt8], _ opening: ImageOpening
  ) throws -> Int {
    if opening.format == .tiff {
      let pages = TIFFPages.indexes(in: bytes)
      guard pages.indices.contains((page ?? 1) - 1) else {
        throw noSuchPage(of: pages.count, opening.name)
      }
      return pages[(page ?? 1) - 1]
    }
    guard let page else { return 0 }
    let count = try pageCount(bytes, opening)
    guard 1...max(count, 1) ~= page else { throw noSuchPage(of: count, opening.name) }
    return page - 1
  }

  private static func pageCount(_ bytes: [UInt8], _ opening: ImageOpening) throws -> Int {
    switch opening.format {
    case .tiff: TIFFPages.indexes(in: bytes).count
    case .pdf: try NativeImage.pageCount(bytes, opening)
    default: 1
    }
  }

  /// What can be seen to be wrong without a decoder, or what a decoder would not tell.
  private static func damage(in bytes: [UInt8], _ opening: ImageOpening) -> String? {
    switch opening.format {
    case .png: PNGChunks.problem(in: bytes)
    case .pdf where !PDFEnd.isThere(in: bytes): "the end mark is missing"
    default: nil
    }
  }

  private static func fit(
    _ image: borrowing NativeImage, name: String, options: ImageOptions,
    for requirements: ImageRequirements
  ) throws -> ImageFit {
    try options.check(width: image.storedWidth, height: image.storedHeight, name: name)
    let swaps = image.orientation.swapsSides
    return ImageFit(
      width: swaps ? image.storedHeight : image.storedWidth,
      height: swaps ? image.storedWidth : image.storedHeight, for: requirements)
  }

  /// The rows that come before the damage, and where there are none, what a decoder makes of all.
  private static func salvage(
    _ bytes: [UInt8], _ opening: ImageOpening, _ damage: ImageDamage,
    check: (borrowing NativeImage) throws -> Void
  ) throws -> SalvagedImage {
    var opening = opening
    opening.isLenient = true
    var bytes = bytes
    if opening.format == .png {
      guard let closed = PNGChunks.closed(bytes) else { throw damage.hopeless }
      bytes = closed
    }
    do {
      return try NativeImage.salvaged(bytes, opening, check: check)
    } catch is ImageDamage {
      throw damage.hopeless
    }
  }
}

/// What was decoded of a damaged image.
struct SalvagedImage: Sendable {
  /// In full size and as it is stored; white where there is nothing.
  let image: PixelImage
  /// How it is stored.
  let orientation: Orientation
  /// How many rows were decoded; nil where that is not known.
  let rows: Int?
}
