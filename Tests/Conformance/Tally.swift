internal import Fovea
internal import FoveaTestSupport

/// What the engine says about a corpus.
struct Tally {
  /// A verdict that needs a look, with the reason that it is grouped by.
  struct Finding {
    var kind: Kind
    var reason: String
    var place: String
  }

  enum Kind: String, CaseIterable {
    case invalidAccepted = "invalid accepted by the grammar"
    case invalidByValidator = "invalid accepted by the validator"
    case disagreement = "allowed by the grammar, rejected by the validator"
    case validRejected = "valid rejected"
    case documented = "valid rejected, as documented"
    case documentedByValidator = "invalid accepted by the validator, as documented"
    case refused = "schema refused"
    case empty = "schema refused that has no valid value here"
    case unnamedRefusal = "refused without a JSON pointer"
  }

  let name: String
  private(set) var schemas = 0
  private(set) var instances = 0
  private(set) var findings: [Finding] = []
  private(set) var slowest = (name: "", seconds: 0.0)

  init(name: String) { self.name = name }

  func count(_ kind: Kind) -> Int { findings.count { $0.kind == kind } }

  /// Schemas that are refused, those without any valid value included.
  var refused: Int { count(.refused) + count(.empty) }
  var validRejected: Int { count(.validRejected) + count(.documented) }

  mutating func add(_ corpus: Corpus) {
    for entry in corpus.entries {
      let start = ContinuousClock.now
      add(entry, of: corpus)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      if seconds > slowest.seconds { slowest = ("\(corpus.name) \(entry.name)", seconds) }
    }
  }

  mutating func add(_ other: Tally) {
    schemas += other.schemas
    instances += other.instances
    findings += other.findings
    if other.slowest.seconds > slowest.seconds { slowest = other.slowest }
  }

  private mutating func add(_ entry: Corpus.Entry, of corpus: Corpus) {
    schemas += 1
    instances += entry.instances.count
    let place = "\(corpus.name) \(entry.name)"
    do throws(FoveaError) {
      let compiled = try corpus.whitespaces.map { whitespace throws(FoveaError) in
        try CompiledSchema(entry.schema.text, whitespace: whitespace, keys: corpus.keys)
      }
      for instance in entry.instances { judge(instance, compiled, entry, corpus) }
    } catch {
      let isEmpty = error.code == .invalidSchema && !entry.instances.contains(where: \.isValid)
      findings.append(
        Finding(
          kind: isEmpty ? .empty : .refused,
          reason: "\(error.code.rawValue): \(Self.reason(error.message))",
          place: "\(place): \(error.message)"))
      if !error.message.contains("#") {
        findings.append(
          Finding(kind: .unnamedRefusal, reason: "\(error.code.rawValue)", place: error.message))
      }
    }
  }

  private mutating func judge(
    _ instance: Corpus.Instance, _ compiled: [CompiledSchema], _ entry: Corpus.Entry,
    _ corpus: Corpus
  ) {
    let allowed = compiled.contains { $0.allows(instance.text) }
    // A text that is no JSON breaks every schema.
    let breach = instance.value.map(compiled[0].violation) ?? "not JSON"
    let place =
      "\(corpus.name) \(entry.name): \(instance.description): \(instance.text.prefix(160))"
    func note(_ kind: Kind, _ reason: String) {
      findings.append(Finding(kind: kind, reason: reason, place: place))
    }
    let documented = Restriction.reason(corpus, entry, instance)
    if allowed, let breach { note(.disagreement, Self.reason(breach)) }
    if !instance.isValid {
      if allowed { note(.invalidAccepted, "") }
      // A text may be wrong where its value is not: that is not the validator's to judge.
      if breach == nil, instance.value?.text == instance.text {
        note(documented == nil ? .invalidByValidator : .documentedByValidator, documented ?? "")
      }
    } else if !allowed {
      if let documented {
        note(.documented, documented)
      } else if let breach {
        note(.validRejected, Self.reason(breach))
      } else if let value = instance.value?.withPlainNumbers, value != instance.value,
        compiled.contains(where: { $0.allows(value.text) })
      {
        note(.documented, Restriction.numberSpelling)
      } else {
        note(.validRejected, "accepted by the validator: the spelling or the order of keys")
      }
    }
  }

  /// A message without what differs from place to place: pointers, values, numbers.
  private static func reason(_ message: String) -> String {
    var words: [Substring] = []
    for word in message.split(separator: " ") {
      let bare = word.drop { "('\"".contains($0) }
      if bare.contains("/") || bare.contains(":") && bare.last != ":" || bare.hasSuffix(".json")
        || bare.hasPrefix("#")
      {
        words.append("#")
      } else if bare.first?.isNumber == true || bare.hasPrefix("-") {
        words.append("0")
      } else if word.contains(where: { "\"{[".contains($0) }) {
        // A quoted word is a keyword where a schema is said to have it, else part of a value.
        let isKeyword = words.last == "has" || words.last == "beside"
        if isKeyword { words.append(word) } else if words.last != "…" { words.append("…") }
      } else {
        words.append(word)
      }
    }
    return words.joined(separator: " ")
  }
}
