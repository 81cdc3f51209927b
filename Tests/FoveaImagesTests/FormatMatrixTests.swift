import Fovea
import FoveaImages
import Testing

/// Every format that libvips writes here, in every layout that the format has, stored in the eight
/// ways: always the same picture.
@Suite("Formats and layouts") struct FormatMatrixTests {
  #if canImport(CVips)
    struct Format: Sendable, CustomTestStringConvertible {
      let suffix: String
      let layouts: [Quadrants]
      /// How far from the true value a mean colour may be, of 255.
      let tolerance: Int
      /// Whether the eight must be equal in each bit.
      let isExact: Bool
      let transform: Transform

      var testDescription: String { suffix }

      init(
        _ suffix: String, _ layouts: [Quadrants], tolerance: Int = 2, exact: Bool = true,
        _ transform: Transform = .exif
      ) {
        self.suffix = suffix
        self.layouts = layouts
        self.tolerance = tolerance
        isExact = exact
        self.transform = transform
      }
    }

    /// How a file of the format says that it is turned.
    enum Transform { case exif, chunk, property, never }

    static let formats: [Format] = {
      func all(_ kinds: [Quadrants.Kind], _ bits: [Int]) -> [Quadrants] {
        kinds.flatMap { kind in bits.map { Quadrants(kind: kind, bits: $0) } }
      }
      let every = all([.grey, .greyAlpha, .rgb, .rgba, .cmyk], [8, 16])
      let eight = all([.grey, .greyAlpha, .rgb, .rgba], [8])
      let both = all([.grey, .greyAlpha, .rgb, .rgba], [8, 16])
      return [
        Format(".jpg[Q=95]", all([.grey, .rgb, .cmyk], [8]), tolerance: 4, exact: false),
        Format(".jpg[Q=95,interlace]", all([.grey, .rgb], [8]), tolerance: 4, exact: false),
        Format(".jpg[Q=95,subsample-mode=off]", all([.rgb], [8]), tolerance: 4, exact: false),
        Format(".png", both, .chunk),
        Format(".png[interlace]", both, .chunk),
        Format(
          ".png[palette]", all([.grey, .rgb, .rgba], [8]), tolerance: 4, exact: false, .chunk),
        Format(".webp[lossless]", eight),
        Format(".webp[Q=95]", eight, tolerance: 5, exact: false),
        Format(".tif", every),
        Format(".tif[compression=lzw,predictor=horizontal]", every),
        Format(".tif[compression=deflate,tile,tile-width=16,tile-height=16]", every),
        Format(".tif[compression=packbits,bigtiff]", every),
        Format(".tif[compression=zstd]", every),
        Format(".tif[compression=jpeg,Q=95]", all([.grey, .rgb], [8]), tolerance: 4, exact: false),
        Format(".tif[compression=webp,lossless]", all([.rgb, .rgba], [8])),
        Format(".gif", all([.grey, .rgb], [8]), tolerance: 4, exact: false, .never),
        Format(".heic[Q=95]", both, tolerance: 6, exact: false, .property),
        Format(".heic[lossless]", all([.rgb, .rgba], [8]), tolerance: 4, exact: false, .property),
        Format(".avif[Q=95,effort=0]", both, tolerance: 6, exact: false, .property),
        Format(
          ".avif[lossless,effort=0]", all([.rgb, .rgba], [8]), tolerance: 4, exact: false, .property
        ),
      ]
    }()

    @Test(arguments: formats) func showsTheSamePicture(_ format: Format) throws {
      for layout in format.layouts {
        var first: PixelImage?
        for orientation in format.transform == .never ? 1...1 : 1...8 {
          let name = "\(format.suffix) \(layout) stored as \(orientation)"
          guard let image = try picture(layout, format, orientation) else { continue }
          try #require(
            (image.width, image.height) == (Quadrants.width, Quadrants.height), "\(name)")
          for area in 0..<4 {
            let (seen, expected) = (Quadrants.mean(area, of: image), layout.expected(area))
            let tolerance = layout.kind == .cmyk ? 40 : format.tolerance
            let difference = zip(seen, expected).map { abs($0 - $1) }.max() ?? 255
            #expect(difference <= tolerance, "\(name), area \(area): \(seen), not \(expected)")
          }
          if let first, format.isExact { #expect(image == first, "\(name)") }
          if first == nil { first = image }
        }
      }
    }

    /// Nil where the native library can turn only pictures of 8 bits a sample and says so.
    private func picture(
      _ layout: Quadrants, _ format: Format, _ orientation: Int
    ) throws -> PixelImage? {
      do {
        return try pixels(file(layout, format, orientation))
      } catch let error as FoveaError
        where error.code == .unsupportedImageFormat && layout.bits == 16
        && format.transform == .property && [2, 4, 5, 7].contains(orientation)
      {
        #expect(error.cause?.contains("mirror") == true && error.fix != nil)
        return nil
      }
    }

    private func file(
      _ layout: Quadrants, _ format: Format, _ orientation: Int
    ) throws -> [UInt8] {
      switch format.transform {
      case .never: return try EncodedFile.of(layout, as: format.suffix)
      case .exif:
        return try EncodedFile.of(
          layout, as: format.suffix, orientation: orientation, tag: orientation)
      case .chunk:
        // libvips reads the chunk, but does not write it.
        var plain = try EncodedFile.of(layout, as: format.suffix, orientation: orientation)
        plain.insert(
          contentsOf: PNGFile.chunk("eXIf", TIFFFile.exif(orientation: orientation)), at: 33)
        return plain
      case .property:
        let plain = try EncodedFile.of(layout, as: format.suffix, orientation: orientation)
        return try #require(HEIFFile.turned(plain, orientation: orientation))
      }
    }

    /// In HEIC and AVIF the file's own transforms count. What Exif says beside them is a copy of
    /// what a camera once wrote, and obeying it too would turn the picture twice.
    @Test(arguments: [".heic", ".avif[effort=0]"]) func exifIsNoTransformHere(_ suffix: String)
      throws
    {
      let layout = Quadrants(kind: .rgb, bits: 8)
      let image = try pixels(EncodedFile.of(layout, as: suffix, tag: 6))
      #expect((image.width, image.height) == (Quadrants.width, Quadrants.height))
    }

    /// Faxes and office scanners: one bit a pixel.
    @Test(arguments: ["none", "ccittfax4", "lzw", "deflate"])
    func blackAndWhiteScans(_ compression: String) throws {
      let layout = Quadrants(kind: .grey, bits: 8)
      for orientation in 1...8 {
        let image = try pixels(
          EncodedFile.of(
            layout, as: ".tif[bitdepth=1,predictor=none,compression=\(compression)]",
            orientation: orientation,
            tag: orientation))
        #expect((image.width, image.height) == (Quadrants.width, Quadrants.height))
        for (area, grey) in [0, 0, 255, 255].enumerated() {
          #expect(Quadrants.mean(area, of: image) == [grey, grey, grey], "\(orientation) \(area)")
        }
      }
    }
  #endif
}
