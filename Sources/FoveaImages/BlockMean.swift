package import Fovea

/// Shrinks by a whole factor: each block of `factor` x `factor` pixels becomes its mean, rounded
/// to the nearest. For platforms whose own scaling does not promise this; libvips' does.
///
/// - Precondition: Both sides are multiples of `factor`.
package func blockMean(of image: PixelImage, factor: Int) -> PixelImage {
  precondition(factor > 0 && image.width % factor == 0 && image.height % factor == 0)
  let width = image.width / factor
  let height = image.height / factor
  let area = factor * factor
  var rgb: [UInt8] = []
  rgb.reserveCapacity(width * height * 3)
  var sums = [Int](repeating: 0, count: width * 3)
  for y in 0..<height {
    for index in sums.indices { sums[index] = 0 }
    for row in y * factor..<(y + 1) * factor {
      var at = row * image.width * 3
      for x in 0..<width {
        for _ in 0..<factor {
          sums[x * 3] += Int(image.rgb[at])
          sums[x * 3 + 1] += Int(image.rgb[at + 1])
          sums[x * 3 + 2] += Int(image.rgb[at + 2])
          at += 3
        }
      }
    }
    for sum in sums { rgb.append(UInt8((sum + area / 2) / area)) }
  }
  return PixelImage(width: width, height: height, rgb: rgb)
}
