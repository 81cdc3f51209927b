package import Foundation

/// Changes single fields in the header of a GGUF file, to make files that are wrong in one place.
package struct GGUFEditor {
  /// A key with its value: where its type and its value begin.
  package struct Pair { package var key: String, type: UInt32, typeAt: Int, valueAt: Int }
  /// A tensor: where its name ends, where its lengths, its type and its offset begin.
  package struct Tensor {
    package var name: String, nameEnd: Int, rank: Int, shapeAt: Int, typeAt: Int, offsetAt: Int
  }

  /// The file with its changes.
  package private(set) var data: Data
  package private(set) var pairs: [Pair] = []
  package private(set) var tensors: [Tensor] = []
  /// Where the tensors' table ends.
  package private(set) var headerEnd = 0

  /// The size of a value of each scalar type.
  private static let sizes: [UInt32: Int] = [
    0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8,
  ]

  private var pairsEnd = 0

  /// Reads a well-formed file.
  package init(path: String) throws {
    self.init(data: try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private init(data: Data) {
    self.data = data
    var position = 8
    func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
      defer { position += MemoryLayout<Number>.size }
      return read(Number.self, at: position)
    }
    func text() -> String {
      let count = Int(number(UInt64.self))
      defer { position += count }
      return String(decoding: data[position..<position + count], as: UTF8.self)
    }
    let tensorCount = number(UInt64.self)
    for _ in 0..<number(UInt64.self) {
      let key = text()
      let typeAt = position
      let type = number(UInt32.self)
      pairs.append(Pair(key: key, type: type, typeAt: typeAt, valueAt: position))
      if type == 8 {
        _ = text()
      } else if type == 9 {
        let itemType = number(UInt32.self)
        let count = Int(number(UInt64.self))
        if let size = Self.sizes[itemType] {
          position += size * count
        } else {
          for _ in 0..<count { _ = text() }
        }
      } else {
        position += Self.sizes[type] ?? 0
      }
    }
    pairsEnd = position
    for _ in 0..<tensorCount {
      let name = text()
      let nameEnd = position
      let rank = Int(number(UInt32.self))
      let shapeAt = position
      position += 8 * rank
      tensors.append(
        Tensor(
          name: name, nameEnd: nameEnd, rank: rank, shapeAt: shapeAt, typeAt: position,
          offsetAt: position + 4))
      position += 12
    }
    headerEnd = position
  }

  /// A number at a place.
  package func read<Number: FixedWidthInteger>(_: Number.Type, at place: Int) -> Number {
    data[place..<place + MemoryLayout<Number>.size].reversed()
      .reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  /// Puts a number at a place.
  package mutating func write<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    for index in 0..<MemoryLayout<Number>.size {
      data[place + index] = UInt8(truncatingIfNeeded: number >> (8 * Number(index)))
    }
  }

  /// Sets a value of 32 bits; false where there is no such key.
  package mutating func set(_ key: String, to bits: UInt32) -> Bool {
    guard let pair = pairs.first(where: { $0.key == key }) else { return false }
    write(bits, at: pair.valueAt)
    return true
  }

  /// Sets an item of 32 bits of an array; false where there is no such key.
  package mutating func set(_ key: String, item: Int, to bits: UInt32) -> Bool {
    guard let pair = pairs.first(where: { $0.key == key && $0.type == 9 }) else { return false }
    write(bits, at: pair.valueAt + 12 + 4 * item)
    return true
  }

  /// Says that a value has another type; false where there is no such key.
  package mutating func setType(of key: String, to type: UInt32) -> Bool {
    guard let pair = pairs.first(where: { $0.key == key }) else { return false }
    write(type, at: pair.typeAt)
    return true
  }

  /// Adds a whole number of 32 bits.
  package mutating func add(_ key: String, _ value: UInt32) -> Bool {
    var pair = Data()
    func append<Number: FixedWidthInteger>(_ number: Number) {
      for index in 0..<MemoryLayout<Number>.size {
        pair.append(UInt8(truncatingIfNeeded: number >> (8 * Number(index))))
      }
    }
    append(UInt64(key.utf8.count))
    pair.append(contentsOf: key.utf8)
    append(UInt32(4))
    append(value)
    write(read(UInt64.self, at: 16) + 1, at: 16)
    func padding(_ count: Int) -> Int { (32 - count % 32) % 32 }
    let header = data[..<pairsEnd] + pair + data[pairsEnd..<headerEnd]
    let numbers = data[(headerEnd + padding(headerEnd))...]
    self = GGUFEditor(data: header + Data(count: padding(header.count)) + numbers)
    return true
  }

  /// Replaces the last letter of a key, as good as leaving it out; false where there is none.
  package mutating func hide(key: String) -> Bool {
    guard let pair = pairs.first(where: { $0.key == key }) else { return false }
    data[pair.typeAt - 1] = UInt8(ascii: "?")
    return true
  }

  /// Replaces the last letter of a tensor's name; false where there is no such tensor.
  package mutating func hide(tensor: String) -> Bool {
    guard let entry = tensors.first(where: { $0.name == tensor }) else { return false }
    data[entry.nameEnd - 1] = UInt8(ascii: "?")
    return true
  }

  /// Changes a tensor's type; false where there is no such tensor.
  package mutating func setType(ofTensor tensor: String, to type: UInt32) -> Bool {
    guard let entry = tensors.first(where: { $0.name == tensor }) else { return false }
    write(type, at: entry.typeAt)
    return true
  }

  /// Changes a length of a tensor; false where there is no such tensor.
  package mutating func setLength(
    ofTensor tensor: String, axis: Int, to length: UInt64
  ) -> Bool {
    guard let entry = tensors.first(where: { $0.name == tensor }), axis < entry.rank else {
      return false
    }
    write(length, at: entry.shapeAt + 8 * axis)
    return true
  }

  /// Cuts the file.
  package mutating func cut(to count: Int) -> Bool {
    data = data.prefix(count)
    return true
  }

  /// Writes the file.
  package func write(to url: URL) throws { try data.write(to: url) }
}

extension GGUFEditor {
  /// Changes something by chance and says what.
  package mutating func changeByChance(_ generator: inout some RandomNumberGenerator) -> String {
    // Vocabularies and templates are most of a header; few edits belong there.
    let scalars = pairs.filter { [4, 5, 6, 7].contains($0.type) }
    guard let scalar = scalars.randomElement(using: &generator),
      let pair = pairs.randomElement(using: &generator),
      let tensor = tensors.randomElement(using: &generator)
    else { return "nothing" }
    let values: [UInt32] = [
      0, 1, 2, 3, 5, 7, 16, 31, 64, 100, 255, 4_096, 65_535, 1 << 20, .max, .max >> 1, 1 << 31,
      Float(-1).bitPattern, Float.nan.bitPattern, Float.infinity.bitPattern,
    ]
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...4:
      let value = values.randomElement(using: &generator) ?? 0
      if scalar.type == 7 {
        data[scalar.valueAt] = UInt8(truncatingIfNeeded: value)
      } else {
        write(value, at: scalar.valueAt)
      }
      return "\(scalar.key) = \(value)"
    case 5:
      let type = UInt32.random(in: 0...13, using: &generator)
      write(type, at: pair.typeAt)
      return "\(pair.key) of type \(type)"
    case 6:
      let type = UInt32.random(in: 0...45, using: &generator)
      write(type, at: tensor.typeAt)
      return "\(tensor.name) of type \(type)"
    case 7:
      let length: UInt64 =
        [0, 1, 2, 31, 33, 63, 127, 1 << 31, 1 << 62].randomElement(
          using: &generator) ?? 0
      write(length, at: tensor.shapeAt + 8 * Int.random(in: 0..<tensor.rank, using: &generator))
      return "\(tensor.name) with a length of \(length)"
    case 8:
      let offset: UInt64 =
        [0, 1, 32, 1 << 20, 1 << 40, .max - 31].randomElement(
          using: &generator) ?? 0
      write(offset, at: tensor.offsetAt)
      return "\(tensor.name) at \(offset)"
    default:
      let place = Int.random(in: 8..<headerEnd, using: &generator)
      data[place] = UInt8.random(in: 0...255, using: &generator)
      return "byte \(place)"
    }
  }
}
