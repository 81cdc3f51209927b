import Foundation
import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

@Suite("Bad inputs") struct BadInputTests {
  private func error(
    _ input: ImageInput, sourceLocation: SourceLocation = #_sourceLocation
  ) -> FoveaError? {
    #expect(throws: FoveaError.self, sourceLocation: sourceLocation) {
      try input.load(ImageRequirements())
    }
  }

  @Test func filesThatCannotBeRead() {
    let missing = error(.file("/nowhere/receipt.jpg"))
    #expect(missing?.code == .fileNotReadable)
    #expect(missing?.description.contains("/nowhere/receipt.jpg") == true)
    #expect(missing?.cause == "No such file or directory")
    let folder = error(.file("/"))
    #expect(folder?.code == .fileNotReadable)
    #expect(folder?.message.contains("folder") == true)
    #expect(error(.file(""))?.code == .fileNotReadable)
  }

  @Test func urlsThatAreNoFiles() throws {
    let url = try #require(URL(string: "https://example.com/receipt.jpg"))
    #expect(error(.file(url))?.code == .invalidArgument)
    #expect(error(.file(URL(fileURLWithPath: "/nowhere/a.jpg")))?.code == .fileNotReadable)
  }

  @Test func nothing() {
    let empty = error(.data([] as [UInt8], name: "a.png"))
    #expect(empty?.code == .invalidImage)
    #expect(empty?.message.contains("a.png is empty") == true)
    #expect(error(.file("/dev/null"))?.code == .invalidImage)
    #expect(error(.data(Data()))?.message.contains("is empty") == true)
  }

  @Test(arguments: [
    ("Total 12.50\nThank you, Café", "text"), ("GGUF\u{3}\0\0\0", "GGUF"),
    ("<!doctype html><p>Not found", "HTML"), ("PK\u{3}\u{4}\u{14}\0", "ZIP"),
    ("\0\0\0\u{18}ftypmp42\0\0\0\0mp42isom", "video"), ("\u{1}\u{2}\u{3}", "01 02 03"),
  ])
  func otherThings(_ content: String, _ word: String) {
    let found = error(.data(Array(content.utf8), name: "photo.jpg"))
    #expect(found?.code == .invalidImage)
    #expect(found?.message.contains(word) == true, "\(found?.message ?? "")")
    #expect(found?.fix != nil)
  }

  @Test(arguments: ["<svg xmlns='http://www.w3.org/2000/svg'/>", "<?xml version='1.0'?><svg/>"])
  func imagesInFormatsThatAreNotDecoded(_ content: String) {
    #expect(error(.data(Array(content.utf8)))?.code == .unsupportedImageFormat)
  }

  /// Every cut of a file is an error, or shows all pixels when only its end mark is missing.
  @Test func filesCutShort() throws {
    let picture = PixelImage.asymmetric(width: 40, height: 40)
    for (file, name) in [
      (picture.png(), "PNG"), (picture.tiff(), "TIFF"), (SmallFiles.jpeg, "JPEG"),
      (SmallFiles.webp, "WebP"), (SmallFiles.gif, "GIF"), (SmallFiles.avif, "AVIF"),
      (SmallFiles.heic, "HEIC"),
    ] {
      let whole = try pixels(file)
      for count in stride(from: 1, to: file.count, by: max(1, file.count / 60)) {
        let input = ImageInput.data(Array(file.prefix(count)), name: "\(name) cut at \(count)")
        do {
          #expect(try input.load(ImageRequirements()) == whole, "\(input.name)")
        } catch let error as FoveaError {
          #expect(error.code == .invalidImage, "\(input.name): \(error)")
        }
      }
      // Again and again: a race inside the native library would lose the error only sometimes.
      for _ in 0..<50 {
        #expect(throws: FoveaError.self) { try pixels(Array(file.prefix(file.count * 19 / 20))) }
      }
    }
  }

  /// Decoders paint on after a gap; the picture is wrong from there, and nobody would know.
  @Test func aGapInTheMiddle() throws {
    var holed = 0
    for start in stride(from: 600, to: SmallFiles.jpeg.count - 30, by: 3) {
      var file = SmallFiles.jpeg
      file.removeSubrange(start..<start + 20)
      do { _ = try pixels(file) } catch let error as FoveaError {
        #expect(error.code == .invalidImage)
        holed += 1
      }
    }
    // In so small a file most gaps end where the data happens to go on as if none were there.
    #expect(holed >= 5)
    var png = PixelImage.asymmetric(width: 40, height: 40).png()
    png.removeSubrange(1000..<1100)
    #expect(throws: FoveaError.self) { try pixels(png) }
  }

  /// Any damage is an error or an image, never a crash.
  @Test func filesWithBytesChanged() throws {
    var generator = SeededGenerator(seed: 7)
    let picture = PixelImage.asymmetric(width: 20, height: 20)
    let files = [
      picture.png(orientation: 6), picture.tiff(orientation: 3), SmallFiles.jpeg(orientation: 5),
      SmallFiles.webp, SmallFiles.gif, SmallFiles.avif, SmallFiles.heic,
      PDFFile(pages: [.init([1, 0, 0]), .init([0, 1, 0])]).bytes,
    ]
    for file in files {
      for _ in 0..<60 {
        var damaged = file
        for _ in 0..<3 {
          let at = Int(generator.next() % UInt64(damaged.count))
          damaged[at] = UInt8(generator.next() % 256)
        }
        do {
          let image = try pixels(damaged)
          #expect(image.width > 0)
        } catch {
          #expect(error is FoveaError)
          let lenient = Result {
            try pixels(damaged, options: ImageOptions(allowsDamaged: true, resolution: 20))
          }
          if case .failure(let error) = lenient { #expect(error is FoveaError) }
        }
      }
    }
  }

  @Test func sizesBeyondTheLimits() {
    func claims(_ width: Int, _ height: Int) -> [UInt8] {
      PNGFile(width: width, height: height, rows: [[0, 0, 0]]).bytes
    }
    for (width, height) in [(50_000, 50_000), (1, 100_000), (100_000, 1), (20_000, 20_000)] {
      let found = error(.data(claims(width, height)))
      #expect(found?.code == .invalidImage)
      #expect(found?.message.contains("\(width)x\(height)") == true, "\(found?.message ?? "")")
    }
    #expect(error(.data(claims(0, 5)))?.code == .invalidImage)
    #expect(error(.data(claims(0x7FFF_FFFF, 0x7FFF_FFFF)))?.code == .invalidImage)
    // A header that claims more rows than there are.
    #expect(error(.data(claims(1, 100)))?.code == .invalidImage)
  }

  /// Without a check of our own, libpng would allocate what the chunk claims.
  @Test func aChunkThatClaimsMoreThanTheFileHolds() {
    let text = PNGFile.chunk("zTXt", Array("key\0\0".utf8) + PNGFile.stored([1, 2, 3]))
    let whole = PixelImage.asymmetric(width: 4, height: 4).png()
    let file = whole.prefix(33) + [0x70, 0, 0, 0] + text.dropFirst(4) + whole.dropFirst(33)
    let found = error(.data(Array(file)))
    #expect(found?.code == .invalidImage)
    #expect(found?.cause?.contains("claims 1879048192 bytes") == true, "\(found?.cause ?? "")")
    #expect(PNGChunks.problem(in: whole) == nil)
    for count in 8..<whole.count {
      #expect(PNGChunks.problem(in: Array(whole.prefix(count))) != nil, "cut at \(count)")
    }
  }

  @Test func limitsAreTheCallers() throws {
    let picture = PixelImage.asymmetric(width: 10, height: 10)
    let file = picture.png()
    #expect(throws: FoveaError.self) { try pixels(file, options: ImageOptions(maxPixels: 99)) }
    #expect(throws: FoveaError.self) { try pixels(file, options: ImageOptions(maxSide: 9)) }
    #expect(throws: FoveaError.self) {
      try pixels(file, options: ImageOptions(maxBytes: file.count - 1))
    }
    let exact = ImageOptions(maxBytes: file.count, maxPixels: 100, maxSide: 10)
    #expect(try pixels(file, options: exact) == picture)
  }

  @Test func aFileWithoutAnEndStopsAtTheLimit() {
    let endless = error(.file("/dev/zero", options: ImageOptions(maxBytes: 1 << 20)))
    #expect(endless?.code == .invalidImage)
    #expect(endless?.message.contains("1048576") == true)
  }
}
