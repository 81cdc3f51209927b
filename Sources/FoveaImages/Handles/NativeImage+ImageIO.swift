#if canImport(ImageIO)
  internal import CoreGraphics
  internal import Foundation
  internal import Fovea
  internal import ImageIO

  /// An image of ImageIO: a source whose pixels are not decoded yet, a page of a PDF, or pixels.
  struct NativeImage: ~Copyable {
    private enum Content {
      case source(CGImageSource, index: Int)
      case page(CGPDFPage)
      case decoded(CGImage)
    }

    private let content: Content
    private let name: String
    /// Whether what there is of a damaged file is enough.
    private let isLenient: Bool
    /// Width before it is turned upright, in pixels.
    let storedWidth: Int
    /// Height before it is turned upright, in pixels.
    let storedHeight: Int
    /// How it is stored; a tag with another value counts as none.
    let orientation: Orientation

    /// Reads the header and calls `body`.
    static func with<Value: Sendable>(
      _ bytes: [UInt8], _ opening: ImageOpening, _ body: (borrowing NativeImage) throws -> Value
    ) throws -> Value {
      let (format, name) = (opening.format, opening.name)
      if format == .pdf { return try body(page(bytes, opening)) }
      let known = CGImageSourceCopyTypeIdentifiers() as? [String] ?? []
      guard let type = format.typeIdentifier, known.contains(type) else {
        throw ImageDecoder.unsupported(format, name)
      }
      // Not cached: the decoded pixels would stay as long as the source.
      let uncached: [CFString: Any] = [kCGImageSourceShouldCache: false]
      let options = uncached as CFDictionary
      let index = opening.page
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, options),
        let header = CGImageSourceCopyPropertiesAtIndex(source, index, options) as? [CFString: Any],
        let width = header[kCGImagePropertyPixelWidth] as? Int,
        let height = header[kCGImagePropertyPixelHeight] as? Int
      else { throw ImageDamage(name: name, words: nil) }
      let tag = header[kCGImagePropertyOrientation] as? Int ?? 1
      return try body(
        NativeImage(
          content: .source(source, index: index), name: name, isLenient: opening.isLenient,
          storedWidth: width, storedHeight: height,
          orientation: Orientation(rawValue: tag) ?? .topLeft))
    }

    /// How many pages a PDF document has.
    static func pageCount(_ bytes: [UInt8], _ opening: ImageOpening) throws -> Int {
      try document(bytes, opening).numberOfPages
    }

    /// What can be decoded of a damaged file. ImageIO does not tell how much that is.
    static func salvaged(
      _ bytes: [UInt8], _ opening: ImageOpening, check: (borrowing NativeImage) throws -> Void
    ) throws -> SalvagedImage {
      try with(bytes, opening) { image in
        try check(image)
        let pixels = try image.upright()
        let (width, height) = (pixels.width, pixels.height)
        let drawn = try image.drawn(
          pixels, width: width, height: height, canvasWidth: width, canvasHeight: height)
        return SalvagedImage(image: drawn, orientation: .topLeft, rows: nil)
      }
    }

    private static func document(
      _ bytes: [UInt8], _ opening: ImageOpening
    ) throws -> CGPDFDocument {
      guard let provider = CGDataProvider(data: Data(bytes) as CFData),
        let document = CGPDFDocument(provider)
      else { throw ImageDamage(name: opening.name, words: nil) }
      guard document.isUnlocked || document.unlockWithPassword(opening.password ?? "") else {
        throw ImageDecoder.encrypted(opening.name, password: opening.password)
      }
      return document
    }

    private static func page(_ bytes: [UInt8], _ opening: ImageOpening) throws -> NativeImage {
      // Core Graphics counts pages from 1.
      guard let page = try document(bytes, opening).page(at: opening.page + 1) else {
        throw ImageDamage(name: opening.name, words: nil)
      }
      let box = page.getBoxRect(.cropBox)
      let isTurned = page.rotationAngle % 180 != 0
      func pixels(_ points: CGFloat) -> Int {
        Int(exactly: (points * CGFloat(opening.resolution) / 72).rounded()) ?? .max
      }
      return NativeImage(
        content: .page(page), name: opening.name, isLenient: opening.isLenient,
        storedWidth: pixels(isTurned ? box.height : box.width),
        storedHeight: pixels(isTurned ? box.width : box.height), orientation: .topLeft)
    }

    /// Wraps pixels and calls `body`.
    static func with(
      _ pixels: PixelImage, name: String, _ body: (borrowing NativeImage) throws -> PixelImage
    ) throws -> PixelImage {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let provider = CGDataProvider(data: Data(pixels.rgb) as CFData),
        let image = CGImage(
          width: pixels.width, height: pixels.height, bitsPerComponent: 8, bitsPerPixel: 24,
          bytesPerRow: pixels.width * 3, space: space,
          bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue), provider: provider,
          decode: nil, shouldInterpolate: false, intent: .defaultIntent)
      else { throw ImageDamage(name: name, words: nil) }
      return try body(
        NativeImage(
          content: .decoded(image), name: name, isLenient: false, storedWidth: pixels.width,
          storedHeight: pixels.height, orientation: .topLeft))
    }

    /// Decodes: sRGB on white, shrunk, upright, on the canvas.
    borrowing func rendered(_ fit: ImageFit) throws -> PixelImage {
      let image = try upright()
      guard case .wholeFactor(let factor) = fit.scaling else {
        return try drawn(
          image, width: fit.width, height: fit.height, canvasWidth: fit.canvasWidth,
          canvasHeight: fit.canvasHeight)
      }
      // Core Graphics promises no filter, so the blocks are averaged here.
      let whole = try drawn(
        image, width: fit.sourceWidth, height: fit.sourceHeight, canvasWidth: fit.width * factor,
        canvasHeight: fit.height * factor)
      let small = blockMean(of: whole, factor: factor)
      if small.width == fit.canvasWidth && small.height == fit.canvasHeight { return small }
      return try NativeImage.with(small, name: name) { image in
        try image.drawn(
          image.upright(), width: small.width, height: small.height, canvasWidth: fit.canvasWidth,
          canvasHeight: fit.canvasHeight)
      }
    }

    /// The first frame in full size, turned upright.
    private borrowing func upright() throws -> CGImage {
      switch content {
      case .decoded(let image): return image
      case .page(let page): return try drawn(page)
      case .source(let source, let index):
        let options: [CFString: Any] = [
          kCGImageSourceCreateThumbnailFromImageAlways: true,
          kCGImageSourceCreateThumbnailWithTransform: true,
          kCGImageSourceShouldCacheImmediately: true,
          kCGImageSourceThumbnailMaxPixelSize: max(storedWidth, storedHeight),
        ]
        guard
          let image = CGImageSourceCreateThumbnailAtIndex(
            source, index, options as CFDictionary),
          // A file that ends early decodes to a picture that is grey below.
          isLenient || CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
        else { throw ImageDamage(name: name, words: nil) }
        return image
      }
    }

    /// A page on white, as its rotation wants it.
    private borrowing func drawn(_ page: CGPDFPage) throws -> CGImage {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: nil, width: storedWidth, height: storedHeight, bitsPerComponent: 8, bytesPerRow: 0,
          space: space, bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
      else { throw ImageDamage(name: name, words: "no memory for \(storedWidth)x\(storedHeight)") }
      context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: storedWidth, height: storedHeight))
      let box = page.getBoxRect(.cropBox)
      let width = page.rotationAngle % 180 == 0 ? box.width : box.height
      let scale = CGFloat(storedWidth) / width
      context.scaleBy(x: scale, y: scale)
      // This transform never enlarges, so it gets the page's own size.
      let height = page.rotationAngle % 180 == 0 ? box.height : box.width
      context.concatenate(
        page.getDrawingTransform(
          .cropBox, rect: CGRect(x: 0, y: 0, width: width, height: height), rotate: 0,
          preserveAspectRatio: true))
      context.drawPDFPage(page)
      guard let image = context.makeImage() else { throw ImageDamage(name: name, words: nil) }
      return image
    }

    /// Draws at the top left of a white sRGB canvas.
    private borrowing func drawn(
      _ image: CGImage, width: Int, height: Int, canvasWidth: Int, canvasHeight: Int
    ) throws -> PixelImage {
      guard let space = CGColorSpace(name: CGColorSpace.sRGB),
        let context = CGContext(
          data: nil, width: canvasWidth, height: canvasHeight, bitsPerComponent: 8,
          bytesPerRow: canvasWidth * 4, space: space,
          bitmapInfo: CGImageAlphaInfo.noneSkipLast.rawValue)
      else { throw ImageDamage(name: name, words: "no memory for \(canvasWidth)x\(canvasHeight)") }
      context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: canvasWidth, height: canvasHeight))
      context.interpolationQuality = .high
      // Core Graphics counts y from below.
      context.draw(
        image, in: CGRect(x: 0, y: canvasHeight - height, width: width, height: height))
      // The context owns the memory and would otherwise go before the last byte is read.
      return try withExtendedLifetime(context) {
        guard let data = context.data else { throw ImageDamage(name: name, words: nil) }
        let count = canvasWidth * canvasHeight
        let rgbx = UnsafeRawBufferPointer(start: data, count: count * 4)
        let rgb = [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, filled in
          for pixel in 0..<count {
            for channel in 0..<3 { buffer[pixel * 3 + channel] = rgbx[pixel * 4 + channel] }
          }
          filled = count * 3
        }
        return PixelImage(width: canvasWidth, height: canvasHeight, rgb: rgb)
      }
    }
  }

  extension ImageFormat {
    /// Its name in ImageIO's list of what it decodes; nil: never.
    fileprivate var typeIdentifier: String? {
      switch self {
      case .jpeg: "public.jpeg"
      case .png: "public.png"
      case .gif: "com.compuserve.gif"
      case .webp: "org.webmproject.webp"
      case .tiff: "public.tiff"
      case .heic: "public.heic"
      case .avif: "public.avif"
      case .bmp: "com.microsoft.bmp"
      case .jpegXL: "public.jpeg-xl"
      case .jpeg2000: "public.jpeg-2000"
      case .svg, .pdf: nil
      }
    }
  }
#endif
