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
  enum Outcome: Equatable, CustomStringConvertible {
    case size(Int, Int)
    case error(FoveaError.Code)

    var description: String {
      switch self {
      case .size(let width, let height): "\(width)x\(height)"
      case .error(let code): code.rawValue
      }
    }
  }

  static let expected: [String: Outcome] = [
    "real/exif-portrait-1.jpg": .size(1200, 1800),
    "real/exif-portrait-2.jpg": .size(1200, 1800),
    "real/exif-portrait-3.jpg": .size(1200, 1800),
    "real/exif-portrait-4.jpg": .size(1200, 1800),
    "real/exif-portrait-5.jpg": .size(1200, 1800),
    "real/exif-portrait-6.jpg": .size(1200, 1800),
    "real/exif-portrait-7.jpg": .size(1200, 1800),
    "real/exif-portrait-8.jpg": .size(1200, 1800),
    "real/pillow-16bit.cropped.tif": .size(64, 64),
    "real/pillow-broken.png": .error(.invalidImage),
    "real/pillow-decompression_bomb.gif": .error(.invalidImage),
    "real/pillow-dispose_bgnd.gif": .size(100, 100),
    "real/pillow-hopper.avif": .size(128, 128),
    "real/pillow-hopper_orientation_6.webp": .size(128, 128),
    "real/pillow-icc-after-SOF.jpg": .size(10, 10),
    "real/pillow-invalid-exif-without-x-resolution.jpg": .size(300, 200),
    "real/pillow-iss634.webp": .size(245, 245),
    "real/pillow-junk_jpeg_header.jpg": .size(1024, 768),
    "real/pillow-mode_palette_alpha.png": .size(128, 64),
    "real/pillow-multipage.tiff": .size(10, 10),
    "real/pillow-multiple_exif.jpg": .size(1, 1),
    "real/pillow-no_palette.gif": .size(1, 1),
    "real/pillow-oom-225817ca0f8c663be7ab4b9e717b02c661e66834.tif": .error(.invalidImage),
    "real/pillow-p_trns_single.png": .size(64, 64),
    "real/pillow-pil_sample_cmyk.jpg": .size(100, 100),
    "real/pillow-png_decompression_dos.png": .size(1, 1),
    "real/pillow-reallybig.bmp": .error(.unsupportedImageFormat),
    "real/pillow-seek_too_large.tif": .error(.invalidImage),
    "real/pillow-shortfile.bmp": .error(.unsupportedImageFormat),
    "real/pillow-tiff_strip_cmyk_16l_jpeg.tif": .size(100, 100),
    "real/pillow-ultrahdr.jpg": .error(.invalidImage),
    "real/pillow-zero_width.gif": .error(.invalidImage),
    "real/pillow_heif-200MP.heic": .error(.invalidImage),
    "real/pillow_heif-RGBA_10__128x128.heif": .size(128, 128),
    "real/pillow_heif-RGB_16__128x128.png": .size(128, 128),
    "real/pillow_heif-corrupted.heic": .error(.invalidImage),
    "real/pillow_heif-empty.heic": .error(.invalidImage),
    "real/pillow_heif-pug.heic": .size(4032, 3024),
    "real/pillow_heif-truncated.heic": .error(.invalidImage),
    "made/4000x3.png": .size(4000, 3),
    "made/contoso-baseline-truncated-50pct.jpg": .error(.invalidImage),
    "made/contoso-cmyk.jpg": .size(895, 1400),
    "made/contoso-exif-1.jpg": .size(895, 1400),
    "made/contoso-exif-2.jpg": .size(895, 1400),
    "made/contoso-exif-3.jpg": .size(895, 1400),
    "made/contoso-exif-4.jpg": .size(895, 1400),
    "made/contoso-exif-5.jpg": .size(895, 1400),
    "made/contoso-exif-6.jpg": .size(895, 1400),
    "made/contoso-exif-7.jpg": .size(895, 1400),
    "made/contoso-exif-8.jpg": .size(895, 1400),
    "made/contoso-gray.jpg": .size(895, 1400),
    "made/contoso-palette-trns.png": .size(895, 1400),
    "made/contoso-progressive-truncated-40pct.jpg": .error(.invalidImage),
    "made/contoso-progressive.jpg": .size(895, 1400),
    "made/jpeg-header-claims-65500x65500.jpg": .error(.invalidImage),
    "made/one-pixel.png": .size(1, 1),
    "made/png-bomb-50000x50000-1bit.png": .error(.invalidImage),
    "made/png-header-only-2147483647.png": .error(.invalidImage),
    "made/sample-invoice-encrypted-password-secret.pdf": .error(.invalidImage),
    "made/text-named.jpg": .error(.invalidImage),
    "made/very-tall-5-sroie-receipts.jpg": .size(600, 10806),
    "made/zero-bytes.jpg": .error(.invalidImage),
  ]

  @Test(arguments: expected.keys.sorted())
  func decodesOrSaysWhyNot(_ file: String) throws {
    let path = try #require(SharedData.images) + "/" + file
    let start = ContinuousClock.now
    var outcome: Outcome
    do {
      let image = try ImageInput.file(path).load(ImageRequirements())
      outcome = .size(image.width, image.height)
    } catch let error as FoveaError {
      #expect(error.message.contains(path) && error.fix != nil)
      outcome = .error(error.code)
    }
    #expect(outcome == CorpusTests.expected[file])
    #expect(ContinuousClock.now - start < .seconds(10))
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
