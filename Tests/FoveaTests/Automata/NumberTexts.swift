@testable import Fovea

/// Texts over the letters of numbers, and which of them are numbers: found once for all tests.
struct NumberTexts: Sendable {
  /// All texts, malformed ones too.
  private(set) var all: [String] = []
  private var bytes: [[UInt8]] = []
  /// The value of those that are in the plain notation; nil for the others.
  private(set) var values: [ExactNumber?] = []

  /// All texts of up to `length` letters; those with two points or a minus within are not
  /// continued, since nothing that follows makes them numbers.
  init(upTo length: Int, over alphabet: String) {
    var level = [""]
    for _ in 0..<length {
      level = level.flatMap { start in alphabet.map { start + String($0) } }
      all += level
      level = level.filter { text in
        text.filter { $0 == "." }.count <= 1 && !text.dropFirst().contains("-")
      }
    }
    bytes = all.map { Array($0.utf8) }
    values = all.map { Self.isPlain($0) ? ExactNumber($0) : nil }
  }

  /// The notation, written down without an automaton.
  static func isPlain(_ text: String) -> Bool {
    let parts = text.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.count <= 2, text.filter({ $0 == "-" }).count <= 1,
      text.first == "-" || !text.contains("-")
    else { return false }
    return parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
      && (whole.count == 1 || !whole.hasPrefix("0"))
  }

  /// The first text on which an automaton and a rule about values disagree.
  func difference(_ language: DFA, _ isIn: (ExactNumber) -> Bool) -> String? {
    for (index, value) in values.enumerated() {
      if language.accepts(bytes[index]) != (value.map(isIn) ?? false) { return all[index] }
    }
    return nil
  }

  static let digits = NumberTexts(upTo: 4, over: "-.0123456789")
  static let long = NumberTexts(upTo: 6, over: "-.0159")
}

extension ExactNumber {
  /// Its digits, without the point.
  var digitString: String { digits.map { String($0) }.joined() }

  /// A number that is written correctly.
  static func of(_ text: String) -> ExactNumber {
    guard let number = ExactNumber(text) else {
      preconditionFailure("\(text) is no number")
    }
    return number
  }

  /// Whether dividing by another leaves no rest, by long division on the digits.
  func isMultiple(of divisor: ExactNumber) -> Bool {
    if digits.isEmpty || divisor.digits.isEmpty { return digits.isEmpty }
    // Both as whole numbers in units of the smaller of their last places.
    let place = scale - digits.count
    let otherPlace = divisor.scale - divisor.digits.count
    var rest = 0
    var other = divisor.digits.reduce(0) { $0 * 10 + Int($1) }
    for _ in 0..<max(0, otherPlace - place) { other *= 10 }
    let zeros = [UInt8](repeating: 0, count: max(0, place - otherPlace))
    for digit in digits + zeros { rest = (rest * 10 + Int(digit)) % other }
    return rest == 0
  }
}
