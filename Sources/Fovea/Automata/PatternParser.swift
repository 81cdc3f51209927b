/// Reads an ECMA-262 pattern.
///
/// The grammar is that of the `u` flag, with the laxer forms of patterns without it that real
/// schemas have and that mean the same to everybody: `\-` and other escapes of characters that
/// need none, `]`, `{` and `}` as characters, a class escape at the end of a range (`[\w-.]`).
struct PatternParser {
  /// How deep groups may be nested; the parser and all that follows it are recursive.
  static let deepest = 200

  let text: [UInt32]
  var position = 0
  private var depth = 0
  private var numbers: [CodePointSet: Int] = [:]
  private var tree = PatternTree()

  private init(_ pattern: String) { text = pattern.unicodeScalars.map(\.value) }

  /// Reads a pattern.
  static func parse(_ pattern: String) throws(PatternError) -> PatternTree {
    var parser = PatternParser(pattern)
    let root = try parser.alternation()
    if parser.position < parser.text.count {
      throw parser.malformed("a ) without (", at: parser.position)
    }
    parser.tree.root = root
    return parser.tree
  }

  private mutating func alternation() throws(PatternError) -> PatternTree.Node {
    var parts = [try sequence()]
    while take("|") { parts.append(try sequence()) }
    return parts.count == 1 ? parts[0] : .alternation(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree.Node {
    var parts: [PatternTree.Node] = []
    while let next = peek(), next != "|", next != ")" { parts.append(try term()) }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func term() throws(PatternError) -> PatternTree.Node {
    let (node, isRepeatable) = try atom()
    let quantifierStart = position
    guard let (minimum, maximum) = try quantifier() else { return node }
    if !isRepeatable { throw malformed("nothing to repeat", at: quantifierStart) }
    return .repetition(node, minimum: minimum, maximum: maximum)
  }

  private mutating func atom() throws(PatternError) -> (PatternTree.Node, isRepeatable: Bool) {
    let start = position
    guard let next = advance() else { return (.sequence([]), true) }
    switch next {
    case "^": return (.textStart, false)
    case "$": return (.textEnd, false)
    case ".": return (set(.notLineEnd), true)
    case "(": return try group(at: start)
    case "[": return (set(try characterClass(at: start)), true)
    case "\\":
      if take("b") {
        tree.hasBoundaries = true
        return (.boundary(isNegated: false), false)
      }
      if take("B") {
        tree.hasBoundaries = true
        return (.boundary(isNegated: true), false)
      }
      return (set(try escape(at: start, inClass: false).set), true)
    case "*", "+", "?": throw malformed("nothing to repeat", at: start)
    case "{":
      position = start
      if try quantifier() != nil { throw malformed("nothing to repeat", at: start) }
      position = start + 1
      return (set(CodePointSet(next.value...next.value)), true)
    default: return (set(CodePointSet(next.value...next.value)), true)
    }
  }

  private mutating func group(
    at start: Int
  ) throws(PatternError) -> (PatternTree.Node, isRepeatable: Bool) {
    var isNegatedLookahead: Bool?
    if take("?") {
      switch advance() {
      case ":": break
      case "=": isNegatedLookahead = false
      case "!": isNegatedLookahead = true
      case "<":
        if peek() == "=" || peek() == "!" {
          throw PatternError(.unsupported, "look-behind at character \(start + 1)")
        }
        var length = 0
        while let next = advance(), next != ">" {
          let isFirst = length == 0
          let properties = next.properties
          guard
            next == "$" || next == "_"
              || (isFirst ? properties.isIDStart : properties.isIDContinue)
          else { throw malformed("a group name with \(next)", at: start) }
          length += 1
        }
        if length == 0 || text[position - 1] != 0x3E { throw malformed("a group name", at: start) }
      case "i", "m", "s", "-":
        throw PatternError(.unsupported, "flags in a group at character \(start + 1)")
      default: throw malformed("a group that ECMA-262 does not have", at: start)
      }
    }
    depth += 1
    if depth > Self.deepest {
      throw PatternError(
        .tooLarge, "more than \(Self.deepest) groups in one another at character \(start + 1)")
    }
    let body = try alternation()
    depth -= 1
    guard take(")") else { throw malformed("a ( without )", at: start) }
    guard let isNegated = isNegatedLookahead else { return (body, true) }
    tree.lookaheads.append(body)
    return (.lookahead(tree.lookaheads.count - 1, isNegated: isNegated), true)
  }

  /// A quantifier with its `?`, if one stands here; a `{` that begins none is left alone.
  private mutating func quantifier() throws(PatternError) -> (minimum: Int, maximum: Int?)? {
    let start = position
    var bounds: (minimum: Int, maximum: Int?)
    if take("*") {
      bounds = (0, nil)
    } else if take("+") {
      bounds = (1, nil)
    } else if take("?") {
      bounds = (0, 1)
    } else if take("{") {
      guard let minimum = number() else {
        position = start
        return nil
      }
      bounds = (minimum, minimum)
      if take(",") { bounds.maximum = number() }
      guard take("}") else {
        position = start
        return nil
      }
      if let maximum = bounds.maximum, maximum < minimum {
        throw malformed("a repetition whose limits are out of order", at: start)
      }
    } else {
      return nil
    }
    _ = take("?")
    return bounds
  }

  /// A decimal number; huge ones are as good as any that is too large.
  private mutating func number() -> Int? {
    var result: Int?
    while position < text.count, (0x30...0x39).contains(text[position]) {
      result = min((result ?? 0) * 10 + Int(text[position]) - 0x30, 1_000_000_000)
      position += 1
    }
    return result
  }

  /// The node of a set; equal sets share a number.
  private mutating func set(_ set: CodePointSet) -> PatternTree.Node {
    if let known = numbers[set] { return .set(known) }
    numbers[set] = tree.sets.count
    tree.sets.append(set)
    return .set(tree.sets.count - 1)
  }

  /// The character that comes next.
  func peek() -> Unicode.Scalar? {
    position < text.count ? Unicode.Scalar(text[position]) : nil
  }

  /// Takes the next character.
  mutating func advance() -> Unicode.Scalar? {
    guard let next = peek() else { return nil }
    position += 1
    return next
  }

  /// Takes the next character if it is this one.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == character else { return false }
    position += 1
    return true
  }

  /// The error for a text that is no pattern.
  func malformed(_ what: String, at position: Int) -> PatternError {
    PatternError(.malformed, "\(what) at character \(position + 1)")
  }
}
