extension TemplateRun {
  /// The text for HTML; what is marked as safe already is taken as it is.
  func escaped(_ value: TemplateValue) throws(TemplateFailure) -> TemplateText {
    if case .markup(let text) = value { return text }
    let text = try text(of: value)
    var result = TemplateTextBuilder()
    for unit in text.units {
      let replacement: String
      switch TemplateText.scalar(of: unit) {
      case 0x26: replacement = "&amp;"
      case 0x3C: replacement = "&lt;"
      case 0x3E: replacement = "&gt;"
      case 0x22: replacement = "&#34;"
      case 0x27: replacement = "&#39;"
      default:
        result.append(unit: unit)
        continue
      }
      result.append(replacement, isTrusted: TemplateText.origin(of: unit) == 0)
    }
    try spend(result.bytes.count)
    return result.text
  }

  /// Without comments, tags and runs of blanks.
  static func withoutTags(_ text: TemplateText) -> TemplateText {
    var text = text
    for (start, end) in [("<!--", "-->"), ("<", ">")] {
      var result = TemplateTextBuilder()
      var at = 0
      let open = TemplateText(start)
      let close = TemplateText(end)
      while let first = text.find(open, from: at), let last = text.find(close, from: first) {
        result.append(text[at..<first])
        at = last + close.byteCount
      }
      result.append(text.from(at))
      text = result.text
    }
    var result = TemplateTextBuilder()
    for (index, word) in text.words(atMost: nil, fromRight: false).enumerated() {
      if index > 0 { result.append(" ") }
      result.append(word)
    }
    return withoutEntities(result.text)
  }

  private static func withoutEntities(_ text: TemplateText) -> TemplateText {
    var result = text
    for (name, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&#34;", "\""), ("&quot;", "\""), ("&#39;", "'"),
      ("&amp;", "&"),
    ] {
      result = result.replacing(TemplateText(name), with: TemplateText(character), atMost: nil)
    }
    return result
  }

  func encoded(_ value: TemplateValue) throws(TemplateFailure) -> TemplateText {
    let pairs: [TemplateValue]
    switch value {
    case .text, .markup, .none, .boolean, .integer, .double, .object:
      return Self.percentEncoded(try text(of: value), inQuery: false)
    case .dictionary(let dictionary): pairs = dictionary.items
    default: pairs = try items(of: value)
    }
    var result = TemplateTextBuilder()
    for (index, pair) in pairs.enumerated() {
      let parts = try items(of: pair)
      guard parts.count == 2 else { throw TemplateFailure("'urlencode' needs pairs") }
      if index > 0 { result.append("&") }
      result.append(Self.percentEncoded(try text(of: parts[0]), inQuery: true))
      result.append("=")
      result.append(Self.percentEncoded(try text(of: parts[1]), inQuery: true))
    }
    return result.text
  }

  private static func percentEncoded(_ text: TemplateText, inQuery: Bool) -> TemplateText {
    var result = TemplateTextBuilder()
    text.forEachRun { low, high, isTrusted in
      for place in low..<high {
        let byte = text.byte(place)
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2E, 0x2D, 0x7E:
          result.append(byte: byte, isTrusted: isTrusted)
        case 0x2F where !inQuery: result.append(byte: byte, isTrusted: isTrusted)
        case 0x20 where inQuery: result.append("+", isTrusted: isTrusted)
        default:
          let hex = String(byte, radix: 16, uppercase: true)
          result.append(byte < 0x10 ? "%0" : "%", isTrusted: isTrusted)
          result.append(hex, isTrusted: isTrusted)
        }
      }
    }
    return result.text
  }

  func xmlAttributes(
    _ value: TemplateValue, _ arguments: [TemplateValue?]
  ) throws(TemplateFailure) -> TemplateText {
    guard case .dictionary(let dictionary) = value else { throw unfit("xmlattr", value) }
    var result: [TemplateText] = []
    for (key, value) in zip(dictionary.keys, dictionary.values) {
      if value.isNone || value.isUndefined { continue }
      guard let name = key.string else { throw unfit("xmlattr", key) }
      let isBroken = name.units.contains {
        TemplateText.isASCIISpace($0)
          || [0x2F, 0x3E, 0x3D].contains(TemplateText.scalar(of: $0))
      }
      if isBroken {
        throw TemplateFailure("'\(name.string)' cannot be the name of an attribute")
      }
      result.append(
        try escaped(key) + TemplateText("=\"") + escaped(value) + TemplateText("\""))
    }
    var builder = TemplateTextBuilder()
    for (index, part) in result.enumerated() {
      if index > 0 || arguments[0]?.isTrue ?? true { builder.append(" ") }
      builder.append(part)
    }
    return builder.text
  }
}

extension TemplateText {
  static func isASCIISpace(_ unit: UInt32) -> Bool {
    [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(scalar(of: unit))
  }
}
