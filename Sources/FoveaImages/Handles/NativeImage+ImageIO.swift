#if canImport(ImageIO)
  internal import CoreGraphics
  internal import Foundation
  internal import Fovea
  internal import ImageIO

  /// An image of ImageIO: a source whose pixels are not decoded yet, or pixels.
  struct NativeImage: ~Copyable {
    private enum Content {
      case source(CGImageSource)
      case decoded(CGImage)
    }

    private let content: Content
    private let name: String
    /// Width before it is turned upright, in pixels.
    let storedWidth: Int
    /// Height before it is turned upright, in pixels.
    let storedHeight: Int
    /// How it is stored; a tag with another value counts as none.
    let orientation: Orientation

    /// Reads the header and calls `body`.
    static func with(
      _ bytes: [UInt8], format: ImageFormat, name: String,
      _ body: (borrowing NativeImage) throws -> PixelImage
    ) throws -> PixelImage {
      let known = CGImageSourceCopyTypeIdentifiers() as? [String] ?? []
      guard let type = format.typeIdentifier, known.contains(type) else {
        throw ImageDecoder.unsupported(format, name)
      }
      // Not cached: the decoded pixels would stay as long as the source.
      let uncached: [CFString: Any] = [kCGImageSourceShouldCache: false]
      let options = uncached as CFDictionary
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, options),
        let header = CGImageSourceCopyPropertiesAtIndex(source, 0, options) as? [CFString: Any],
        let width = header[kCGImagePropertyPixelWidth] as? Int,
        let height = header[kCGImagePropertyPixelHeight] as? Int
      else { throw ImageDecoder.damaged(name, nil) }
      let tag = header[kCGImagePropertyOrientation] as? Int ?? 1
      return try body(
        NativeImage(
          content: .source(source), name: name, storedWidth: width, storedHeight: height,
          orientation: Orientation(rawValue: tag) ?? .topLeft))
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
      else { throw ImageDecoder.damaged(name, nil) }
      return try body(
        NativeImage(
          content: .decoded(image), name: name, storedWidth: pixels.width,
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
      case .source(let source):
        let options: [CFString: Any] = [
          kCGImageSourceCreateThumbnailFromImageAlways: true,
          kCGImageSourceCreateThumbnailWithTransform: true,
          kCGImageSourceShouldCacheImmediately: true,
          kCGImageSourceThumbnailMaxPixelSize: max(storedWidth, storedHeight),
        ]
        guard let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary),
          // A file that ends early decodes to a picture that is grey below.
          CGImageSourceGetStatusAtIndex(source, 0) == .statusComplete
        else { throw ImageDecoder.damaged(name, nil) }
        return image
      }
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
      else { throw ImageDecoder.damaged(name, "no memory for \(canvasWidth)x\(canvasHeight)") }
      context.setFillColor(red: 1, green: 1, blue: 1, alpha: 1)
      context.fill(CGRect(x: 0, y: 0, width: canvasWidth, height: canvasHeight))
      context.interpolationQuality = .high
      // Core Graphics counts y from below.
      context.draw(
        image, in: CGRect(x: 0, y: canvasHeight - height, width: width, height: height))
      // The context owns the memory and would otherwise go before the last byte is read.
      return try withExtendedLifetime(context) {
        guard let data = context.data else { throw ImageDecoder.damaged(name, nil) }
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
      case .svg: nil
      }
    }
  }
#endif
