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
