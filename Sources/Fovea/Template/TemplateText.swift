/// Text in a template's run, which remembers of each character who wrote it.
///
///     "<|im_start|>user\n" ~ message.content
///
///     units   │ < │ | │ i │ … │ \n │ H̲ │ i̲ │      the top bit says: from a message, not from the template
///
/// Every operation on text moves characters about, so the bit goes with them wherever they end up:
/// through slices, `strip`, `replace`, `join`. Comparisons do not look at it. Positions count code
/// points, as Python's do.
struct TemplateText: Sendable {
  /// The bit of a character that the template did not write.
  static let untrustedBit: UInt32 = 1 << 31

  /// Unicode scalars, with ``untrustedBit`` where it applies.
  var units: [UInt32]

  /// The character of a unit, without where it comes from.
  static func scalar(of unit: UInt32) -> UInt32 { unit & ~untrustedBit }

  /// Where a unit comes from: 0 or ``untrustedBit``.
  static func origin(of unit: UInt32) -> UInt32 { unit & untrustedBit }

  init(units: [UInt32] = []) { self.units = units }

  init(units: ArraySlice<UInt32>) { self.units = Array(units) }

  init(_ text: String, isTrusted: Bool = true) {
    let bit = isTrusted ? 0 : Self.untrustedBit
    units = text.unicodeScalars.map { $0.value | bit }
  }

  var count: Int { units.count }
  var isEmpty: Bool { units.isEmpty }

  /// The scalar at a position.
  func scalar(_ index: Int) -> UInt32 { Self.scalar(of: units[index]) }

  /// The characters without their origin.
  var string: String { Self.string(units[...]) }

  static func string(_ units: ArraySlice<UInt32>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(units.count + units.count / 8)
    for unit in units {
      let value = scalar(of: unit)
      switch value {
      case ..<0x80: bytes.append(UInt8(value))
      case ..<0x800:
        bytes.append(UInt8(0xC0 | value >> 6))
        bytes.append(UInt8(0x80 | value & 0x3F))
      case ..<0x10000:
        bytes.append(UInt8(0xE0 | value >> 12))
        bytes.append(UInt8(0x80 | value >> 6 & 0x3F))
        bytes.append(UInt8(0x80 | value & 0x3F))
      case 0x110000...: bytes += [0xEF, 0xBF, 0xBD]
      default:
        bytes.append(UInt8(0xF0 | value >> 18))
        bytes.append(UInt8(0x80 | value >> 12 & 0x3F))
        bytes.append(UInt8(0x80 | value >> 6 & 0x3F))
        bytes.append(UInt8(0x80 | value & 0x3F))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func += (left: inout TemplateText, right: TemplateText) { left.units += right.units }

  static func + (left: TemplateText, right: TemplateText) -> TemplateText {
    TemplateText(units: left.units + right.units)
  }
}

extension TemplateText: Hashable {
  static func == (left: TemplateText, right: TemplateText) -> Bool {
    guard left.units.count == right.units.count else { return false }
    for index in left.units.indices where left.scalar(index) != right.scalar(index) { return false }
    return true
  }

  func hash(into hasher: inout Hasher) {
    for unit in units { hasher.combine(Self.scalar(of: unit)) }
  }

  static func < (left: TemplateText, right: TemplateText) -> Bool {
    for index in 0..<min(left.count, right.count) where left.scalar(index) != right.scalar(index) {
      return left.scalar(index) < right.scalar(index)
    }
    return left.count < right.count
  }
}
