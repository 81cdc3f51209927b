internal import Fovea

/// From bytes to the pixels that a model gets. What is the same on every platform is here; the
/// native library stands behind `NativeImage`, of which each platform has its own.
///
///     bytes ─▶ kind? ─▶ header ─▶ limits ─▶ fit ─▶ decode, colour, white, shrink, upright, pad
enum ImageDecoder {
  static func decode(
    _ bytes: [UInt8], name: String, limits: ImageLimits, for requirements: ImageRequirements
  ) throws -> PixelImage {
    guard !bytes.isEmpty else {
      throw FoveaError(
        .invalidImage, "the image \(name) is empty (0 bytes)",
        fix: "get the file again from where it came")
    }
    guard bytes.count <= limits.maxBytes else {
      throw ImageLimits.tooManyBytes(name, bytes.count, limit: limits.maxBytes)
    }
    guard let format = ImageFormat(of: bytes) else {
      let found = BytesDescription(of: bytes)
      throw FoveaError(
        .invalidImage, "\(name) is not an image: it is \(found.what)", fix: found.fix)
    }
    if format == .png, let problem = PNGChunks.problem(in: bytes) { throw damaged(name, problem) }
    return try NativeImage.with(bytes, format: format, name: name) { image in
      try limits.check(width: image.storedWidth, height: image.storedHeight, name: name)
      let swaps = image.orientation.swapsSides
      let fit = ImageFit(
        width: swaps ? image.storedHeight : image.storedWidth,
        height: swaps ? image.storedWidth : image.storedHeight, for: requirements)
      return try image.rendered(fit)
    }
  }

  static func fit(
    _ pixels: PixelImage, name: String, for requirements: ImageRequirements
  ) throws -> PixelImage {
    let fit = ImageFit(width: pixels.width, height: pixels.height, for: requirements)
    if fit.changesNothing { return pixels }
    return try NativeImage.with(pixels, name: name) { image in
      try image.rendered(fit)
    }
  }
}
