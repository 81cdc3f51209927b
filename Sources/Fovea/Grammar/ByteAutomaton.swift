/// Where a text stands in a grammar: all that decides what may follow.
struct Configuration: Sendable, Hashable {
  /// The state, in the ``MachineTable``.
  var state: UInt32
  /// What the state needs beside it: characters so far, blanks so far, the node of a value.
  var count: UInt32 = 0
  /// The key or item so far, where no other may be equal: a number of ``SpelledTexts``.
  var text: UInt32 = 0
  /// The container, or the rule, that goes on after the value.
  var frame: UInt32

  /// Follows a byte that is not allowed.
  static let dead = Configuration(state: MachineTable.Place.dead, frame: 0)

  var isDead: Bool { state == MachineTable.Place.dead }
}

/// Runs a grammar over bytes.
///
///     {"items":[{"name":"Te
///
///     configuration   state "in text", 2 characters ──frame──┐
///                                                            ▼
///     frames  │ 0 text itself │ 1 object, 1 property │ 2 list, 1 item │ 3 object, 1 property │
///                    ▲───parent──┘  ▲────────parent─────┘  ▲──────parent────┘
///
/// Frames are hash-consed: an equal frame is made once, so equal situations are equal
/// configurations, and a configuration kept aside stays valid for ever. A frame also knows its
/// canonical twin, whose counts are clamped to what the longest token can notice; masks are
/// computed and cached for canonical configurations, so that the 500th item of a list finds the
/// masks of the 5th.
///
/// Where the bytes so far fit several shapes (two objects of an `anyOf`), the configuration is a
/// set of others, hash-consed too; as soon as only one is left it is that one.
///
/// Memory: a list with a maximum makes one frame for each item that was written, and each cached
/// mask a few; both are small beside the text itself.
struct ByteAutomaton: ~Copyable {
  typealias Place = MachineTable.Place

  enum FrameKind: UInt8 { case text, object, array, rule }

  struct FrameKey: Hashable {
    var kind: FrameKind
    /// The shape, or for a rule the state after it.
    var shape: UInt32
    /// The first property that may still come, or the number of items begun.
    var position: UInt32
    var progress: UInt32
    var parent: UInt32
  }

  struct Frame {
    var key: FrameKey
    var canonical: UInt32
    /// How many containers there are, this one included.
    var depth: UInt32
    /// Another property or item may come.
    var canContinue: Bool
    /// The container may be closed.
    var canClose: Bool
    /// The least number of bytes from after the present part to the end of the text, once it was
    /// asked for.
    var cost: Int?
  }

  let grammar: Grammar
  let reach: Int
  let rulesFirst = UInt32(MachineTable.base.table.states.count)
  var frames: [Frame] = []
  private var knownFrames: [FrameKey: UInt32] = [:]
  private(set) var sets: [[Configuration]] = [[]]
  private var knownSets: [[Configuration]: UInt32] = [:]
  private(set) var progress: [ContainerProgress] = [.none]
  private var knownProgress: [ContainerProgress: UInt32] = [.none: 0]
  private var knownSteps: [ProgressStep: UInt32] = [:]
  var texts = SpelledTexts()
  /// For states of keys with patterns: the least number of bytes to each label.
  var knownDistances: [UInt32: [UInt32: Int]] = [:]
  /// What is still missing in keys.
  var knownKeyCosts: [Configuration: Int] = [:]
  /// More ways to read the bytes so far than are followed: what was found since is worthless.
  private(set) var isOverloaded = false
  /// Whether keys and items that were never written need no number of their own, because the
  /// bytes to come are only tried, and end one of them at most.
  var isForgetful = false
  /// How many keys and items that may not come twice were ended since this was last set to 0.
  var endedTexts = 0
  /// Whether ``admits(_:)`` has to look.
  private(set) var isMeasuring = false
  /// The most bytes that may be missing after a token.
  private(set) var mostBytes = Int.max
  /// The most bytes that can be missing after a token, as far as was asked about.
  private(set) var worst = 0
  /// The configuration of the empty text.
  private(set) var start = Configuration.dead

  /// Makes an automaton whose canonical configurations are exact for up to `reach` bytes.
  init(_ grammar: Grammar, reach: Int) {
    self.grammar = grammar
    self.reach = reach
    frames = [
      Frame(
        key: FrameKey(kind: .text, shape: 0, position: 0, progress: 0, parent: 0), canonical: 0,
        depth: 0, canContinue: false, canClose: false)
    ]
    start =
      grammar.rules.isEmpty
      ? Configuration(state: Place.value, count: grammar.root, frame: 0)
      : Configuration(state: grammar.root, frame: 0)
  }

  /// The configuration after one more byte, or ``Configuration/dead``.
  mutating func step(_ at: Configuration, _ byte: UInt8) -> Configuration {
    if at.state < Place.firstMachine { return stepPlace(at, byte) }
    let state = grammar.table.states[Int(at.state)]
    switch state.role {
    case .text:
      let next = grammar.table.next(state, byte)
      if at.text != 0 { return stepUnique(at, next, byte) }
      if next >= Place.firstMachine {
        return Configuration(state: next, frame: at.frame)
      }
      return next == Place.end ? finish(at.frame, text: 0) : .dead
    case .countedText:
      return stepCounted(at, state, byte)
    case .number:
      let next = grammar.table.next(state, byte)
      if next != Place.dead {
        if at.text != 0 { return stepUnique(at, next, byte) }
        return Configuration(state: next, frame: at.frame)
      }
      if !state.isFinal || at.frame == 0 { return .dead }
      let after = finish(at.frame, text: at.text)
      return after.isDead ? after : step(after, byte)
    case .keyName, .keyText, .keyPattern:
      return stepKey(at, state, byte)
    case .rule:
      return stepRule(at, byte)
    case .place:
      return .dead
    }
  }

  /// The configuration after several more bytes; ``Configuration/dead`` as soon as one of them is
  /// not allowed.
  mutating func run(_ bytes: some Sequence<UInt8>, from at: Configuration) -> Configuration {
    var next = at
    for byte in bytes {
      next = step(next, byte)
      if next.isDead { break }
    }
    return next
  }

  /// Whether the text may end here.
  func isComplete(_ at: Configuration) -> Bool {
    switch at.state {
    case Place.end: return true
    case Place.several: return sets[Int(at.count)].contains { isComplete($0) }
    case ..<Place.firstMachine: return false
    default:
      let state = grammar.table.states[Int(at.state)]
      guard state.isFinal else { return false }
      if state.role == .number { return at.frame == 0 }
      return state.role == .rule && endsWithRules(at.frame)
    }
  }

  /// Whether the text ends here and nothing can follow.
  func isFinished(_ at: Configuration) -> Bool {
    switch at.state {
    case Place.end: return true
    case ..<Place.firstMachine: return false
    default:
      guard isComplete(at) else { return false }
      let state = grammar.table.states[Int(at.state)]
      if state.role == .rule {
        let rule = grammar.rules[Int(state.detail)]
        return rule.edges.isEmpty && rule.calls.isEmpty && at.frame == 0
      }
      return (0...255).allSatisfy { grammar.table.next(state, UInt8($0)) == Place.dead }
    }
  }

  /// The configuration that stands for all those from which tokens are allowed alike, but for
  /// those that end a key or an item and hold the whole of another (``TokenTrie/doubles``).
  func canonical(_ at: Configuration) -> Configuration {
    var result = at
    result.frame = frames[Int(at.frame)].canonical
    if at.text > SpelledTexts.unknown, !isOneOfFew(grammar.undeclared(at.state)) {
      let taken = progress[Int(frames[Int(at.frame)].key.progress)].texts
      if texts.count(taken, from: at.text) == 0 { result.text = SpelledTexts.unknown }
    }
    if at.state >= Place.firstMachine {
      let state = grammar.table.states[Int(at.state)]
      if state.role == .countedText {
        result.count = grammar.limits[Int(state.detail)].canonical(at.count, reach: reach)
      }
    }
    return result
  }

  // MARK: Strings

  private mutating func stepUnique(
    _ at: Configuration, _ next: UInt32, _ byte: UInt8
  ) -> Configuration {
    if next == Place.dead { return .dead }
    let text = child(at.text, byte, in: next == Place.end ? at.state : next)
    if next == Place.end { return finish(at.frame, text: text) }
    let words = grammar.table.words[Int(next)]
    if words != MachineTable.endless {
      let taken = progress[Int(frames[Int(at.frame)].key.progress)].texts
      if texts.count(taken, from: text) >= words { return .dead }
    }
    return Configuration(state: next, text: text, frame: at.frame)
  }

  private mutating func stepCounted(
    _ at: Configuration, _ state: MachineTable.State, _ byte: UInt8
  ) -> Configuration {
    let next = grammar.table.next(state, byte)
    let limits = Int(state.detail)
    if next == Place.end {
      return at.count < grammar.limits[limits].minimum ? .dead : finish(at.frame, text: 0)
    }
    if next == Place.dead { return .dead }
    let isBoundary = grammar.table.states[Int(next)].isBoundary
    let count = isBoundary ? grammar.limits[limits].advanced(at.count) : at.count
    guard grammar.limits[limits].allows(next, count: count, isBoundary: isBoundary) else {
      return .dead
    }
    return Configuration(state: next, count: count, frame: at.frame)
  }

  // MARK: Arenas

  /// The key or item so far with one more byte. Where few texts are left each of them counts, so
  /// none is forgotten.
  mutating func child(_ text: UInt32, _ byte: UInt8, in state: UInt32) -> UInt32 {
    texts.child(text, byte, isForgetful: isForgetful && !isOneOfFew(state))
  }

  /// Whether a state of a key or an item can become one of a few texts only.
  func isOneOfFew(_ state: UInt32) -> Bool {
    if grammar.table.words[Int(state)] != MachineTable.endless { return true }
    // Literals are not counted, but there is one of each.
    let base = MachineTable.base
    return state >= base.keyStates.upperBound && state < UInt32(base.table.states.count)
  }

  /// How much the automaton remembers.
  var situationCount: Int {
    frames.count + sets.count + progress.count + knownSteps.count + texts.situationCount
  }

  mutating func frame(_ key: FrameKey) -> UInt32 {
    if let id = knownFrames[key] { return id }
    let id = UInt32(frames.count)
    let parent = frames[Int(key.parent)]
    var frame = Frame(
      key: key, canonical: id, depth: parent.depth + (key.kind == .rule ? 0 : 1),
      canContinue: false, canClose: false)
    switch key.kind {
    case .object: (frame.canContinue, frame.canClose) = outlook(object: key)
    case .array: (frame.canContinue, frame.canClose) = outlook(array: key)
    case .text, .rule: break
    }
    frames.append(frame)
    knownFrames[key] = id
    var twin = key
    twin.parent = parent.canonical
    if key.kind == .array { twin.position = canonicalPosition(key) }
    if twin != key {
      let canonical = self.frame(twin)
      frames[Int(id)].canonical = canonical
    }
    return id
  }

  mutating func intern(_ value: ContainerProgress) -> UInt32 {
    if let id = knownProgress[value] { return id }
    let id = UInt32(progress.count)
    progress.append(value)
    knownProgress[value] = id
    return id
  }

  /// What a container has behind it after one more part. Making it copies what was there, so that
  /// is done once for each step.
  mutating func progress(
    after step: ProgressStep, adding: (inout ContainerProgress) -> Void
  ) -> UInt32 {
    if let known = knownSteps[step] { return known }
    var progress = self.progress[Int(step.from)]
    adding(&progress)
    let id = intern(progress)
    knownSteps[step] = id
    return id
  }

  /// One configuration for several.
  mutating func join(_ parts: [Configuration]) -> Configuration {
    var members: [Configuration] = []
    for part in parts {
      if part.isDead { continue }
      if part.state == Place.several {
        members += sets[Int(part.count)]
      } else {
        members.append(part)
      }
    }
    if members.count > 1 {
      members.sort { left, right in
        if left.state != right.state { return left.state < right.state }
        if left.count != right.count { return left.count < right.count }
        if left.text != right.text { return left.text < right.text }
        return left.frame < right.frame
      }
      var unique = [members[0]]
      for member in members.dropFirst() where member != unique[unique.count - 1] {
        unique.append(member)
      }
      members = unique
    }
    if members.isEmpty { return .dead }
    if members.count == 1 { return members[0] }
    if members.count > Self.mostReadings {
      isOverloaded = true
      return .dead
    }
    if let id = knownSets[members] {
      return Configuration(state: Place.several, count: id, frame: 0)
    }
    let id = UInt32(sets.count)
    sets.append(members)
    knownSets[members] = id
    return Configuration(state: Place.several, count: id, frame: 0)
  }

  // MARK: Rules

  /// How many ways to read the same bytes are followed at once.
  static let mostReadings = 4_096

  private mutating func stepRule(_ at: Configuration, _ byte: UInt8) -> Configuration {
    var found: [Configuration] = []
    // Where rules call each other, the same place is reached in many ways.
    var reached = [at]
    var known: Set<Configuration> = []
    func reach(_ next: Configuration) {
      if known.isEmpty { known.formUnion(reached) }
      if known.insert(next).inserted { reached.append(next) }
    }
    var position = 0
    while position < reached.count {
      let here = reached[position]
      position += 1
      if reached.count > Self.mostReadings {
        isOverloaded = true
        return .dead
      }
      let state = grammar.table.states[Int(here.state)]
      let rule = grammar.rules[Int(state.detail)]
      for edge in rule.edges where edge.low <= byte && byte <= edge.high {
        found.append(Configuration(state: rulesFirst + edge.target, frame: here.frame))
      }
      for call in rule.calls {
        var next = Configuration(state: rulesFirst + call.callee, frame: here.frame)
        if call.returnState != RuleMachine.none {
          next.frame = frame(
            FrameKey(
              kind: .rule, shape: rulesFirst + call.returnState, position: 0, progress: 0,
              parent: here.frame))
        }
        reach(next)
      }
      if state.isFinal, here.frame != 0 {
        let key = frames[Int(here.frame)].key
        reach(Configuration(state: key.shape, frame: key.parent))
      }
    }
    return found.count == 1 ? found[0] : join(found)
  }

  /// Whether all rules that wait in the frames may end without another byte.
  private func endsWithRules(_ frame: UInt32) -> Bool {
    var id = frame
    while id != 0 {
      let key = frames[Int(id)].key
      if !grammar.table.states[Int(key.shape)].isFinal { return false }
      id = key.parent
    }
    return true
  }

  // MARK: Budget

  /// More bytes than the longest spelling of a character has.
  static let longestCharacter = 16

  /// Lets ``admits(_:)`` look at what is missing, until ``endMeasuring()``.
  mutating func beginMeasuring(mostBytes: Int) {
    isMeasuring = true
    self.mostBytes = mostBytes
    worst = 0
  }

  mutating func endMeasuring() {
    isMeasuring = false
    mostBytes = .max
  }

  /// Counts tokens that were not asked about one by one, after which at most so much is missing.
  mutating func note(_ missing: Int) {
    worst = max(worst, missing)
  }

  /// Whether a token that leads here may be written.
  mutating func admits(_ at: Configuration) -> Bool {
    if !isMeasuring { return true }
    let missing = shortestCompletion(at)
    worst = max(worst, missing)
    return missing <= mostBytes
  }
}
