import Fovea
import FoveaImages
import Testing

@Suite("Colour") struct ColourTests {
  @Test func greyOfEveryDepth() throws {
    // Two pixels, black and white, and at 8 and 16 bits a middle grey.
    for depth in [1, 2, 4] as [UInt8] {
      let black = PNGFile(
        width: 2, height: 1, bitDepth: depth, kind: .grey,
        rows: [[UInt8((1 << depth) - 1) << (8 - 2 * depth)]])
      #expect(try pixels(black.bytes).rgb == [0, 0, 0, 255, 255, 255], "\(depth) bits")
    }
    let eight = PNGFile(width: 3, height: 1, kind: .grey, rows: [[0, 128, 255]])
    #expect(try pixels(eight.bytes).rgb == [0, 0, 0, 128, 128, 128, 255, 255, 255])
    let sixteen = PNGFile(
      width: 3, height: 1, bitDepth: 16, kind: .grey, rows: [[0, 0, 128, 128, 255, 255]])
    #expect(try pixels(sixteen.bytes).rgb == [0, 0, 0, 128, 128, 128, 255, 255, 255])
  }

  @Test func sixteenBitColour() throws {
    let file = PNGFile(
      width: 2, height: 1, bitDepth: 16, rows: [[255, 255, 128, 128, 0, 0, 10, 10, 20, 20, 30, 30]])
    #expect(try pixels(file.bytes).rgb == [255, 128, 0, 10, 20, 30])
  }

  @Test func palettesOfEveryDepth() throws {
    let colours: [UInt8] = [9, 8, 7, 250, 100, 3]
    for depth in [1, 2, 4, 8] as [UInt8] {
      let row: [UInt8] = depth == 8 ? [0, 1] : [1 << (8 - 2 * depth)]
      let file = PNGFile(
        width: 2, height: 1, bitDepth: depth, kind: .palette, rows: [row],
        chunks: [("PLTE", colours)])
      #expect(try pixels(file.bytes).rgb == colours, "\(depth) bits")
    }
  }

  @Test func transparencyBecomesWhite() throws {
    let rgba = PNGFile(
      width: 3, height: 1, kind: .rgba, rows: [[10, 20, 30, 255, 0, 0, 0, 0, 0, 100, 200, 128]])
    let image = try pixels(rgba.bytes)
    #expect(image[0, 0] == [10, 20, 30])
    #expect(image[1, 0] == [255, 255, 255])
    let half = PixelImage(width: 1, height: 1, rgb: [127, 177, 227])
    #expect(PixelImage(width: 1, height: 1, rgb: image[2, 0]).difference(half) ?? 255 <= 1)

    let grey = PNGFile(width: 2, height: 1, kind: .greyAlpha, rows: [[50, 255, 0, 0]])
    #expect(try pixels(grey.bytes).rgb == [50, 50, 50, 255, 255, 255])
    let palette = PNGFile(
      width: 2, height: 1, kind: .palette, rows: [[0, 1]],
      chunks: [("PLTE", [1, 2, 3, 4, 5, 6]), ("tRNS", [255, 0])])
    #expect(try pixels(palette.bytes).rgb == [1, 2, 3, 255, 255, 255])
    let key = PNGFile(
      width: 2, height: 1, rows: [[1, 2, 3, 4, 5, 6]], chunks: [("tRNS", [0, 4, 0, 5, 0, 6])])
    #expect(try pixels(key.bytes).rgb == [1, 2, 3, 255, 255, 255])
  }

  @Test func transparencyInSixteenBitsBecomesWhite() throws {
    let file = PNGFile(
      width: 3, height: 1, bitDepth: 16, kind: .rgba,
      rows: [
        [10, 10, 20, 20, 30, 30, 255, 255, 0, 0, 0, 0, 0, 0, 0, 0]
          + [0, 0, 100, 100, 200, 200, 128, 0]
      ])
    let expected = PixelImage(width: 3, height: 1, rgb: [10, 20, 30, 255, 255, 255, 127, 177, 227])
    #expect(try pixels(file.bytes).difference(expected) ?? 255 <= 1)
  }

  @Test func cmykWithoutAProfile() throws {
    // No ink, all black ink, much yellow.
    let file = TIFFFile(
      width: 3, height: 1, photometric: 5, samples: 4,
      pixels: [0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 0])
    let image = try pixels(file.bytes)
    #expect(image[0, 0].allSatisfy { $0 > 250 })
    #expect(image[1, 0].allSatisfy { $0 < 60 })
    #expect(image[2, 0][0] > 230 && image[2, 0][1] > 200 && image[2, 0][2] < 80)
  }

  /// A profile that swaps two colours shows whether it is obeyed, with and without transparency,
  /// in 8 and 16 bits.
  @Test func aProfileIsObeyed() throws {
    let profile = PNGFile.iccp(ColourProfile.redAndGreenSwapped)
    let expected = PixelImage(width: 3, height: 1, rgb: [0, 255, 0, 200, 60, 90, 255, 255, 255])
    let rgb: [[UInt8]] = [[255, 0, 0], [60, 200, 90], [255, 255, 255]]
    for (kind, alpha) in [(PNGFile.Kind.rgb, []), (.rgba, [255])] as [(PNGFile.Kind, [UInt8])] {
      let eight = PNGFile(
        width: 3, height: 1, kind: kind, rows: [rgb.flatMap { $0 + alpha }], chunks: [profile])
      #expect(try pixels(eight.bytes).difference(expected) ?? 255 <= 4, "\(kind) 8")
      let sixteen = PNGFile(
        width: 3, height: 1, bitDepth: 16, kind: kind,
        rows: [rgb.flatMap { ($0 + alpha).flatMap { [$0, $0] } }], chunks: [profile])
      #expect(try pixels(sixteen.bytes).difference(expected) ?? 255 <= 4, "\(kind) 16")
    }
  }

  @Test func transparencyUnderAProfileBecomesWhite() throws {
    let profile = PNGFile.iccp(ColourProfile.nearlySRGB)
    let expected = PixelImage(
      width: 3, height: 1, rgb: [90, 200, 60, 255, 255, 255, 127, 177, 227])
    let samples: [UInt8] = [90, 200, 60, 255, 0, 0, 0, 0, 0, 100, 200, 128]
    let eight = PNGFile(width: 3, height: 1, kind: .rgba, rows: [samples], chunks: [profile])
    #expect(try pixels(eight.bytes).difference(expected) ?? 255 <= 4)
    let sixteen = PNGFile(
      width: 3, height: 1, bitDepth: 16, kind: .rgba, rows: [samples.flatMap { [$0, $0] }],
      chunks: [profile])
    #expect(try pixels(sixteen.bytes).difference(expected) ?? 255 <= 4)
  }

  @Test func greyWithAProfile() throws {
    let expected = PixelImage(width: 2, height: 1, rgb: [128, 128, 128, 255, 255, 255])
    let profile = PNGFile.iccp(ColourProfile.grey)
    let grey = PNGFile(width: 2, height: 1, kind: .grey, rows: [[128, 255]], chunks: [profile])
    #expect(try pixels(grey.bytes).difference(expected) ?? 255 <= 4)
    let alpha = PNGFile(
      width: 2, height: 1, kind: .greyAlpha, rows: [[128, 255, 0, 0]], chunks: [profile])
    #expect(try pixels(alpha.bytes).difference(expected) ?? 255 <= 4)
  }

  /// A profile for another kind of image is ignored.
  @Test func aProfileThatDoesNotFit() throws {
    let file = PNGFile(
      width: 1, height: 1, rows: [[9, 200, 30]], chunks: [PNGFile.iccp(ColourProfile.grey)])
    #expect(try pixels(file.bytes).rgb == [9, 200, 30])
  }

  @Test func aProfileThatIsGarbageIsNotAnError() throws {
    let profile = Array("x\0\0".utf8) + PNGFile.stored(Array(repeating: 7, count: 300))
    let file = PNGFile(
      width: 2, height: 1, rows: [[1, 2, 3, 200, 100, 50]], chunks: [("iCCP", profile)])
    #expect(try pixels(file.bytes).rgb == [1, 2, 3, 200, 100, 50])
  }

  @Test func everyFormatShowsThePicture() throws {
    let formats = [
      ("JPEG", SmallFiles.jpeg), ("WebP", SmallFiles.webp), ("GIF", SmallFiles.gif),
      ("AVIF", SmallFiles.avif), ("HEIC", SmallFiles.heic),
    ]
    let picture = PixelImage(width: 12, height: 8) { x, y in
      [UInt8(x * 20), UInt8(y * 30), x < 4 && y < 3 ? 255 : 40]
    }
    for (name, file) in formats {
      let image = try pixels(file)
      #expect((image.width, image.height) == (12, 8), "\(name)")
      if name == "WebP" { #expect(image == picture) }
      // The others store colour more coarsely than brightness, or few colours.
      let total = zip(image.rgb, picture.rgb).map { abs(Int($0) - Int($1)) }.reduce(0, +)
      #expect(total / picture.rgb.count <= 12, "\(name)")
    }
  }
}
