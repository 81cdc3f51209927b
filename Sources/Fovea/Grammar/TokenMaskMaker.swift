/// Makes the masks of configurations, each the cheapest way.
///
/// 1. Between two characters of a free string: what stays inside is copied, what closes the string
///    is found by its rest behind the quote (``BodyIndex``).
/// 2. In a key that may be an undeclared one: the same, and then the few names are looked at that
///    are taken, or lead elsewhere.
/// 3. Everywhere else the tree of all tokens is walked; that is quick where little is allowed.
/// 4. Several configurations at once: the masks of all, joined.
struct TokenMaskMaker {
  let trie: TokenTrie
  private let vocabulary: Vocabulary
  /// What tokens do in the key automata's states that were asked for.
  private var keyBodies: [UInt32: KeyBody] = [:]
  /// The same for strings with bounded lengths.
  private var patternBodies: [UInt32: PatternBody] = [:]
  /// How many of them are kept, of each kind.
  private static let mostBodies = 32
  private var loops = LoopStates()
  private var scratch = WalkScratch()
  /// The mask of one of several configurations.
  private var part: TokenMask
  /// How many nodes of the tree the masks so far took: the work, counted.
  private(set) var visitedNodes = 0

  init(_ trie: TokenTrie, _ vocabulary: Vocabulary) {
    self.trie = trie
    self.vocabulary = vocabulary
    part = TokenMask(count: trie.count)
  }

  /// Puts the tokens into `mask` that may come in this configuration, end tokens left out, and
  /// says what the result is close to, and whether it has to be corrected.
  @discardableResult
  mutating func make(
    _ at: Configuration, of automaton: inout ByteAutomaton, into mask: inout TokenMask
  ) -> (base: MaskCache.Base, needsCorrection: Bool) {
    automaton.isForgetful = true
    defer { automaton.isForgetful = false }
    let base = fill(&mask, at, of: &automaton)
    guard automaton.grammar.remembersTexts else { return (base, false) }
    let needsCorrection = trie.doubles.endsTwoTexts(
      from: at, of: &automaton, scratch: &scratch)
    return (base, needsCorrection)
  }

  /// Does the tokens over of which the text before decides more than a canonical configuration
  /// knows.
  mutating func correct(
    _ mask: inout TokenMask, at: Configuration, of automaton: inout ByteAutomaton
  ) {
    for token in trie.doubles.tokens { mask.remove(token) }
    visitedNodes += trie.doubles.insertAllowed(
      from: at, of: &automaton, into: &mask, stack: &scratch.stack)
  }

  /// Makes a mask from what it is close to, and says what that is.
  private mutating func fill(
    _ mask: inout TokenMask, _ at: Configuration, of automaton: inout ByteAutomaton
  ) -> MaskCache.Base {
    let tier = tier(of: at, &automaton)
    let base = base(of: tier, at)
    mask.copy(trie.mask(base))
    add(at, tier, of: &automaton, to: &mask)
    return base
  }

  private func base(of tier: Tier, _ at: Configuration) -> MaskCache.Base {
    switch tier {
    case .text(let limits): .text(trie.text.level(room: Self.room(limits, at.count)))
    case .key: .key
    case .several, .boundedPattern, .patternKey, .pattern, .walk: .nothing
    }
  }

  /// How a configuration's mask is made.
  private enum Tier {
    case several
    case text(TextLimits?)
    case boundedPattern(Int)
    case key
    case patternKey
    case pattern
    case walk
  }

  private func tier(of at: Configuration, _ automaton: inout ByteAutomaton) -> Tier {
    if at.state == MachineTable.Place.several { return .several }
    guard at.state >= MachineTable.Place.firstMachine else { return .walk }
    let state = automaton.grammar.table.states[Int(at.state)]
    switch state.role {
    case .text where at.state == MachineTable.base.text && at.text == 0:
      return isRoomy(at, &automaton) ? .text(nil) : .walk
    case .text where at.text == 0:
      return automaton.mostBytes < .max ? .walk : .pattern
    case .countedText:
      let limits = automaton.grammar.limits[Int(state.detail)]
      if limits.isFree {
        return state.isBoundary && isRoomy(at, &automaton) ? .text(limits) : .walk
      }
      return limits.isUpward && automaton.mostBytes == .max
        ? .boundedPattern(Int(state.detail)) : .walk
    case .keyName, .keyText, .keyPattern:
      if at.text == SpelledTexts.untracked { return .walk }
      let undeclared = automaton.grammar.undeclared(at.state)
      if undeclared == MachineTable.base.key {
        let isRoomy =
          automaton.mostBytes == .max || insideKey(at, &automaton) <= automaton.mostBytes
        return isRoomy ? .key : .walk
      }
      guard undeclared != 0, automaton.grammar.table.states[Int(undeclared)].role == .keyPattern,
        automaton.grammar.isFreeForever(undeclared)
      else { return .walk }
      return automaton.mostBytes < .max ? .walk : .patternKey
    default: return .walk
    }
  }

  private mutating func add(
    _ at: Configuration, _ tier: Tier, of automaton: inout ByteAutomaton, to mask: inout TokenMask
  ) {
    switch tier {
    case .several:
      // Its storage is taken out while it is used, so that nothing else can hold it.
      var part = TokenMask(count: 0)
      swap(&part, &self.part)
      defer { self.part = part }
      for member in automaton.sets[Int(at.count)] {
        _ = fill(&part, member, of: &automaton)
        mask.formUnion(part)
      }
    case .text(let limits): addText(at, limits, of: &automaton, to: &mask)
    case .boundedPattern(let limits):
      addBoundedPattern(at, automaton.grammar.limits[limits], of: &automaton, to: &mask)
    case .key: addKey(at, of: &automaton, to: &mask)
    case .patternKey: addPatternKey(at, of: &automaton, to: &mask)
    case .pattern: addPattern(at, of: &automaton, to: &mask)
    case .walk:
      visitedNodes += trie.all.insertAllowed(
        from: at, of: &automaton, into: &mask, stack: &scratch.stack)
    }
  }

  private static func room(_ limits: TextLimits?, _ count: UInt32) -> Int? {
    guard let limits, limits.maximum != TextLimits.unlimited else { return nil }
    return Int(limits.maximum) - Int(count)
  }

  // MARK: What tokens that stay inside can leave to be written

  /// Whether no token that stays inside a free string can be one too many.
  private func isRoomy(_ at: Configuration, _ automaton: inout ByteAutomaton) -> Bool {
    automaton.mostBytes == .max || insideText(at, &automaton) <= automaton.mostBytes
  }

  /// At most so much is missing after a token that stays inside a free string: it begins a character
  /// at most.
  private func insideText(_ at: Configuration, _ automaton: inout ByteAutomaton) -> Int {
    automaton.shortestCompletion(at) + ByteAutomaton.longestCharacter
  }

  /// The same for a key that may become an undeclared one. Keys that are taken are few beside all
  /// those with ``spareCharacters`` more.
  private func insideKey(_ at: Configuration, _ automaton: inout ByteAutomaton) -> Int {
    let after = freeKey(at, of: &automaton)
    return automaton.shortestCompletion(after) + 1 + ByteAutomaton.longestCharacter
      + Self.spareCharacters
  }

  /// Ninety characters that need no escape, to the power of this: more than keys were ever written.
  private static let spareCharacters = 8

  private mutating func addText(
    _ at: Configuration, _ limits: TextLimits?, of automaton: inout ByteAutomaton,
    to mask: inout TokenMask
  ) {
    if automaton.isMeasuring { automaton.note(insideText(at, &automaton)) }
    let after = automaton.finish(at.frame, text: 0)
    visitedNodes += trie.text.closing.insert(
      after: after, characters: Self.closing(limits, at.count), of: &automaton, into: &mask,
      scratch: &scratch)
  }

  /// How many more characters a string may have when it is closed.
  private static func closing(_ limits: TextLimits?, _ count: UInt32) -> ClosedRange<UInt32> {
    guard let limits else { return 0...UInt32.max }
    let missing = limits.minimum > count ? limits.minimum - count : 0
    let room = room(limits, count).map { UInt32(clamping: $0) } ?? UInt32.max
    return missing...max(missing, room)
  }

  /// In a string of a language whose length does not matter, only its states are looked at until
  /// it is closed.
  private mutating func addPattern(
    _ at: Configuration, of automaton: inout ByteAutomaton, to mask: inout TokenMask
  ) {
    let after = automaton.finish(at.frame, text: 0)
    let all = trie.all
    let table = automaton.grammar.table
    var missing: UInt32 = 0
    visitedNodes += all.walkStates(from: at.state, in: table, loops: &loops) {
      visit, node, state, _ in
      switch visit {
      case .inside(let range), .loop(let range):
        missing = max(missing, table.shortest[Int(state)])
        mask.insert(all.tokens, range)
      case .closed where !after.isDead:
        visitedNodes += all.insertSubtree(
          node, at: after, of: &automaton, into: &mask, stack: &scratch.stack)
      case .closed: break
      }
      return true
    }
    if automaton.isMeasuring {
      automaton.note(
        Int(missing) + Self.restOfCharacter + automaton.shortestCompletion(after))
    }
  }

  /// A token that stays in a loop may end within a character, with so many bytes to come.
  private static let restOfCharacter = 3

  /// No character of a string with one spelling takes more: `\u001f`.
  private static let bytesOfCharacter = 6

  private mutating func addBoundedPattern(
    _ at: Configuration, _ limits: TextLimits, of automaton: inout ByteAutomaton,
    to mask: inout TokenMask
  ) {
    let body: PatternBody
    if let known = patternBodies[at.state] {
      body = known
    } else {
      body = PatternBody(
        start: at.state, limits: limits, table: automaton.grammar.table, vocabulary: vocabulary,
        all: trie.all, loops: &loops)
      visitedNodes += body.visited
      if patternBodies.count >= Self.mostBodies { patternBodies.removeAll() }
      patternBodies[at.state] = body
    }
    let after = automaton.finish(at.frame, text: 0)
    let closing = Self.closing(limits, at.count)
    if automaton.isMeasuring {
      let characters = Int(max(closing.lowerBound, body.mostNeeded))
      automaton.note(
        (characters + 1) * Self.bytesOfCharacter + 1 + automaton.shortestCompletion(after))
    }
    body.insertInside(
      room: Self.room(limits, at.count).map { UInt32(clamping: $0) }, text: trie.text,
      into: &mask)
    visitedNodes += body.closing.insert(
      after: after, characters: closing, of: &automaton, into: &mask, scratch: &scratch)
  }

  /// The tokens that end a key. One that no other key stands for leads to the value of undeclared
  /// keys; of those that are taken or declared the tokens are looked at one by one. This takes
  /// tokens out of `mask` too.
  private mutating func addKey(
    _ at: Configuration, of automaton: inout ByteAutomaton, to mask: inout TokenMask
  ) {
    if automaton.isMeasuring { automaton.note(insideKey(at, &automaton)) }
    visitedNodes += trie.key.closing.insert(
      after: freeKey(at, of: &automaton), characters: 0...UInt32.max, of: &automaton, into: &mask,
      scratch: &scratch)
    lookAgain(at, of: &automaton, to: &mask)
  }

  /// Behind a key that is not declared and was not there before.
  private func freeKey(_ at: Configuration, of automaton: inout ByteAutomaton) -> Configuration {
    let key = automaton.frames[Int(at.frame)].key
    let shape = automaton.grammar.objects[Int(key.shape)]
    return automaton.endKey(
      Configuration(state: at.state, text: SpelledTexts.unknown, frame: at.frame),
      label: UInt32(shape.properties.count) + 1, shape)
  }

  /// The same for a key with patterns, whose label the automaton tells.
  private mutating func addPatternKey(
    _ at: Configuration, of automaton: inout ByteAutomaton, to mask: inout TokenMask
  ) {
    let key = automaton.frames[Int(at.frame)].key
    let shape = automaton.grammar.objects[Int(key.shape)]
    let body = keyBody(automaton.grammar.undeclared(at.state), automaton.grammar)
    mask.formUnion(body.inside)
    if automaton.isMeasuring { note(body, at, of: &automaton) }
    for (label, tokens) in body.closing {
      let after = automaton.endKey(
        Configuration(state: at.state, text: SpelledTexts.unknown, frame: at.frame),
        label: label, shape)
      visitedNodes += tokens.insert(
        after: after, characters: 0...UInt32.max, of: &automaton, into: &mask, scratch: &scratch)
    }
    for token in body.irregular {
      let next = automaton.run(vocabulary.pieces[Int(token)], from: at)
      if !next.isDead, automaton.admits(next) { mask.insert(token) }
    }
    addNames(at, of: &automaton, to: &mask)
    lookAgain(at, of: &automaton, to: &mask)
  }

  /// Finds out how much tokens that stay inside a key with patterns can leave to be written: those
  /// that begin a key that is there already have farther to go than their state says.
  private func note(
    _ body: KeyBody, _ at: Configuration, of automaton: inout ByteAutomaton
  ) {
    for state in body.states {
      let missing = automaton.shortestCompletion(
        Configuration(state: state, text: SpelledTexts.unknown, frame: at.frame))
      automaton.note(missing + Self.restOfCharacter)
    }
    let taken = automaton.progress[Int(automaton.frames[Int(at.frame)].key.progress)].texts
    for rest in automaton.texts.rests(of: taken, from: at.text) {
      var next = at
      for byte in rest {
        next = automaton.step(next, byte)
        if next.isDead { break }
        automaton.note(automaton.shortestCompletion(next))
      }
    }
  }

  /// The tokens that are a part of a declared name, which undeclared keys may not begin with.
  private func addNames(
    _ at: Configuration, of automaton: inout ByteAutomaton, to mask: inout TokenMask
  ) {
    var pending: [(node: Int?, at: Configuration)] = [(nil, at)]
    while let (node, at) = pending.popLast() {
      let state = automaton.grammar.table.states[Int(at.state)]
      if state.role != .keyName { continue }
      for index in automaton.grammar.keyNodes[Int(state.detail)].edges {
        let byte = automaton.grammar.keyEdges[Int(index)].byte
        guard let child = trie.all.child(of: node, byte) else { continue }
        let next = automaton.step(at, byte)
        if next.isDead { continue }
        if automaton.admits(next) {
          for token in trie.all.ownTokens(of: child) { mask.insert(token) }
        }
        pending.append((child, next))
      }
    }
  }

  private mutating func keyBody(_ state: UInt32, _ grammar: Grammar) -> KeyBody {
    if let known = keyBodies[state] { return known }
    let body = KeyBody(
      start: state, grammar: grammar, vocabulary: vocabulary, all: trie.all, loops: &loops)
    visitedNodes += body.visited
    if keyBodies.count >= Self.mostBodies { keyBodies.removeAll() }
    keyBodies[state] = body
    return body
  }

  /// Decides anew on the tokens that complete a declared key, or one that is there already.
  private mutating func lookAgain(
    _ at: Configuration, of automaton: inout ByteAutomaton, to mask: inout TokenMask
  ) {
    let key = automaton.frames[Int(at.frame)].key
    let texts = automaton.progress[Int(key.progress)].texts
    if !texts.isEmpty {
      for rest in automaton.texts.rests(of: texts, from: at.text) {
        guard let node = trie.all.node(rest + [0x22]) else { continue }
        decide(node, automaton.run(rest + [0x22], from: at), of: &automaton, &mask)
      }
    }
    // The declared names that can still come, forbidden ones included: down both trees at once.
    var pending: [(node: Int?, at: Configuration)] = [(nil, at)]
    while let (node, at) = pending.popLast() {
      let state = automaton.grammar.table.states[Int(at.state)]
      if state.role != .keyName { continue }
      let name = automaton.grammar.keyNodes[Int(state.detail)]
      if name.label != 0, let closed = trie.all.child(of: node, 0x22) {
        decide(closed, automaton.step(at, 0x22), of: &automaton, &mask)
      }
      for index in name.edges {
        let byte = automaton.grammar.keyEdges[Int(index)].byte
        guard let child = trie.all.child(of: node, byte) else { continue }
        let next = automaton.step(at, byte)
        if next.isDead {
          for token in trie.all.tokens(from: child) { mask.remove(token) }
        } else {
          pending.append((child, next))
        }
      }
    }
  }

  /// Decides anew on the tokens at a node and below it, after whose byte is `at`.
  private mutating func decide(
    _ node: Int, _ at: Configuration, of automaton: inout ByteAutomaton, _ mask: inout TokenMask
  ) {
    for token in trie.all.tokens(from: node) { mask.remove(token) }
    if at.isDead { return }
    visitedNodes += trie.all.insertSubtree(
      node, at: at, of: &automaton, into: &mask, stack: &scratch.stack)
  }
}

extension Grammar {
  /// The state of the automaton of undeclared keys that a state of a key stands for; 0 for none.
  func undeclared(_ id: UInt32) -> UInt32 {
    let state = table.states[Int(id)]
    return state.role == .keyName ? keyNodes[Int(state.detail)].fallback : id
  }
}
