/// Adds the transforms of HEIC and AVIF files, which have no Exif orientation that counts: the
/// properties `irot` (quarters counter-clockwise) and `imir` (0: top to bottom, 1: left to right).
///
///     ftyp │ meta { pitm, iloc, iprp { ipco { properties }, ipma { which item has which } } } │ mdat
struct HEIFFile {
  private var bytes: [UInt8]

  /// The file with transforms that mean the same as an Exif orientation; nil for another structure
  /// than the one that libheif writes.
  static func turned(_ bytes: [UInt8], orientation: Int) -> [UInt8]? {
    let transforms: [(type: String, value: UInt8)]
    switch orientation {
    case 2: transforms = [("imir", 1)]
    case 3: transforms = [("irot", 2)]
    case 4: transforms = [("imir", 0)]
    case 5: transforms = [("irot", 1), ("imir", 0)]
    case 6: transforms = [("irot", 3)]
    case 7: transforms = [("irot", 3), ("imir", 0)]
    case 8: transforms = [("irot", 1)]
    default: return bytes
    }
    var file = HEIFFile(bytes: bytes)
    return file.add(transforms) ? file.bytes : nil
  }

  private mutating func add(_ transforms: [(type: String, value: UInt8)]) -> Bool {
    guard let meta = box("meta", in: 0..<bytes.count),
      let properties = box("iprp", in: meta.lowerBound + 12..<meta.upperBound),
      let list = box("ipco", in: properties.lowerBound + 8..<properties.upperBound),
      let uses = box("ipma", in: properties.lowerBound + 8..<properties.upperBound),
      let places = box("iloc", in: meta.lowerBound + 12..<meta.upperBound),
      let primary = box("pitm", in: meta.lowerBound + 12..<meta.upperBound)
    else { return false }
    // Only small files: numbers of items in 16 bits, of properties in 7. The later place is
    // changed first, so that the earlier one stays where it is.
    guard bytes[uses.lowerBound + 8] == 0, bytes[uses.lowerBound + 11] & 1 == 0,
      uses.lowerBound >= list.upperBound, places.upperBound <= list.lowerBound,
      bytes[primary.lowerBound + 8] == 0
    else { return false }
    let first = boxes(in: list.lowerBound + 8..<list.upperBound).count + 1
    var added: [UInt8] = []
    for transform in transforms {
      added += [0, 0, 0, 9] + Array(transform.type.utf8) + [transform.value]
    }
    let associations = transforms.indices.map { UInt8(first + $0) | 0x80 }
    let items = turnedItems(in: meta, primary: number(primary.lowerBound + 12, 2))
    let growth = added.count + items.count * associations.count
    move(places, by: growth)
    var at = uses.lowerBound + 16
    for _ in 0..<number(uses.lowerBound + 12, 4) {
      var end = at + 3 + Int(bytes[at + 2])
      if items.contains(number(at, 2)) {
        bytes[at + 2] += UInt8(associations.count)
        bytes.insert(contentsOf: associations, at: end)
        end += associations.count
      }
      at = end
    }
    bytes.insert(contentsOf: added, at: list.upperBound)
    for box in [meta, properties] { set(box.lowerBound, 4, to: box.count + growth) }
    set(list.lowerBound, 4, to: list.count + added.count)
    set(uses.lowerBound + added.count, 4, to: uses.count + items.count * associations.count)
    return true
  }

  /// The picture and its alpha channel, which is an item of its own and turned by itself. Tiles that
  /// a picture is made of are not turned.
  private func turnedItems(in meta: Range<Int>, primary: Int) -> Set<Int> {
    var items: Set = [primary]
    if let links = box("iref", in: meta.lowerBound + 12..<meta.upperBound) {
      for link in boxes(in: links.lowerBound + 12..<links.upperBound)
      where bytes[link.lowerBound + 4..<link.lowerBound + 8].elementsEqual("auxl".utf8) {
        items.insert(number(link.lowerBound + 8, 2))
      }
    }
    return items
  }

  /// Moves what items say about places in the file, which is behind the boxes that grow.
  private mutating func move(_ places: Range<Int>, by growth: Int) {
    let version = bytes[places.lowerBound + 8]
    let sizes = number(places.lowerBound + 12, 2)
    let (offset, length, base) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let index = version == 0 ? 0 : sizes & 15
    var at = places.lowerBound + 16
    for _ in 0..<number(places.lowerBound + 14, 2) {
      at += 2
      let isInFile = version == 0 || number(at, 2) & 15 == 0
      at += version == 0 ? 2 : 4
      let start = number(at, base)
      if isInFile, start > 0 { set(at, base, to: start + growth) }
      at += base
      let extents = number(at, 2)
      at += 2
      for _ in 0..<extents {
        at += index
        if isInFile, start == 0 { set(at, offset, to: number(at, offset) + growth) }
        at += offset + length
      }
    }
  }

  private func boxes(in range: Range<Int>) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var at = range.lowerBound
    while at + 8 <= range.upperBound, number(at, 4) >= 8 {
      found.append(at..<min(at + number(at, 4), range.upperBound))
      at += number(at, 4)
    }
    return found
  }

  private func box(_ type: String, in range: Range<Int>) -> Range<Int>? {
    boxes(in: range).first { bytes[$0.lowerBound + 4..<$0.lowerBound + 8].elementsEqual(type.utf8) }
  }

  private func number(_ at: Int, _ count: Int) -> Int {
    bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func set(_ at: Int, _ count: Int, to value: Int) {
    for index in 0..<count { bytes[at + index] = UInt8(value >> ((count - 1 - index) * 8) & 255) }
  }
}
