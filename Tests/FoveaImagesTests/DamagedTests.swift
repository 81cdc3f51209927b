#if canImport(CVips)
  import Fovea
  import FoveaImages
  import Testing

  /// What is used of damaged files, and what is said about it.
  @Suite("Damaged images that are allowed") struct DamagedTests {
    private let picture = PixelImage.asymmetric(width: 120, height: 150)

    private func load(_ bytes: [UInt8]) throws -> (image: PixelImage, notes: [String]) {
      let notes = Notes()
      let options = ImageOptions(allowsDamaged: true, onDamage: notes.add)
      let image = try ImageInput.data(bytes, name: "a", options: options).load(ImageRequirements())
      return (image, notes.all)
    }

    @Test func aSoundFileIsNotSpokenOf() throws {
      let (image, notes) = try load(picture.png())
      #expect(image == picture && notes.isEmpty)
    }

    /// The rows that were decoded are right, the others white, and the note has their number.
    @Test(arguments: [
      ".png", ".tif[compression=lzw,tile,tile-width=64,tile-height=16]", ".jpg[Q=95]",
    ])
    func rowsBeforeTheCutAreUsed(_ suffix: String) throws {
      let noise = PixelImage(width: 64, height: 160) { x, y in
        [UInt8((x * 31 + y * 17) % 200), UInt8(x * y % 200), UInt8((x ^ y) % 200)]
      }
      let whole = try EncodedFile.pages([noise], as: suffix)
      let intact = try pixels(whole)
      // A TIFF's directory stands at the end here, so there is damage inside instead of a cut.
      var file = whole
      if suffix.hasPrefix(".tif") {
        for at in whole.count / 2..<whole.count / 2 + 200 { file[at] = 0xFF }
      } else {
        file = Array(whole.prefix(whole.count * 6 / 10))
      }
      let error = #expect(throws: FoveaError.self) { try pixels(file) }
      #expect(error?.code == .invalidImage && error?.fix?.contains("--allow-damaged") == true)
      let (image, notes) = try load(file)
      #expect((image.width, image.height) == (64, 160))
      let rows = (0...160).last { $0 == 0 || image.rows($0 - 1..<$0).contains { $0 != 255 } } ?? 0
      #expect((16..<150).contains(rows))
      #expect(notes.count == 1 && notes[0].contains("\(rows) of its 160 rows"), "\(notes)")
      // The last rows of a JPEG are smoothed with what comes next.
      #expect(image.rows(0..<rows - 16) == intact.rows(0..<rows - 16))
    }

    /// White is below in the file, and so on another side of a picture that is stored turned.
    @Test(arguments: 1...8) func whiteIsWhereTheRowsAreMissing(_ orientation: Int) throws {
      let stored = picture.stored(orientation)
      let whole = stored.png(orientation: orientation)
      let (image, notes) = try load(Array(whole.prefix(whole.count / 2)))
      #expect(notes.count == 1)
      #expect((image.width, image.height) == (picture.width, picture.height))
      // Storing the result again brings the missing rows back to the end.
      let back = image.stored(orientation)
      let kept = (0..<back.height).prefix { back.rows($0..<$0 + 1) == stored.rows($0..<$0 + 1) }
        .count
      // Half of an uncompressed file is half of the rows; decoders give up to 16 together.
      #expect(kept >= back.height / 2 - 18)
      #expect(back.rows(kept..<back.height).allSatisfy { $0 == 255 })
    }

    @Test func aGapOrAMissingEndLosesNoRow() throws {
      let whole = picture.png()
      let (image, notes) = try load(Array(whole.dropLast(12)))
      #expect(image == picture)
      #expect(notes.count == 1 && notes[0].contains("all 150 rows"), "\(notes)")
    }

    @Test func whatHasNothingToUseStaysAnError() {
      for file in [
        Array(picture.png().prefix(60)), Array(SmallFiles.heic.prefix(1000)),
        Array(SmallFiles.webp.prefix(200)), Array("%PDF-1.7\n1 0 obj".utf8), [0xFF, 0xD8, 0xFF],
      ] {
        let error = #expect(throws: FoveaError.self) { try load(file) }
        #expect(error?.code == .invalidImage)
        #expect(error?.fix?.contains("--allow-damaged") == false, "\(error?.description ?? "")")
      }
    }

    /// Damage lifts no limit.
    @Test func limitsHoldForDamagedFiles() {
      let file = PNGFile(width: 50_000, height: 50_000, rows: [[0, 0, 0]]).bytes
      let error = #expect(throws: FoveaError.self) { try load(file) }
      #expect(error?.message.contains("limit") == true)
    }
  }
#endif
