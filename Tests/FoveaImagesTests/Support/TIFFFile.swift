/// Writes TIFF files of one uncompressed strip, little endian; also the Exif block that other
/// formats carry, which is a TIFF file without pixels.
struct TIFFFile {
  var width: Int
  var height: Int
  var orientation: Int?
  /// 2: RGB, 5: CMYK.
  var photometric = 2
  var samples = 3
  /// `width * height * samples` bytes.
  var pixels: [UInt8]

  var bytes: [UInt8] {
    var entries: [Entry] = [
      Entry(256, width), Entry(257, height), Entry(258, 8), Entry(259, 1),
      Entry(262, photometric), Entry(273, 8, long: true),
    ]
    if let orientation { entries.append(Entry(274, orientation)) }
    entries += [
      Entry(277, samples), Entry(278, height), Entry(279, pixels.count, long: true), Entry(284, 1),
    ]
    let padded = pixels + (pixels.count % 2 == 0 ? [] : [0])
    return TIFFFile.start(8 + padded.count) + padded + TIFFFile.directory(entries)
  }

  /// The Exif block that says how an image is stored.
  static func exif(orientation: Int) -> [UInt8] {
    start(8) + directory([Entry(274, orientation)])
  }

  private struct Entry {
    let tag: Int
    let value: Int
    let isLong: Bool

    init(_ tag: Int, _ value: Int, long isLong: Bool = false) {
      (self.tag, self.value, self.isLong) = (tag, value, isLong)
    }
  }

  private static func start(_ directory: Int) -> [UInt8] {
    [0x49, 0x49, 42, 0] + littleEndian(directory, 4)
  }

  private static func directory(_ entries: [Entry]) -> [UInt8] {
    littleEndian(entries.count, 2)
      + entries.flatMap { entry in
        littleEndian(entry.tag, 2) + littleEndian(entry.isLong ? 4 : 3, 2) + littleEndian(1, 4)
          + littleEndian(entry.value, 4)
      } + littleEndian(0, 4)
  }

  private static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> ($0 * 8) & 255) }
  }
}
