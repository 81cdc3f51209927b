import Fovea
import FoveaImages
import Testing

@Suite("Orientation") struct OrientationTests {
  let upright = PixelImage.asymmetric(width: 13, height: 7)

  @Test(arguments: 1...8) func losslessFilesAreEqualHoweverStored(_ orientation: Int) throws {
    let stored = upright.stored(orientation)
    #expect(try pixels(stored.png(orientation: orientation)) == upright)
    #expect(try pixels(stored.tiff(orientation: orientation)) == upright)
  }

  /// White must come to the right and below of the upright picture.
  @Test(arguments: 1...8) func shrinkingByAWholeFactorTooIsEqual(_ orientation: Int) throws {
    let want = ImageRequirements(
      alignment: 4, maxWidth: 4, maxHeight: 4, shrinksByWholeFactor: true)
    let expected = blockMean(of: upright.padded(width: 16, height: 8), factor: 4)
      .padded(width: 4, height: 4)
    let stored = upright.stored(orientation)
    for file in [stored.png(orientation: orientation), stored.tiff(orientation: orientation)] {
      #expect(try pixels(file, want).difference(expected) ?? 255 <= 1)
    }
  }

  @Test(arguments: 1...8) func resizingTooIsEqual(_ orientation: Int) throws {
    for size in [61, 191] {
      let picture = PixelImage(width: size, height: size * 2 / 3) { x, y in
        [UInt8(x * 255 / size), UInt8(y * 255 / size), x < size / 2 && y < size / 3 ? 255 : 40]
      }
      let want = ImageRequirements(alignment: 8, maxWidth: 24, maxHeight: 24)
      let expected = try pixels(picture.png(), want)
      #expect(expected.width == 24 && expected.height == 16)
      let turned = try pixels(picture.stored(orientation).png(orientation: orientation), want)
      #expect(turned == expected)
    }
  }

  @Test(arguments: 1...8) func jpegAndWebPTurnAlike(_ orientation: Int) throws {
    let jpeg = try pixels(SmallFiles.jpeg)
    #expect(try pixels(SmallFiles.jpeg(orientation: orientation)).stored(orientation) == jpeg)
    let webp = try pixels(SmallFiles.webp(orientation: 1))
    #expect(try pixels(SmallFiles.webp(orientation: orientation)).stored(orientation) == webp)
    #expect(webp.width == 12 && webp.height == 8)
  }

  @Test(arguments: [0, 9, 255, 60000]) func anotherValueCountsAsNone(_ orientation: Int) throws {
    #expect(try pixels(upright.png(orientation: orientation)) == upright)
    #expect(try pixels(upright.tiff(orientation: orientation)) == upright)
  }
}
