package import Fovea

/// Follows texts through a ``RuleMachine`` in the plainest way: a set of stacks, each the states
/// that wait for their callees, the present one on top. An empty stack is a text that has ended.
///
/// Nothing here is shared with the engine that runs machines, so that one can be tested with the
/// other. Each step is remembered: sets have numbers, and the number after a byte is in a table.
package final class StackRecognizer {
  /// A set of stacks, by number; ``dead`` is the empty set.
  package typealias Configuration = Int

  /// No text begins so.
  package static let dead: Configuration = 0

  private let machine: RuleMachine
  private var sets: [Set<[UInt32]>] = []
  private var numbers: [Set<[UInt32]>: Configuration] = [:]
  private var table: [Int32] = []
  /// Where a text begins.
  package private(set) var start: Configuration = 0

  /// Takes a machine.
  package init(_ machine: RuleMachine) {
    self.machine = machine
    _ = number(of: [])
    if machine.start != 0 { start = number(of: closure([[machine.start]])) }
  }

  /// The set after one more byte.
  package func step(_ configuration: Configuration, _ byte: UInt8) -> Configuration {
    let slot = configuration << 8 | Int(byte)
    if table[slot] >= 0 { return Int(table[slot]) }
    var next: Set<[UInt32]> = []
    for stack in sets[configuration] {
      guard let state = stack.last else { continue }
      for edge in machine.states[Int(state)].edges where edge.low <= byte && byte <= edge.high {
        next.insert(Array(stack.dropLast()) + [edge.target])
      }
    }
    let result = number(of: closure(next))
    table[slot] = Int32(result)
    return result
  }

  /// The set after a text.
  package func step(_ configuration: Configuration, _ bytes: some Sequence<UInt8>) -> Configuration
  {
    var result = configuration
    for byte in bytes where result != Self.dead { result = step(result, byte) }
    return result
  }

  /// Whether the text may end here.
  package func isComplete(_ configuration: Configuration) -> Bool {
    sets[configuration].contains([])
  }

  /// Whether the whole text is in the language.
  package func accepts(_ text: some Sequence<UInt8>) -> Bool {
    isComplete(step(start, text))
  }

  /// The least number of bytes to the end; nil for the dead configuration.
  package func shortestCompletion(_ configuration: Configuration) -> Int? {
    sets[configuration].map { $0.reduce(0) { $0 + machine.states[Int($1)].shortest } }.min()
  }

  /// The deepest stack.
  package func depth(_ configuration: Configuration) -> Int {
    sets[configuration].map(\.count).max() ?? 0
  }

  /// How many stacks there are.
  package func width(_ configuration: Configuration) -> Int { sets[configuration].count }

  private func number(of set: Set<[UInt32]>) -> Configuration {
    if let known = numbers[set] { return known }
    numbers[set] = sets.count
    sets.append(set)
    table += [Int32](repeating: -1, count: 256)
    return sets.count - 1
  }

  private func closure(_ stacks: Set<[UInt32]>) -> Set<[UInt32]> {
    var result = stacks
    var pending = Array(stacks)
    while let stack = pending.popLast() {
      guard let top = stack.last else { continue }
      let state = machine.states[Int(top)]
      let below: [UInt32] = Array(stack.dropLast())
      var found = state.isFinal ? [below] : []
      for call in state.calls {
        let caller = call.returnState == RuleMachine.none ? below : below + [call.returnState]
        found.append(caller + [call.callee])
      }
      for next in found where result.insert(next).inserted { pending.append(next) }
    }
    return result
  }
}
