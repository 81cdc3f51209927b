/// Puts a text together.
struct TemplateTextBuilder {
  private(set) var bytes: [UInt8] = []
  /// Where each part of one origin ends.
  private var runs: [(end: Int, isTrusted: Bool)] = []

  var isEmpty: Bool { bytes.isEmpty }

  var text: TemplateText {
    let origin: TemplateText.Origin =
      switch runs.count {
      case 0: .template
      case 1: runs[0].isTrusted ? .template : .context
      default: .mixed(TemplateOrigins(runs))
      }
    return TemplateText(storage: bytes, from: 0, to: bytes.count, origin)
  }

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

  mutating func append(_ text: TemplateText) {
    if text.isEmpty { return }
    switch text.origin {
    case .template:
      bytes += text.storage[text.start..<text.end]
      close(isTrusted: true)
    case .context:
      bytes += text.storage[text.start..<text.end]
      close(isTrusted: false)
    case .mixed:
      text.forEachRun { low, high, isTrusted in
        bytes += text.storage[(text.start + low)..<(text.start + high)]
        close(isTrusted: isTrusted)
      }
    }
  }

  /// Text of the template's own.
  mutating func append(_ text: String) {
    if text.isEmpty { return }
    bytes += text.utf8
    close(isTrusted: true)
  }

  mutating func append(_ text: String, isTrusted: Bool) {
    if text.isEmpty { return }
    bytes += text.utf8
    close(isTrusted: isTrusted)
  }

  mutating func append(byte: UInt8, isTrusted: Bool = true) {
    bytes.append(byte)
    close(isTrusted: isTrusted)
  }

  mutating func append(unit: UInt32) {
    let value = TemplateText.scalar(of: unit)
    if value < 0x80 {
      bytes.append(UInt8(value))
    } else {
      let length =
        value < 0x800 ? 2 : value < 0x10000 ? 3 : value < 0x200000 ? 4 : value < 0x4000000 ? 5 : 6
      let marker = UInt8(truncatingIfNeeded: 0xFF00 >> length)
      bytes.append(marker | UInt8(truncatingIfNeeded: value >> (6 * UInt32(length - 1))))
      for index in (0..<(length - 1)).reversed() {
        bytes.append(0x80 | UInt8(truncatingIfNeeded: value >> (6 * UInt32(index))) & 0x3F)
      }
    }
    close(isTrusted: TemplateText.origin(of: unit) == 0)
  }

  /// Notes who wrote what was just added.
  private mutating func close(isTrusted: Bool) {
    if let last = runs.last, last.isTrusted == isTrusted {
      runs[runs.count - 1].end = bytes.count
    } else {
      runs.append((bytes.count, isTrusted))
    }
  }

  /// What was added since a length; it is taken away again.
  mutating func take(from length: Int) -> TemplateText {
    let part = text.from(length)
    bytes.removeLast(bytes.count - length)
    while let last = runs.last, last.end > length {
      runs.removeLast()
      let before = runs.last?.end ?? 0
      if before < length { runs.append((length, last.isTrusted)) }
    }
    return part
  }
}
