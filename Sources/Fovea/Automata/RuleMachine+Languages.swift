extension RuleMachine {
  /// The texts of a regular language.
  package init(_ language: DFA) {
    let shortest = language.shortestCompletions
    states = [Self.dead]
    for state in 1..<max(1, language.stateCount) {
      var edges: [Edge] = []
      for byte in UInt8.min...UInt8.max {
        let target = language.next(DFA.State(state), byte)
        if target == DFA.dead { continue }
        if let last = edges.last, last.target == target, Int(last.high) + 1 == Int(byte) {
          edges[edges.count - 1].high = byte
        } else {
          edges.append(Edge(low: byte, high: byte, target: target))
        }
      }
      states.append(
        State(
          edges: edges, calls: [], isFinal: language.labels[state] != 0, shortest: shortest[state]))
    }
    start = language.start
  }

  /// One of these texts, byte for byte.
  ///
  /// - Throws: `.invalidArgument` for no texts at all, `.schemaTooComplex` for too many.
  package init(choice texts: [String]) throws(FoveaError) {
    guard !texts.isEmpty else {
      throw FoveaError(
        .invalidArgument, "a choice among no texts was asked for", fix: "give at least one text")
    }
    do throws(AutomatonTooLarge) {
      self.init(try DFA.words(texts.map { Array($0.utf8) }))
    } catch {
      throw FoveaError(
        .schemaTooComplex,
        "the \(texts.count) texts of the choice need more than \(error.limit) states",
        fix: "give fewer or shorter texts")
    }
  }

  /// The texts that an ECMA-262 pattern matches from their first to their last character. (In a
  /// JSON Schema a pattern may match anywhere inside.)
  ///
  /// - Throws: `.invalidSchema`, `.unsupportedSchema` or `.schemaTooComplex`.
  package init(regex pattern: String) throws(FoveaError) {
    let language: DFA
    do throws(PatternError) {
      // By itself first: `a)|(b` is no pattern, and becomes one inside the parentheses.
      _ = try TextLanguage.pattern(pattern)
      language = try TextLanguage.pattern("^(?:\(pattern))$")
    } catch {
      let message = "the regular expression \"\(pattern)\" cannot be used: \(error.reason)"
      throw switch error.kind {
      case .malformed: FoveaError(.invalidSchema, message, fix: "correct the expression")
      case .unsupported:
        FoveaError(
          .unsupportedSchema, message,
          fix: "write it with classes, groups, alternatives and repetitions only")
      case .tooLarge:
        FoveaError(.schemaTooComplex, message, fix: "use smaller repetitions, or fewer of them")
      }
    }
    guard !language.isEmpty else {
      throw FoveaError(
        .invalidSchema, "no text matches the regular expression \"\(pattern)\"",
        fix: "correct the expression; it has to match a whole text")
    }
    self.init(language)
  }
}
