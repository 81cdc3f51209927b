import Fovea
import FoveaImages
import Testing

@Suite("Fit") struct ImageFitTests {
  /// Every small size with every small limit, alignment and kind of shrinking.
  @Test func keepsItsPromises() {
    let limits: [Int?] = [nil, 1, 2, 5, 6, 9, 16]
    for width in [1, 2, 3, 5, 7, 8, 12, 17, 40, 99] {
      for height in [1, 2, 4, 6, 9, 16, 31, 100] {
        for maxWidth in limits {
          for maxHeight in limits {
            for alignment in [1, 2, 3, 7, 16] {
              for whole in [false, true] {
                check(
                  width, height,
                  ImageRequirements(
                    alignment: alignment, maxWidth: maxWidth, maxHeight: maxHeight,
                    shrinksByWholeFactor: whole))
              }
            }
          }
        }
      }
    }
  }

  private func check(_ width: Int, _ height: Int, _ want: ImageRequirements) {
    let fit = ImageFit(width: width, height: height, for: want)
    let step = want.alignment
    func limit(_ value: Int?) -> Int { value.map { max(step, $0 - $0 % step) } ?? 1_000_000 }
    let (maxWidth, maxHeight) = (limit(want.maxWidth), limit(want.maxHeight))
    var kept = fit.canvasWidth % step == 0 && fit.canvasHeight % step == 0
    kept = kept && fit.canvasWidth <= maxWidth && fit.canvasHeight <= maxHeight
    kept = kept && fit.canvasWidth - fit.width < step && fit.canvasHeight - fit.height < step
    kept = kept && 1...width ~= fit.width && 1...height ~= fit.height
    let fits = width <= maxWidth && height <= maxHeight
    switch fit.scaling {
    case .none:
      kept = kept && fits && fit.width == width && fit.height == height
    case .wholeFactor(let factor):
      func size(_ factor: Int) -> (Int, Int) {
        ((width + factor - 1) / factor, (height + factor - 1) / factor)
      }
      let smaller = size(factor - 1)
      kept = kept && !fits && want.shrinksByWholeFactor && factor > 1
      kept = kept && (fit.width, fit.height) == size(factor)
      kept = kept && (smaller.0 > maxWidth || smaller.1 > maxHeight)
    case .filtered:
      // One side is at its limit; the other is the aspect ratio's, to half a pixel.
      kept = kept && !fits && !want.shrinksByWholeFactor
      let exact = Double(fit.width) * Double(height) - Double(fit.height) * Double(width)
      let atWidth = fit.width == maxWidth && abs(exact) <= Double(width) / 2
      let atHeight = fit.height == maxHeight && abs(exact) <= Double(height) / 2
      kept = kept && (atWidth || atHeight || fit.width == 1 || fit.height == 1)
    }
    #expect(kept, "\(fit) for \(want)")
  }

  @Test func theSmallestFactorThatFits() {
    let want = ImageRequirements(
      alignment: 16, maxWidth: 512, maxHeight: 1024, shrinksByWholeFactor: true)
    #expect(ImageFit(width: 512, height: 1024, for: want).scaling == .none)
    #expect(ImageFit(width: 513, height: 10, for: want).scaling == .wholeFactor(2))
    #expect(ImageFit(width: 1024, height: 2049, for: want).scaling == .wholeFactor(3))
  }

  @Test func whiteCountsAgainstTheLimit() {
    let want = ImageRequirements(alignment: 16, maxWidth: 100, maxHeight: 100)
    let fit = ImageFit(width: 200, height: 100, for: want)
    #expect((fit.width, fit.height, fit.canvasWidth, fit.canvasHeight) == (96, 48, 96, 48))
  }

  @Test func anEnlargedPictureComesBackPixelForPixel() throws {
    let picture = PixelImage.asymmetric(width: 37, height: 51)
    let want = ImageRequirements(maxWidth: 37, maxHeight: 51, shrinksByWholeFactor: true)
    for factor in [2, 3, 6] {
      let large = picture.enlarged(factor)
      #expect(try pixels(large.png(), want) == picture)
      #expect(try ImageInput.pixels(large).load(want) == picture)
      #expect(blockMean(of: large, factor: factor) == picture)
    }
  }

  @Test func blocksBecomeTheirMean() throws {
    let picture = PixelImage.asymmetric(width: 50, height: 35)
    let want = ImageRequirements(
      alignment: 8, maxWidth: 16, maxHeight: 16, shrinksByWholeFactor: true)
    let expected = blockMean(of: picture.padded(width: 52, height: 36), factor: 4)
    let shrunk = try pixels(picture.png(), want)
    // Columns and rows are averaged one after the other, which rounds twice.
    #expect(shrunk.difference(expected.padded(width: 16, height: 16)) ?? 255 <= 1)
  }

  @Test func whiteIsAddedOnTheRightAndBelow() throws {
    let picture = PixelImage.asymmetric(width: 13, height: 7)
    let want = ImageRequirements(alignment: 16)
    let expected = picture.padded(width: 16, height: 16)
    #expect(try pixels(picture.png(), want) == expected)
    #expect(try ImageInput.pixels(picture).load(want) == expected)
  }

  @Test func aSmallImageIsNeverEnlarged() throws {
    let picture = PixelImage.asymmetric(width: 3, height: 2)
    let want = ImageRequirements(maxWidth: 1000, maxHeight: 1000)
    #expect(try pixels(picture.png(), want) == picture)
    #expect(try ImageInput.pixels(picture).load(want) == picture)
  }

  /// The native resize may round to another size than the fit says; the fit must win.
  @Test func resizesToExactlyTheSizeThatWasWorkedOut() throws {
    for width in [33, 47, 100, 301, 977] {
      for limit in [1, 2, 7, 16, 31, 32] {
        let picture = PixelImage(width: width, height: 64) { x, y in [UInt8(x % 256), 9, 9] }
        let want = ImageRequirements(maxWidth: limit, maxHeight: limit)
        let fit = ImageFit(width: width, height: 64, for: want)
        let image = try ImageInput.pixels(picture).load(want)
        #expect((image.width, image.height) == (fit.canvasWidth, fit.canvasHeight))
      }
    }
  }

  @Test func resizingKeepsFlatAreasAndEdges() throws {
    let picture = PixelImage(width: 400, height: 300) { x, _ in
      x < 200 ? [200, 100, 50] : [0, 0, 0]
    }
    let image = try pixels(picture.png(), ImageRequirements(maxWidth: 100, maxHeight: 100))
    #expect((image.width, image.height) == (100, 75))
    #expect(image[10, 10] == [200, 100, 50])
    #expect(image[90, 70] == [0, 0, 0])
  }
}
