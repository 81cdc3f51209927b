import FoveaTestSupport
import Testing

@testable import Fovea

extension RuleMachine {
  /// What is wrong with the machine by its own documentation.
  var faults: [String] {
    var result: [String] = []
    if states.first != RuleMachine.dead {
      result.append("state 0 is not dead")
    }
    var isReached = [Bool](repeating: false, count: states.count)
    isReached[Int(start)] = true
    var pending = start == 0 ? [] : [start]
    func reach(_ state: UInt32) {
      if !isReached[Int(state)] { pending.append(state) }
      isReached[Int(state)] = true
    }
    while let number = pending.popLast() {
      let state = states[Int(number)]
      for (left, right) in zip(state.edges, state.edges.dropFirst()) where left.high >= right.low {
        result.append("the edges of \(number) overlap or are not sorted")
      }
      for edge in state.edges {
        if edge.low > edge.high { result.append("an edge of \(number) is empty") }
        if edge.target == 0 { result.append("\(number) leads to the dead state") }
        reach(edge.target)
      }
      for call in state.calls {
        if call.callee == 0 { result.append("\(number) calls the dead state") }
        if states[Int(call.callee)].isFinal { result.append("\(call.callee) reads nothing") }
        reach(call.callee)
        if call.returnState != Self.none { reach(call.returnState) }
      }
      if Set(state.calls).count != state.calls.count { result.append("\(number) calls twice") }
      let lengths =
        (state.isFinal ? [0] : []) + state.edges.map { 1 + states[Int($0.target)].shortest }
        + state.calls.map {
          states[Int($0.callee)].shortest
            + ($0.returnState == Self.none ? 0 : states[Int($0.returnState)].shortest)
        }
      if lengths.min() != state.shortest { result.append("\(number)'s shortest is wrong") }
    }
    for number in states.indices.dropFirst() where !isReached[number] {
      result.append("\(number) is not reached")
    }
    if Set(states).count != states.count { result.append("two states are equal") }
    // Calls without a byte in between must end: take away what calls nothing that is left.
    var callers = [[Int]](repeating: [], count: states.count)
    var left = states.map { Set($0.calls.map(\.callee)).count }
    for (number, state) in states.enumerated() {
      for callee in Set(state.calls.map(\.callee)) { callers[Int(callee)].append(number) }
    }
    var leaves = states.indices.filter { left[$0] == 0 }
    var removed = 0
    while let leaf = leaves.popLast() {
      removed += 1
      for caller in callers[leaf] {
        left[caller] -= 1
        if left[caller] == 0 { leaves.append(caller) }
      }
    }
    if removed < states.count { result.append("calls come back without a byte") }
    return result
  }
}

/// Every text over an alphabet up to a number of characters.
func everyText(over alphabet: String, upTo length: Int) -> [[UInt8]] {
  var result: [[UInt8]] = [[]]
  var last = result
  for _ in 0..<length {
    last = last.flatMap { text in alphabet.unicodeScalars.map { text + Array(String($0).utf8) } }
    result += last
  }
  return result
}

/// Compares a machine with the language, text by text and beginning by beginning.
func compare(
  _ machine: RuleMachine, _ language: BoundedLanguage, _ texts: [[UInt8]],
  _ comment: @autoclosure () -> String
) {
  let recognizer = StackRecognizer(machine)
  var wrong: [String] = []
  var beginnings: [[UInt8]: Int] = [:]
  for text in language.texts {
    for length in 0...text.count {
      let beginning = Array(text.prefix(length))
      beginnings[beginning] = min(beginnings[beginning] ?? Int.max, text.count - length)
    }
  }
  for text in texts where text.count <= language.longest {
    let configuration = recognizer.step(recognizer.start, text)
    if recognizer.isComplete(configuration) != language.texts.contains(text) {
      wrong.append("accepts \(String(decoding: text, as: UTF8.self))")
    }
    let rest = recognizer.shortestCompletion(configuration)
    // Beyond the length nothing is known of what is alive.
    if let least = beginnings[text] {
      if rest != least { wrong.append("rest of \(String(decoding: text, as: UTF8.self))") }
    } else if let rest, text.count + rest <= language.longest,
      // The shortest completion may use characters outside of the alphabet.
      !hasForeignCharacters(recognizer, configuration, language)
    {
      wrong.append("keeps \(String(decoding: text, as: UTF8.self))")
    }
  }
  #expect(wrong.isEmpty, "\(wrong.prefix(5)) of \(comment())")
  let faults = machine.faults
  #expect(faults.isEmpty, "\(faults.prefix(5)) of \(comment())")
}

private func hasForeignCharacters(
  _ recognizer: StackRecognizer, _ configuration: Int, _ language: BoundedLanguage
) -> Bool {
  let bytes = Set(language.alphabet.flatMap { Array(String($0).utf8) })
  return UInt8.min <= UInt8.max
    && (UInt8.min...UInt8.max).contains {
      !bytes.contains($0) && recognizer.step(configuration, $0) != StackRecognizer.dead
    }
}
