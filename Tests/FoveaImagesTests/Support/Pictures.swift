import Fovea
import FoveaImages

/// What an input becomes for a model with these requirements.
func pixels(
  _ bytes: [UInt8], _ requirements: ImageRequirements = ImageRequirements(),
  options: ImageOptions = ImageOptions()
) throws -> PixelImage {
  try ImageInput.data(bytes, name: "test", options: options).load(requirements)
}

/// Where the pixel at (x, y) of a file with this Exif orientation belongs in the upright picture,
/// which is `width` x `height`. Written down from the standard's table, case by case, to check what
/// the product computes.
func uprightPlace(
  _ x: Int, _ y: Int, _ orientation: Int, width w: Int, height h: Int
) -> (x: Int, y: Int) {
  switch orientation {
  case 2: (w - 1 - x, y)
  case 3: (w - 1 - x, h - 1 - y)
  case 4: (x, h - 1 - y)
  case 5: (y, x)
  case 6: (w - 1 - y, x)
  case 7: (w - 1 - y, h - 1 - x)
  case 8: (y, h - 1 - x)
  default: (x, y)
  }
}

extension PixelImage {
  /// Makes an image of a colour for each place.
  init(width: Int, height: Int, _ colour: (_ x: Int, _ y: Int) -> [UInt8]) {
    let rgb = (0..<height).flatMap { y in (0..<width).flatMap { x in colour(x, y) } }
    self.init(width: width, height: height, rgb: rgb)
  }

  /// A picture that differs from each of its mirrored and turned forms.
  static func asymmetric(width: Int, height: Int) -> PixelImage {
    PixelImage(width: width, height: height) { x, y in
      [
        UInt8(x * 255 / width), UInt8(y * 255 / height),
        x * 3 < width && y * 2 < height ? 255 : UInt8((x * 7 + y * 13) % 64),
      ]
    }
  }

  /// The three bytes at a place.
  subscript(x: Int, y: Int) -> [UInt8] {
    let at = (y * width + x) * 3
    return Array(rgb[at..<at + 3])
  }

  /// The picture as a file with this Exif orientation stores it.
  func stored(_ orientation: Int) -> PixelImage {
    let swaps = orientation >= 5
    return PixelImage(width: swaps ? height : width, height: swaps ? width : height) { x, y in
      let (x, y) = uprightPlace(x, y, orientation, width: width, height: height)
      return self[x, y]
    }
  }

  /// Each pixel as a square of `factor` x `factor`.
  func enlarged(_ factor: Int) -> PixelImage {
    PixelImage(width: width * factor, height: height * factor) { x, y in
      self[x / factor, y / factor]
    }
  }

  /// With white on the right and below.
  func padded(width: Int, height: Int) -> PixelImage {
    PixelImage(width: width, height: height) { x, y in
      x < self.width && y < self.height ? self[x, y] : [255, 255, 255]
    }
  }

  /// A PNG of it, with an Exif block where an orientation is given.
  func png(orientation: Int? = nil) -> [UInt8] {
    let rows = (0..<height).map { Array(rgb[$0 * width * 3..<($0 + 1) * width * 3]) }
    var file = PNGFile(width: width, height: height, rows: rows)
    if let orientation { file.chunks = [("eXIf", TIFFFile.exif(orientation: orientation))] }
    return file.bytes
  }

  /// A TIFF of it.
  func tiff(orientation: Int? = nil) -> [UInt8] {
    TIFFFile(width: width, height: height, orientation: orientation, pixels: rgb).bytes
  }

  /// The mean of each channel, of large pictures over some of the pixels.
  var mean: [Int] {
    let pixels = stride(from: 0, to: width * height, by: width * height > 1_000_000 ? 7 : 1)
    var sums = [0, 0, 0]
    var count = 0
    for pixel in pixels {
      for channel in 0..<3 { sums[channel] += Int(rgb[pixel * 3 + channel]) }
      count += 1
    }
    return sums.map { $0 / count }
  }

  /// The bytes of some rows.
  func rows(_ range: Range<Int>) -> ArraySlice<UInt8> {
    rgb[range.lowerBound * width * 3..<range.upperBound * width * 3]
  }

  /// The greatest difference of a byte; nil when the sizes differ.
  func difference(_ other: PixelImage) -> Int? {
    guard width == other.width, height == other.height else { return nil }
    return zip(rgb, other.rgb).map { abs(Int($0) - Int($1)) }.max()
  }
}
