import Foundation
import Fovea
import FoveaImages
import FoveaTestSupport
import Testing

/// Documents of several pages.
@Suite("Pages") struct PageTests {
  private let red = PixelImage(width: 20, height: 30) { _, _ in [200, 0, 0] }
  private let green = PixelImage(width: 20, height: 30) { _, _ in [0, 200, 0] }
  private let blue = PixelImage(width: 20, height: 30) { _, _ in [0, 0, 200] }

  private func load(_ input: ImageInput) throws -> PixelImage {
    try input.load(ImageRequirements())
  }

  #if canImport(CVips)
    @Test(arguments: [".tif", ".tif[bigtiff]", ".tif[compression=deflate,tile]"])
    func pagesOfATIFF(_ suffix: String) throws {
      let file = try EncodedFile.pages([red, green, blue], as: suffix)
      let pages = try ImageInput.pages(of: file, name: "scan.tif")
      #expect(pages.map(\.name) == ["scan.tif[1]", "scan.tif[2]", "scan.tif[3]"])
      #expect(try pages.map(load) == [red, green, blue])
      #expect(try load(.data(file)) == red)
      #expect(try load(.data(file, page: 3)) == blue)
      for page in [0, -1, 4, Int.max] {
        let error = #expect(throws: FoveaError.self) { try load(.data(file, page: page)) }
        #expect(error?.code == .invalidArgument && error?.message.contains("3 pages") == true)
      }
    }

    /// A thumbnail or a mask is no page, wherever it stands.
    @Test func smallerCopiesAreNoPages() throws {
      let file = try EncodedFile.pages([red, green, blue], as: ".tif")
      let kinds = try #require(PageTests.subfileTypes(in: file))
      #expect(kinds.count == 3)
      for (marked, expected) in [([0], [1, 2]), ([1], [0, 2]), ([0, 2], [1]), ([0, 1, 2], [0])] {
        for kind in [1, 4] as [UInt8] {
          var changed = file
          for index in marked { changed[kinds[index]] = kind }
          #expect(TIFFPages.indexes(in: changed) == expected)
          let colours = [red, green, blue]
          #expect(try load(.data(changed)) == colours[expected[0]])
        }
      }
    }

    @Test func framesAreNoPages() throws {
      let file = try EncodedFile.pages([red, green, blue], as: ".gif")
      let pages = try ImageInput.pages(of: file, name: "a.gif")
      #expect(pages.map(\.name) == ["a.gif"])
      #expect(try load(pages[0]) == red)
      let error = #expect(throws: FoveaError.self) { try load(.data(file, page: 2)) }
      #expect(error?.code == .invalidArgument && error?.message.contains("one page") == true)
      #expect(try load(.data(file, page: 1)) == red)
    }

    @Test func moreThanTheLimit() throws {
      let file = try EncodedFile.pages([red, green, blue], as: ".tif")
      #expect(
        try ImageInput.pages(of: file, name: "a", options: ImageOptions(maxPages: 3)).count == 3)
      let error = #expect(throws: FoveaError.self) {
        try ImageInput.pages(of: file, name: "a", options: ImageOptions(maxPages: 2))
      }
      #expect(error?.message.contains("3 pages, more than the limit of 2") == true)
      #expect(error?.fix?.contains("--max-pages") == true)
    }

    /// Where the values of the tag that says what a directory is stand in a small TIFF.
    private static func subfileTypes(in file: [UInt8]) -> [Int]? {
      func number(_ at: Int, _ count: Int) -> Int {
        file[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
      }
      guard file.starts(with: [0x49, 0x49, 42, 0]) else { return nil }
      var found: [Int] = []
      var at = number(4, 4)
      while at > 0 {
        let count = number(at, 2)
        for entry in stride(from: at + 2, to: at + 2 + count * 12, by: 12)
        where number(entry, 2) == 254 { found.append(entry + 8) }
        at = number(at + 2 + count * 12, 4)
      }
      return found
    }
  #endif

  /// What is wrong with a chain of directories ends it, and nothing is read outside the file.
  @Test func brokenChainsEnd() {
    let start: [UInt8] = [0x49, 0x49, 42, 0]
    #expect(TIFFPages.indexes(in: start + [8, 0, 0, 0, 0, 0, 8, 0, 0, 0]) == [0])
    #expect(TIFFPages.indexes(in: start + [8, 0, 0, 0, 255, 255, 8, 0, 0, 0]) == [0])
    #expect(TIFFPages.indexes(in: start + [255, 255, 255, 255]) == [0])
    #expect(TIFFPages.indexes(in: start) == [0])
    #expect(TIFFPages.indexes(in: [0x4D, 0x4D, 0, 43] + [UInt8](repeating: 255, count: 40)) == [0])
  }

  @Test func pagesOfAPDF() throws {
    let file = PDFFile(pages: [.init([1, 0, 0]), .init([0, 1, 0]), .init([0, 0, 1])]).bytes
    let pages = try ImageInput.pages(of: file, name: "a.pdf")
    #expect(pages.map(\.name) == ["a.pdf[1]", "a.pdf[2]", "a.pdf[3]"])
    for (page, colour) in zip(pages, [[255, 0, 0], [0, 255, 0], [0, 0, 255]] as [[UInt8]]) {
      let image = try load(page)
      // An inch by half of one; the left half is coloured, the right one is paper.
      #expect((image.width, image.height) == (150, 75))
      #expect(image[30, 30] == colour && image[120, 30] == [255, 255, 255])
    }
    #expect(try load(.data(file, page: 3)) == load(pages[2]))
    let fine = try load(.data(file, options: ImageOptions(resolution: 300)))
    #expect((fine.width, fine.height) == (300, 150))
    let error = #expect(throws: FoveaError.self) { try load(.data(file, page: 4)) }
    #expect(error?.code == .invalidArgument && error?.message.contains("3 pages") == true)
  }

  @Test func aPDFOfOnePageHasItsNumberToo() throws {
    let file = PDFFile(pages: [.init([1, 0, 0])]).bytes
    #expect(try ImageInput.pages(of: file, name: "a.pdf").map(\.name) == ["a.pdf[1]"])
  }

  @Test(arguments: [0, 90, 180, 270]) func aTurnedPage(_ degrees: Int) throws {
    let image = try load(.data(PDFFile(pages: [.init([1, 0, 0], rotation: degrees)]).bytes))
    let isUpright = degrees % 180 == 0
    #expect((image.width, image.height) == (isUpright ? 150 : 75, isUpright ? 75 : 150))
    let (x, y) = [0: (20, 30), 90: (30, 20), 180: (130, 30), 270: (30, 130)][degrees] ?? (0, 0)
    #expect(image[x, y] == [255, 0, 0])
  }

  /// A page that claims to be miles wide is refused before it is drawn.
  @Test func aHugePage() {
    let file = PDFFile(pages: [.init([1, 0, 0], width: 1_000_000, height: 1_000_000)]).bytes
    let error = #expect(throws: FoveaError.self) { try load(.data(file)) }
    #expect(error?.code == .invalidImage && error?.message.contains("limit") == true)
  }

  /// A picture inside a page, of which the page's size says nothing.
  @Test func aHugePictureInsideAPage() throws {
    let file = PDFFile(pages: [.init([1, 0, 0])]).bytes
    func adding(_ dictionary: String) -> [UInt8] {
      let mark = Array("xref\n".utf8)
      let at = file.firstRange(of: mark)?.lowerBound ?? file.count
      // Another object before the table, whose place the decoder finds again by itself.
      let object = "9 0 obj<</Subtype/Image\(dictionary)>>stream\n0\nendstream endobj\n"
      return file[..<at] + Array(object.utf8) + file[at...]
    }
    for (dictionary, size) in [
      ("/Width 30000/Height 30000", "30000x30000"), ("/Height\n1 /Width 99999", "99999x1"),
      ("/Height 20000/A<</B 1>>/Width  20000 ", "20000x20000"),
    ] {
      let error = #expect(throws: FoveaError.self) {
        try load(.data(adding(dictionary), name: "a"))
      }
      #expect(error?.message.contains("image inside a claims \(size) pixels") == true)
    }
    let image = try load(.data(adding("/Width 3000/Height 4000")))
    #expect(image[30, 30] == [255, 0, 0])
  }

  @Test func aDamagedPDF() throws {
    let file = PDFFile(pages: [.init([1, 0, 0])]).bytes
    for count in [9, 100, file.count / 2, file.count - 8] {
      let error = #expect(throws: FoveaError.self) { try load(.data(Array(file.prefix(count)))) }
      #expect(error?.code == .invalidImage, "\(error?.description ?? "")")
    }
    let notes = Notes()
    let options = ImageOptions(allowsDamaged: true, onDamage: notes.add)
    let image = try load(.data(Array(file.dropLast(8)), name: "a", options: options))
    #expect(image[30, 30] == [255, 0, 0] && notes.all.count == 1)
    // Zeros and line ends after the end are no damage.
    #expect(try load(.data(file + [10, 0, 0, 0])) == image)
  }

  @Test(.enabled(if: SharedData.images != nil, "no folder of odd images"))
  func anEncryptedPDF() throws {
    let path =
      try #require(SharedData.images) + "/made/sample-invoice-encrypted-password-secret.pdf"
    for password in [nil, "wrong", ""] as [String?] {
      let options = ImageOptions(password: password)
      for error in [
        #expect(throws: FoveaError.self) { try load(.file(path, options: options)) },
        #expect(throws: FoveaError.self) { try ImageInput.pages(of: path, options: options) },
      ] {
        #expect(error?.code == .passwordRequired && error?.fix?.contains("--password") == true)
        #expect(error?.message.contains(password == nil ? "is encrypted" : "does not open") == true)
      }
    }
    let pages = try ImageInput.pages(of: path, options: ImageOptions(password: "secret"))
    #expect(pages.map(\.name) == ["\(path)[1]"])
    let image = try load(pages[0])
    #expect((image.width, image.height) == (1275, 1650))
    #expect((200..<254).contains(image.mean[0]))
  }
}
