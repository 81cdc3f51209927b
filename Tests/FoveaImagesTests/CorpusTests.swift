import Foundation
import Fovea
import FoveaImages
import Testing

/// Sixty odd files from public suites and of our own making: all orientations, colour kinds,
/// animations, damaged files, lying headers. They are not in the repository. The folder is
/// `shared/data/images` beside the repository, or `images` in the folder that the variable
/// FOVEA_SHARED_DATA names; without it this suite is reported as skipped.
@Suite("Odd image files", .enabled(if: SharedData.images != nil, "no folder of odd images"))
struct CorpusTests {
  /// What is to come of a file. The mean colours were compared with those of Pillow 12, which reads
  /// inks without their profile, clips 16 bits to 8, and knows no HEIC.
  enum Outcome {
    case picture(Int, Int, [Int])
    case error(FoveaError.Code, String)
  }

  static let expected: [String: Outcome] = [
    "real/exif-portrait-1.jpg": .picture(1200, 1800, [144, 155, 162]),
    "real/exif-portrait-2.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/exif-portrait-3.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/exif-portrait-4.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/exif-portrait-5.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/exif-portrait-6.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/exif-portrait-7.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/exif-portrait-8.jpg": .picture(1200, 1800, [144, 155, 163]),
    "real/pillow-16bit.cropped.tif": .picture(64, 64, [1, 1, 1]),
    "real/pillow-broken.png": .error(.invalidImage, "damaged"),
    "real/pillow-decompression_bomb.gif": .error(.invalidImage, "damaged"),
    "real/pillow-dispose_bgnd.gif": .picture(100, 100, [72, 169, 246]),
    "real/pillow-hopper.avif": .picture(128, 128, [89, 79, 95]),
    "real/pillow-hopper_orientation_6.webp": .picture(128, 128, [89, 80, 95]),
    "real/pillow-icc-after-SOF.jpg": .picture(10, 10, [0, 0, 0]),
    "real/pillow-invalid-exif-without-x-resolution.jpg": .picture(300, 200, [0, 0, 0]),
    "real/pillow-iss634.webp": .picture(245, 245, [134, 136, 90]),
    "real/pillow-junk_jpeg_header.jpg": .picture(1024, 768, [117, 115, 116]),
    "real/pillow-mode_palette_alpha.png": .picture(128, 64, [255, 0, 0]),
    "real/pillow-multipage.tiff": .picture(10, 10, [0, 128, 0]),
    "real/pillow-multiple_exif.jpg": .picture(1, 1, [0, 0, 0]),
    "real/pillow-no_palette.gif": .picture(1, 1, [0, 0, 0]),
    "real/pillow-oom-225817ca0f8c663be7ab4b9e717b02c661e66834.tif": .error(
      .invalidImage, "damaged"),
    "real/pillow-p_trns_single.png": .picture(64, 64, [127, 176, 162]),
    "real/pillow-pil_sample_cmyk.jpg": .picture(100, 100, [54, 35, 44]),
    "real/pillow-png_decompression_dos.png": .picture(1, 1, [0, 0, 0]),
    "real/pillow-reallybig.bmp": .error(.unsupportedImageFormat, "is BMP"),
    "real/pillow-seek_too_large.tif": .error(.invalidImage, "damaged"),
    "real/pillow-shortfile.bmp": .error(.unsupportedImageFormat, "is BMP"),
    "real/pillow-tiff_strip_cmyk_16l_jpeg.tif": .picture(100, 100, [54, 35, 44]),
    "real/pillow-ultrahdr.jpg": .error(.invalidImage, "damaged"),
    "real/pillow-zero_width.gif": .error(.invalidImage, "damaged"),
    "real/pillow_heif-200MP.heic": .error(.invalidImage, "12240x16320 pixels, more than the limit"),
    "real/pillow_heif-RGBA_10__128x128.heif": .picture(128, 128, [190, 169, 190]),
    "real/pillow_heif-RGB_16__128x128.png": .picture(128, 128, [127, 127, 128]),
    "real/pillow_heif-corrupted.heic": .error(.invalidImage, "damaged"),
    "real/pillow_heif-empty.heic": .error(.invalidImage, "is empty"),
    "real/pillow_heif-pug.heic": .picture(4032, 3024, [163, 159, 152]),
    "real/pillow_heif-truncated.heic": .error(.invalidImage, "damaged"),
    "made/4000x3.png": .picture(4000, 3, [255, 255, 255]),
    "made/contoso-baseline-truncated-50pct.jpg": .error(.invalidImage, "damaged"),
    "made/contoso-cmyk.jpg": .picture(895, 1400, [137, 116, 114]),
    "made/contoso-exif-1.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-2.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-3.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-4.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-5.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-6.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-7.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-exif-8.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/contoso-gray.jpg": .picture(895, 1400, [125, 125, 125]),
    "made/contoso-palette-trns.png": .picture(895, 1400, [130, 126, 120]),
    "made/contoso-progressive-truncated-40pct.jpg": .error(.invalidImage, "damaged"),
    "made/contoso-progressive.jpg": .picture(895, 1400, [129, 125, 119]),
    "made/jpeg-header-claims-65500x65500.jpg": .error(
      .invalidImage, "65500x65500 pixels, more on a side than the limit"),
    "made/one-pixel.png": .picture(1, 1, [255, 255, 255]),
    "made/png-bomb-50000x50000-1bit.png": .error(
      .invalidImage, "50000x50000 pixels, more on a side than the limit"),
    "made/png-header-only-2147483647.png": .error(
      .invalidImage, "2147483647x2147483647 pixels, more on a side than the limit"),
    "made/sample-invoice-encrypted-password-secret.pdf": .error(.passwordRequired, "is encrypted"),
    "made/text-named.jpg": .error(.invalidImage, "it is text"),
    "made/very-tall-5-sroie-receipts.jpg": .picture(600, 10806, [230, 230, 230]),
    "made/zero-bytes.jpg": .error(.invalidImage, "is empty"),
  ]

  @Test(arguments: expected.keys.sorted())
  func decodesOrSaysWhyNot(_ file: String) throws {
    let path = try #require(SharedData.images) + "/" + file
    let outcome = Result { try ImageInput.file(path).load(ImageRequirements()) }
    switch (outcome, try #require(CorpusTests.expected[file])) {
    case (.success(let image), .picture(let width, let height, let mean)):
      #expect((image.width, image.height) == (width, height))
      let difference = zip(image.mean, mean).map { abs($0 - $1) }.max() ?? 255
      #expect(difference <= 3, "\(image.mean)")
    case (.failure(let error as FoveaError), .error(let code, let words)):
      #expect(error.code == code && error.fix != nil, "\(error)")
      #expect(error.message.contains(path) && error.message.contains(words), "\(error)")
    case (.success(let image), .error(let code, _)):
      Issue.record("\(image.width)x\(image.height) \(image.mean), not \(code)")
    case (.failure(let error), _):
      Issue.record(error)
    }
  }

  /// What is used of a damaged file where that is allowed: how many of how many rows, nil for a
  /// picture in less detail; files that are not here have nothing that can be used.
  static let usable: [String: (rows: Int?, height: Int)] = [
    "made/contoso-baseline-truncated-50pct.jpg": (728, 1400),
    "made/contoso-progressive-truncated-40pct.jpg": (nil, 1400),
  ]

  @Test func whatThereIsOfDamagedFilesIsUsedWhereAllowed() throws {
    let images = try #require(SharedData.images)
    for case (let file, .error(let code, _)) in CorpusTests.expected {
      let notes = Notes()
      let options = ImageOptions(allowsDamaged: true, onDamage: notes.add)
      let input = ImageInput.file("\(images)/\(file)", options: options)
      switch Result(catching: { try input.load(ImageRequirements()) }) {
      case .success(let image):
        let (rows, height) = try #require(CorpusTests.usable[file], "\(file)")
        #expect(image.height == height)
        let words = rows.map { "\($0) of its \(height) rows" } ?? "less detail"
        #expect(notes.all.count == 1 && notes.all[0].contains(words), "\(notes.all)")
        guard let rows else { continue }
        #expect(image.rows(rows..<height).allSatisfy { $0 == 255 })
        #expect(image.rows(rows - 8..<rows).contains { $0 < 200 })
      case .failure(let error):
        #expect(CorpusTests.usable[file] == nil && notes.all.isEmpty, "\(error)")
        #expect((error as? FoveaError)?.code == code)
      }
    }
  }

  /// In a process of its own, whose greatest memory is set back before each file.
  @Test(.enabled(if: Memory.canBeMeasured, "needs /proc/self/clear_refs"))
  func noFileTakesMuchMemory() async {
    await #expect(processExitsWith: .success) {
      let images = try #require(SharedData.images)
      for file in CorpusTests.expected.keys.sorted() {
        try Memory.resetPeak()
        // What comes of it is the other tests' matter.
        _ = try? ImageInput.file("\(images)/\(file)").load(ImageRequirements())
        let peak = try #require(Memory.peakKilobytes)
        #expect(peak < 300_000, "\(file): \(peak) kB")
      }
    }
  }

  @Test func noFileIsForgotten() throws {
    let images = try #require(SharedData.images)
    for folder in ["real", "made"] {
      let index = try String(contentsOfFile: "\(images)/\(folder)/index.tsv", encoding: .utf8)
      for line in index.split(separator: "\n").dropFirst() {
        let name = line.prefix { $0 != "\t" }
        #expect(CorpusTests.expected["\(folder)/\(name)"] != nil, "\(name)")
      }
    }
  }

  @Test(arguments: ["real/exif-portrait", "made/contoso-exif"])
  func theEightOrientationsShowTheSamePicture(_ series: String) throws {
    let images = try #require(SharedData.images)
    // Small, so that what the eight JPEG encodings differ in, and a printed number, weigh little.
    let want = ImageRequirements(maxWidth: 32, maxHeight: 32)
    func load(_ number: Int) throws -> PixelImage {
      return try ImageInput.file("\(images)/\(series)-\(number).jpg").load(want)
    }
    let first = try load(1)
    for number in 2...8 {
      let other = try load(number)
      #expect((other.width, other.height) == (first.width, first.height))
      let total = zip(first.rgb, other.rgb).map { abs(Int($0) - Int($1)) }.reduce(0, +)
      #expect(total / first.rgb.count <= 3, "\(series) \(number)")
    }
  }

  @Test func aPhotographWithAGapIsDamaged() throws {
    let path = try #require(SharedData.images) + "/made/contoso-exif-1.jpg"
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for start in stride(from: 5_000, to: whole.count - 4_000, by: 7_000) {
      var file = whole
      file.removeSubrange(start..<start + 3_000)
      let error = #expect(throws: FoveaError.self) { try pixels(file) }
      #expect(error?.code == .invalidImage)
    }
  }
}
