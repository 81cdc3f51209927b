import Fovea

/// A picture of four areas, which differ in colour and, where there is an alpha channel, in how much
/// of the ground they leave open.
struct Quadrants: CustomStringConvertible {
  enum Kind: String {
    case grey, greyAlpha, rgb, rgba, cmyk

    var hasAlpha: Bool { self == .greyAlpha || self == .rgba }
  }

  /// Top left, top right, bottom left, bottom right.
  private static let colours: [[Int]] = [
    [200, 60, 40], [40, 160, 70], [50, 80, 190], [230, 210, 60],
  ]
  private static let greys = [30, 100, 170, 230]
  private static let alphas = [255, 128, 255, 0]
  private static let inks: [[Int]] = [
    [0, 0, 0, 0], [0, 0, 230, 0], [0, 0, 0, 220], [230, 0, 0, 0],
  ]
  /// What these inks look like in print, which depends on the profile: paper, yellow, black, cyan.
  private static let printed: [[Int]] = [
    [255, 255, 255], [255, 240, 40], [60, 60, 60], [0, 160, 225],
  ]

  static let width = 48
  static let height = 32

  let kind: Kind
  /// 8 or 16 bits a sample.
  let bits: Int

  var description: String { "\(kind.rawValue) \(bits)" }

  var bands: Int {
    switch kind {
    case .grey: 1
    case .greyAlpha: 2
    case .rgb: 3
    case .rgba, .cmyk: 4
    }
  }

  /// The samples of one area, of 8 bits. What an open area hides is black, so that it shows when
  /// alpha is dropped.
  private func samples(_ area: Int) -> [Int] {
    let alpha = Quadrants.alphas[area]
    let isOpen = kind.hasAlpha && alpha == 0
    switch kind {
    case .grey: return [Quadrants.greys[area]]
    case .greyAlpha: return [isOpen ? 0 : Quadrants.greys[area], alpha]
    case .rgb: return Quadrants.colours[area]
    case .rgba: return (isOpen ? [0, 0, 0] : Quadrants.colours[area]) + [alpha]
    case .cmyk: return Quadrants.inks[area]
    }
  }

  /// What is to be seen of one area: on white, and inks as printed.
  func expected(_ area: Int) -> [Int] {
    let samples = samples(area)
    switch kind {
    case .grey: return [samples[0], samples[0], samples[0]]
    case .rgb: return samples
    case .cmyk: return Quadrants.printed[area]
    case .greyAlpha, .rgba:
      let alpha = samples[samples.count - 1]
      let colour = kind == .rgba ? Array(samples.prefix(3)) : [samples[0], samples[0], samples[0]]
      return colour.map { ($0 * alpha + 255 * (255 - alpha)) / 255 }
    }
  }

  /// The samples as a file with this Exif orientation stores them, row by row; 16 bits in the order
  /// of this machine.
  func stored(_ orientation: Int) -> (width: Int, height: Int, bytes: [UInt8]) {
    let (width, height) = (Quadrants.width, Quadrants.height)
    let (w, h) = orientation >= 5 ? (height, width) : (width, height)
    let areas = (0..<4).map { area in
      samples(area).flatMap { bits == 8 ? [UInt8($0)] : [UInt8($0), UInt8($0)] }
    }
    var bytes: [UInt8] = []
    for y in 0..<h {
      for x in 0..<w {
        let place = uprightPlace(x, y, orientation, width: width, height: height)
        bytes += areas[(place.y < height / 2 ? 0 : 2) + (place.x < width / 2 ? 0 : 1)]
      }
    }
    return (w, h, bytes)
  }

  /// The mean colour inside an area, without the margin where lossy formats mix it with the next.
  static func mean(_ area: Int, of image: PixelImage) -> [Int] {
    let left = area % 2 * width / 2
    let top = area / 2 * height / 2
    var sums = [0, 0, 0]
    var count = 0
    for y in top + 4..<top + height / 2 - 4 {
      for x in left + 4..<left + width / 2 - 4 {
        for channel in 0..<3 { sums[channel] += Int(image[x, y][channel]) }
        count += 1
      }
    }
    return sums.map { ($0 + count / 2) / count }
  }
}
