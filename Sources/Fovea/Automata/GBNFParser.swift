/// Reads llama.cpp's grammar notation.
///
///     root  ::= item+                      # a comment
///     item  ::= "- " [^\n]{1,80} "\n" |    ← the rule goes on after a bar,
///               ( "* "                     ← and inside parentheses
///                 note )
///     note  ::= .*
///
/// It reads what llama.cpp reads, and `{,n}`. What llama.cpp takes in silence and hardly anyone
/// means is an error here: a rule that is defined twice, an empty class, a range from high to low,
/// a minimum above its maximum.
struct GBNFParser {
  /// Parentheses inside each other. The code is recursive, and threads have small stacks.
  static let deepestNesting = 64
  /// Signs of repetition one after the other, as in `a?*`.
  static let mostRepetitionSigns = 8
  /// The largest number in a repetition.
  static let mostRepetitions = DFA.mostStates

  private struct Draft {
    var name: String
    var firstUse: Int
    var definition: Int?
    var body = GBNFGrammar.Expression.sequence([])
  }

  let scalars: [UInt32]
  /// Where each line begins.
  let lineStarts: [Int]
  var position = 0
  private var drafts: [Draft] = []
  private var numbers: [String: Int] = [:]
  private var depth = 0

  /// Reads a whole grammar.
  static func parse(_ text: String) throws(FoveaError) -> GBNFGrammar {
    var parser = GBNFParser(text)
    return try parser.grammar()
  }

  private init(_ text: String) {
    var scalars = text.unicodeScalars.map(\.value)
    if scalars.first == 0xFEFF { scalars.removeFirst() }  // some editors mark UTF-8 so
    var starts = [0]
    for index in scalars.indices {
      // \r\n is one end of a line.
      let isEnd =
        scalars[index] == 0x0A
        || scalars[index] == 0x0D && !(index + 1 < scalars.count && scalars[index + 1] == 0x0A)
      if isEnd { starts.append(index + 1) }
    }
    self.scalars = scalars
    lineStarts = starts
  }

  private mutating func grammar() throws(FoveaError) -> GBNFGrammar {
    skipBlanks(newlines: true)
    while position < scalars.count { try rule() }
    guard let root = numbers["root"] else {
      throw FoveaError(
        .invalidSchema, "the grammar has no rule 'root'",
        fix: "name the rule that a whole text follows 'root'")
    }
    for draft in drafts where draft.definition == nil {
      throw error(
        "the rule '\(draft.name)' is not defined", at: draft.firstUse,
        fix: "define it with '\(draft.name) ::= …', or put text in quotes")
    }
    return GBNFGrammar(
      rules: drafts.map {
        GBNFGrammar.Rule(name: $0.name, line: line(of: $0.definition ?? 0).number, body: $0.body)
      }, root: root)
  }

  private mutating func rule() throws(FoveaError) {
    let start = position
    guard let name = name() else {
      throw error(
        "a rule's name is missing", at: position,
        fix: "begin a rule with its name (letters, digits and dashes) and '::='; to go on with a "
          + "rule on the next line, end the line with '|' or use parentheses")
    }
    skipBlanks(newlines: false)
    guard take("::=") else {
      throw error("there is no '::=' after the name '\(name)'", at: position, fix: "write it")
    }
    let number = number(of: name, usedAt: start)
    if let earlier = drafts[number].definition {
      throw error(
        "the rule '\(name)' is defined a second time, first in line \(line(of: earlier).number)",
        at: start, fix: "put both definitions into one with '|', or rename one of them")
    }
    drafts[number].definition = start
    skipBlanks(newlines: true)
    drafts[number].body = try alternatives(isNested: false)
    guard position == scalars.count || isNewline(scalars[position]) else {
      if stands(")", at: position) {
        throw error("there is no '(' for this ')'", at: position, fix: "remove it")
      }
      if take("::=") {
        throw error(
          "a rule begins inside of another one", at: position - 3,
          fix: "a line that ends with '|' goes on in the next one; '\"\"' is the empty text")
      }
      throw error(
        "'\(text(at: position))' does not belong here", at: position,
        fix: "put text in quotes; names of rules have letters, digits and dashes only")
    }
    skipBlanks(newlines: true)
  }

  private mutating func alternatives(isNested: Bool) throws(FoveaError) -> GBNFGrammar.Expression {
    var parts = [try sequence(isNested: isNested)]
    while take("|") {
      skipBlanks(newlines: true)
      parts.append(try sequence(isNested: isNested))
    }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence(isNested: Bool) throws(FoveaError) -> GBNFGrammar.Expression {
    var parts: [GBNFGrammar.Expression] = []
    while var part = try item() {
      skipBlanks(newlines: isNested)
      var signs = 0
      while let (minimum, maximum) = try repetition(newlines: isNested) {
        signs += 1
        if signs > Self.mostRepetitionSigns { throw tooManyRepetitionSigns() }
        part =
          maximum == 0
          ? .sequence([]) : .repetition(part, minimum: minimum, maximum: maximum)
        skipBlanks(newlines: isNested)
      }
      parts.append(part)
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  /// A literal, class, name, `.` or group; nil where none begins.
  private mutating func item() throws(FoveaError) -> GBNFGrammar.Expression? {
    guard position < scalars.count else { return nil }
    let start = position
    switch Unicode.Scalar(scalars[position]) {
    case "\"": return .sequence(try literal().map { .characters(CharacterRanges([$0...$0])) })
    case "[": return .characters(try characterClass())
    case ".":
      position += 1
      return .characters(.all)
    case "(":
      return try group()
    case "<", "!": throw tokenReference()
    case "*", "+", "?", "{":
      throw nothingToRepeat()
    default:
      guard let name = name() else { return nil }
      return .rule(number(of: name, usedAt: start))
    }
  }

  private mutating func group() throws(FoveaError) -> GBNFGrammar.Expression {
    let start = position
    position += 1
    depth += 1
    defer { depth -= 1 }
    if depth > Self.deepestNesting { throw tooDeep(at: start) }
    skipBlanks(newlines: true)
    let body = try alternatives(isNested: true)
    guard take(")") else { throw notClosed(from: start) }
    return body
  }

  // MARK: Errors, apart from the recursive functions so that those need little of the stack

  private func tooManyRepetitionSigns() -> FoveaError {
    error(
      "more than \(Self.mostRepetitionSigns) repetitions of one item", at: position,
      fix: "leave out those that change nothing", code: .schemaTooComplex)
  }

  private func nothingToRepeat() -> FoveaError {
    error(
      "there is nothing before '\(text(at: position))' that it could repeat", at: position,
      fix: "put it behind a literal, class, name or group, or in quotes")
  }

  private func tooDeep(at start: Int) -> FoveaError {
    error(
      "more than \(Self.deepestNesting) parentheses inside each other", at: start,
      fix: "move a part into a rule of its own", code: .schemaTooComplex)
  }

  private func notClosed(from start: Int) -> FoveaError {
    if position == scalars.count {
      return error("the '(' is not closed", at: start, fix: "close it with ')'")
    }
    return error(
      "'\(text(at: position))' does not belong into the parentheses that line "
        + "\(line(of: start).number) opens", at: position,
      fix: "close them with ')', or put text in quotes")
  }

  // MARK: Small things

  private mutating func number(of name: String, usedAt use: Int) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = drafts.count
    drafts.append(Draft(name: name, firstUse: use))
    return drafts.count - 1
  }

  private mutating func name() -> String? {
    let start = position
    while position < scalars.count, isNamePart(scalars[position]) { position += 1 }
    if position == start { return nil }
    return text(scalars[start..<position])
  }

  private func isNamePart(_ scalar: UInt32) -> Bool {
    switch Unicode.Scalar(scalar) {
    case "-"?, ("0"..."9")?, ("a"..."z")?, ("A"..."Z")?: true
    default: false
    }
  }
}
