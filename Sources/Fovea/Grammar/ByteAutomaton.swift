/// Where a text stands in a grammar: all that decides what may follow.
struct Configuration: Sendable, Hashable {
  /// The state, in the table of ``GrammarState``.
  var state: UInt32
  /// Characters of the string, or items of the list, so far.
  var count: UInt32
  /// What is to be continued after the value: a frame of the ``ByteAutomaton``.
  var frame: UInt32

  /// Follows a byte that is not allowed.
  static let dead = Configuration(state: GrammarState.dead, count: 0, frame: 0)

  var isDead: Bool { state == GrammarState.dead }
}

/// Runs a grammar over bytes.
///
///     {"items":[{"name":"Te
///
///     configuration   state "in text", count 2 ──frame──┐
///                                                       ▼
///     frames  │ 0 root │ 1 after "items" │ 2 after item, 1 │ 3 after "name" │
///                  ▲─────────┘ ▲──────────────┘ ▲───────────────┘
///
/// Frames are hash-consed: an equal frame is made once, so equal situations are equal
/// configurations, and a configuration kept aside stays valid for ever. A frame also knows its
/// canonical twin, whose counts are clamped to what the longest token can notice; masks are
/// computed and cached for canonical configurations, so that the 500th item of a list finds the
/// masks of the 5th.
///
/// Memory: a list with a maximum makes one frame for each item that was written, and each cached
/// mask a few; both are small beside the text itself.
struct ByteAutomaton {
  private struct FrameKey: Hashable {
    var state: UInt32
    var count: UInt32
    var parent: UInt32
  }

  private struct Frame {
    var key: FrameKey
    var canonical: UInt32
    /// The least number of bytes from here to the end of the text.
    var shortest: Int
  }

  private let states: [GrammarState]
  private let edges: [GrammarEdge]
  private let counters: [GrammarCounter]
  private let reach: Int
  private var frames: [Frame]
  private var known: [FrameKey: UInt32] = [:]
  /// The configuration of the empty text.
  let start: Configuration

  /// Makes an automaton whose canonical configurations are exact for up to `reach` bytes.
  init(_ grammar: Grammar, reach: Int) {
    states = grammar.states
    edges = grammar.edges
    counters = grammar.counters
    self.reach = reach
    frames = [
      Frame(
        key: FrameKey(state: GrammarState.dead, count: 0, parent: 0), canonical: 0, shortest: 0)
    ]
    start = Configuration(state: grammar.start, count: 0, frame: 0)
  }

  /// The configuration after one more byte, or ``Configuration/dead``.
  mutating func step(_ from: Configuration, _ byte: UInt8) -> Configuration {
    var at = from
    while true {
      let state = states[Int(at.state)]
      let target = target(state, byte)
      if target != GrammarState.dead {
        return allows(state, at.count, byte) ? arrive(target, from: state, at) : .dead
      }
      if state.callee != GrammarState.dead {
        at = call(state, at)
      } else if state.isFinal, at.frame != 0 {
        at = back(to: at.frame)
      } else {
        return .dead
      }
    }
  }

  /// The bytes that may follow.
  mutating func follow(_ from: Configuration) -> ByteSet {
    var result = ByteSet()
    var at = from
    while true {
      let state = states[Int(at.state)]
      for index in 0..<Int(state.edgeCount) {
        let edge = edges[Int(state.firstEdge) + index]
        switch state.role {
        case .plain, .textPart, .beforeItem: result.insert(edge.low...edge.high)
        case .text, .afterItem:
          // No range of these holds both the byte that ends and one that goes on.
          if allows(state, at.count, edge.low) { result.insert(edge.low...edge.high) }
        }
      }
      if state.callee != GrammarState.dead {
        at = call(state, at)
      } else if state.isFinal, at.frame != 0 {
        at = back(to: at.frame)
      } else {
        return result
      }
    }
  }

  /// Whether the text may end here.
  func isComplete(_ at: Configuration) -> Bool { at.frame == 0 && states[Int(at.state)].isFinal }

  /// Whether the text ends here and nothing can follow.
  func isFinished(_ at: Configuration) -> Bool {
    isComplete(at) && states[Int(at.state)].edgeCount == 0
  }

  /// Whether the next byte belongs to a free string, between two of its characters. Then the
  /// number of characters that still fit; nil for any number.
  func roomInText(_ at: Configuration) -> (isText: Bool, room: Int?) {
    let state = states[Int(at.state)]
    if state.role != .text { return (false, nil) }
    let maximum = counters[Int(state.counter)].maximum
    return (true, maximum == GrammarCounter.unlimited ? nil : Int(maximum) - Int(at.count))
  }

  /// The least number of bytes that complete the text.
  func shortestCompletion(_ at: Configuration) -> Int {
    shortest(at.state, at.count) + frames[Int(at.frame)].shortest
  }

  /// The configuration that stands for all those from which tokens are allowed alike.
  func canonical(_ at: Configuration) -> Configuration {
    Configuration(
      state: at.state, count: canonicalCount(at.state, at.count),
      frame: frames[Int(at.frame)].canonical)
  }

  private func target(_ state: GrammarState, _ byte: UInt8) -> UInt32 {
    var index = Int(state.firstEdge)
    var end = index + Int(state.edgeCount)
    while end - index > 8 {
      let middle = (index + end) / 2
      if edges[middle].low <= byte { index = middle } else { end = middle }
    }
    while index < end {
      let edge = edges[index]
      if byte <= edge.high { return byte >= edge.low ? edge.target : GrammarState.dead }
      index += 1
    }
    return GrammarState.dead
  }

  private func allows(_ state: GrammarState, _ count: UInt32, _ byte: UInt8) -> Bool {
    switch state.role {
    case .plain, .textPart, .beforeItem: return true
    case .text:
      let counter = counters[Int(state.counter)]
      return byte == 0x22 ? count >= counter.minimum : count < counter.maximum
    case .afterItem:
      let counter = counters[Int(state.counter)]
      return byte == 0x2C ? count < counter.maximum : count >= counter.minimum
    }
  }

  /// Enters a state, and goes on by itself where the state waits for no byte.
  private mutating func arrive(
    _ target: UInt32, from: GrammarState, _ at: Configuration
  ) -> Configuration {
    var next = Configuration(state: target, count: 0, frame: at.frame)
    var state = states[Int(target)]
    switch state.role {
    case .text where from.role != .plain:
      next.count = counters[Int(state.counter)].advanced(at.count)
    case .textPart, .beforeItem: next.count = at.count
    case .plain, .text, .afterItem: break
    }
    while state.edgeCount == 0 {
      if state.callee != GrammarState.dead {
        next = call(state, next)
      } else if next.frame != 0 {
        next = back(to: next.frame)
      } else {
        return next
      }
      state = states[Int(next.state)]
    }
    return next
  }

  private mutating func call(_ state: GrammarState, _ at: Configuration) -> Configuration {
    var count: UInt32 = 0
    let waiting = states[Int(state.returnState)]
    if waiting.role == .afterItem { count = counters[Int(waiting.counter)].advanced(at.count) }
    let key = FrameKey(state: state.returnState, count: count, parent: at.frame)
    return Configuration(state: state.callee, count: 0, frame: frame(key))
  }

  private func back(to frame: UInt32) -> Configuration {
    let key = frames[Int(frame)].key
    return Configuration(state: key.state, count: key.count, frame: key.parent)
  }

  private mutating func frame(_ key: FrameKey) -> UInt32 {
    if let id = known[key] { return id }
    let id = UInt32(frames.count)
    let parent = frames[Int(key.parent)]
    frames.append(
      Frame(
        key: key, canonical: id, shortest: shortest(key.state, key.count) + parent.shortest))
    known[key] = id
    let twin = FrameKey(
      state: key.state, count: canonicalCount(key.state, key.count), parent: parent.canonical)
    if twin != key {
      let canonical = frame(twin)
      frames[Int(id)].canonical = canonical
    }
    return id
  }

  private func canonicalCount(_ state: UInt32, _ count: UInt32) -> UInt32 {
    let state = states[Int(state)]
    if state.role == .plain { return 0 }
    return counters[Int(state.counter)].canonical(count, reach: reach)
  }

  private func shortest(_ state: UInt32, _ count: UInt32) -> Int {
    let state = states[Int(state)]
    if state.role == .plain { return state.shortest }
    let counter = counters[Int(state.counter)]
    // What is begun already is part of the state's own bytes.
    let begun = state.role == .textPart || state.role == .beforeItem ? 1 : 0
    let missing = max(0, Int(counter.minimum) - Int(count) - begun)
    return state.shortest + missing * Int(counter.unit)
  }
}
