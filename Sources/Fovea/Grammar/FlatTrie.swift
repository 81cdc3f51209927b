/// Byte strings of tokens as a tree in one array, in depth-first order.
///
///     tokens  "a" 7, "ab" 9 and 12, "b" 3
///
///     nodes   │ a  depth 0 │ b  depth 1 │ b  depth 0 │ (end) │
///     after   │     2      │     2      │     3      │       │   first node behind the subtree
///     first   │     0      │     1      │     3      │   4   │   ─┐ into tokens; a node's tokens
///                                                              │ reach to the next node's first
///     tokens  │ 7 │ 9 │ 12 │ 3 │  ◀────────────────────────────┘
///     roots   byte ─▶ node of depth 0, or -1
///
/// A walk keeps one configuration for each depth, so that going back up costs nothing:
/// `stack[depth + 1] = step(stack[depth], byte)`; where that is dead it jumps to `after`.
struct FlatTrie: Sendable {
  struct Node: Sendable {
    var after: UInt32
    var first: UInt32
    var depth: UInt16
    var byte: UInt8
  }

  /// Longer byte strings are left out: no token of any known model comes near it.
  static let longestPiece = 4096

  private let nodes: [Node]
  /// All tokens, in order of their bytes.
  let tokens: [TokenID]
  private let roots: [Int32]
  /// For each node the sets of ``LoopStates`` that the bytes below it belong to; empty unless
  /// asked for.
  private var below: [UInt64] = []
  /// How many nodes there are.
  var nodeCount: Int { nodes.count - 1 }
  /// The number of bytes of the longest byte string.
  let longest: Int

  /// Makes the trie of these tokens, sorted by their bytes.
  init(sorted entries: [TokenID], pieces: [[UInt8]]) {
    var nodes: [Node] = []
    nodes.reserveCapacity(entries.count * 3)
    var roots = [Int32](repeating: -1, count: 256)
    var longest = 0
    var open: [Int] = []
    var previous: [UInt8] = []
    for (index, token) in entries.enumerated() {
      let piece = pieces[Int(token)]
      let common = Self.commonPrefix(previous, piece)
      while open.count > common { nodes[open.removeLast()].after = UInt32(nodes.count) }
      for depth in common..<piece.count {
        if depth == 0 { roots[Int(piece[0])] = Int32(nodes.count) }
        open.append(nodes.count)
        // All of a piece's nodes come before its token, only the last one owns it.
        nodes.append(
          Node(after: 0, first: UInt32(index), depth: UInt16(depth), byte: piece[depth]))
      }
      longest = max(longest, piece.count)
      previous = piece
    }
    while let node = open.popLast() { nodes[node].after = UInt32(nodes.count) }
    nodes.append(
      Node(after: UInt32(nodes.count), first: UInt32(entries.count), depth: 0, byte: 0))
    self.nodes = nodes
    self.tokens = entries
    self.roots = roots
    self.longest = longest
  }

  // MARK: What is below a node

  /// Finds out which bytes there are below each node.
  mutating func noteBytesBelow() {
    let table = MachineTable.base.table
    let text = MachineTable.base.text
    below = [UInt64](repeating: 0, count: nodes.count)
    // First each node's own byte, which may be a part of a longer character.
    var characters = [(state: UInt32, bit: UInt64)](repeating: (text, 0), count: longest + 2)
    for (index, node) in nodes.dropLast().enumerated() {
      let at = characters[Int(node.depth)]
      var next = (state: text, bit: LoopStates.bit(of: node.byte))
      if at.state != text { next.bit = node.byte < 0x80 ? LoopStates.illFormed : at.bit }
      if node.byte >= 0x80 {
        next.state = table.next(table.states[Int(at.state)], node.byte)
        if next.state < MachineTable.Place.firstMachine { next = (text, LoopStates.illFormed) }
      }
      below[index] = next.bit
      characters[Int(node.depth) + 1] = next
    }
    // Then from the last node to the first: what was seen one deeper since is below.
    var seen = [UInt64](repeating: 0, count: longest + 2)
    for index in nodes.indices.dropLast().reversed() {
      let depth = Int(nodes[index].depth)
      let own = below[index]
      below[index] = seen[depth + 1]
      seen[depth + 1] = 0
      seen[depth] |= own | below[index]
    }
  }

  // MARK: Walks with configurations

  /// Puts every token into `mask` whose bytes the automaton allows after `start`, and returns how
  /// many nodes were looked at.
  func insertAllowed(
    from start: Configuration, of automaton: inout ByteAutomaton, into mask: inout TokenMask,
    stack: inout [Configuration]
  ) -> Int {
    makeRoom(&stack)
    var visited = 0
    automaton.candidates(start).forEach { byte in
      let root = Int(roots[Int(byte)])
      if root < 0 { return }
      visited += 1
      let next = automaton.step(start, byte)
      if next.isDead { return }
      visited += insertSubtree(root, at: next, of: &automaton, into: &mask, stack: &stack)
    }
    return visited
  }

  /// Puts the tokens at a node and below it into `mask` that the automaton allows; `at` is the
  /// configuration after the node's own byte.
  func insertSubtree(
    _ node: Int, at: Configuration, of automaton: inout ByteAutomaton,
    into mask: inout TokenMask, stack: inout [Configuration]
  ) -> Int {
    makeRoom(&stack)
    stack[Int(nodes[node].depth) + 1] = at
    let own = ownRange(of: node)
    if !own.isEmpty, automaton.admits(at) {
      mask.insert(tokens, own)
    }
    return walk(node + 1..<Int(nodes[node].after), of: &automaton, stack: &stack) {
      range, at, automaton in
      if automaton.admits(at) {
        mask.insert(tokens, range)
      }
      return true
    }
  }

  /// Appends the tokens whose bytes the automaton allows after `start`.
  func appendAllowed(
    from start: Configuration, of automaton: inout ByteAutomaton, to found: inout [TokenID],
    stack: inout [Configuration]
  ) -> Int {
    makeRoom(&stack)
    stack[0] = start
    return walk(0..<nodes.count - 1, of: &automaton, stack: &stack) { range, at, automaton in
      if automaton.admits(at) { found += tokens[range] }
      return true
    }
  }

  /// Whether some token below a node, longer than it, is allowed; `at` is the configuration at the
  /// node itself.
  func hasLongerAllowed(
    _ node: Int, at: Configuration, of automaton: inout ByteAutomaton
  ) -> Bool {
    var stack: [Configuration] = []
    makeRoom(&stack)
    stack[Int(nodes[node].depth) + 1] = at
    var isFound = false
    _ = walk(node + 1..<Int(nodes[node].after), of: &automaton, stack: &stack) { _, _, _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Whether some token, or a part of one, ends more than one text that has to be remembered.
  func endsTwoTexts(
    from start: Configuration, of automaton: inout ByteAutomaton, scratch: inout WalkScratch
  ) -> Bool {
    makeRoom(&scratch.stack)
    if scratch.ended.count < longest + 2 {
      scratch.ended = [Int](repeating: 0, count: longest + 2)
    }
    scratch.stack[0] = start
    var index = 0
    while index < nodes.count - 1 {
      let node = nodes[index]
      let depth = Int(node.depth)
      automaton.endedTexts = scratch.ended[depth]
      let next = automaton.step(scratch.stack[depth], node.byte)
      if automaton.endedTexts > 1 { return true }
      scratch.ended[depth + 1] = automaton.endedTexts
      scratch.stack[depth + 1] = next
      index = next.isDead ? Int(node.after) : index + 1
    }
    return false
  }

  /// Steps over these nodes, below what `stack` holds; `visit` gets the tokens of each node that is
  /// reached and has some, as a range of ``tokens``, and says whether to go on. Returns how many
  /// nodes were looked at.
  @inline(__always)
  private func walk(
    _ range: Range<Int>, of automaton: inout ByteAutomaton, stack: inout [Configuration],
    visit: (Range<Int>, Configuration, inout ByteAutomaton) -> Bool
  ) -> Int {
    var visited = 0
    var index = range.lowerBound
    while index < range.upperBound {
      let node = nodes[index]
      visited += 1
      let next = automaton.step(stack[Int(node.depth)], node.byte)
      if next.isDead {
        index = Int(node.after)
        continue
      }
      stack[Int(node.depth) + 1] = next
      let own = ownRange(of: index)
      index += 1
      if !own.isEmpty, !visit(own, next, &automaton) { break }
    }
    return visited
  }

  // MARK: Walks with states

  /// What a walk through the states of one automaton comes upon.
  enum StateVisit {
    /// The text goes on: the tokens that end here, as a range of ``FlatTrie/tokens``; empty where
    /// none does.
    case inside(Range<Int>)
    /// All tokens below the node before go on in its state; such nodes are not entered.
    case loop(Range<Int>)
    /// The node's byte closes the text; `depth` bytes of each token below came before it.
    case closed(depth: Int)
  }

  /// Steps over the nodes from a state of an automaton, as long as the text is not closed: much
  /// faster than with configurations. `visit` also gets the state (inside: after the node's byte,
  /// closed: before it) and the number of characters so far, and says whether to go below the
  /// node. Returns how many nodes were looked at.
  @inline(__always)
  @discardableResult
  func walkStates(
    from start: UInt32, in table: MachineTable, loops: inout LoopStates,
    visit: (StateVisit, _ node: Int, _ state: UInt32, _ characters: UInt32) -> Bool
  ) -> Int {
    var stack = [(state: UInt32, characters: UInt32)](repeating: (start, 0), count: longest + 2)
    // What the tree knows about the bytes below is told from the beginning of a character.
    let hasLoops = !below.isEmpty && table.states[Int(start)].isBoundary
    var visited = 0
    var index = 0
    while index < nodes.count - 1 {
      let node = nodes[index]
      let depth = Int(node.depth)
      let at = stack[depth]
      visited += 1
      let next = table.next(table.states[Int(at.state)], node.byte)
      if next < MachineTable.Place.firstMachine {
        if next == MachineTable.Place.end {
          _ = visit(.closed(depth: depth), index, at.state, at.characters)
        }
        index = Int(node.after)
        continue
      }
      let characters = at.characters + (table.states[Int(next)].isBoundary ? 1 : 0)
      stack[depth + 1] = (next, characters)
      let isEntered = visit(.inside(ownRange(of: index)), index, next, characters)
      let after = Int(node.after)
      if isEntered, hasLoops, below[index] != 0,
        below[index] & ~loops.loop(of: next, in: table) == 0
      {
        let range = Int(nodes[index + 1].first)..<Int(nodes[after].first)
        _ = visit(.loop(range), index, next, characters)
        index = after
      } else {
        index = isEntered ? index + 1 : after
      }
    }
    return visited
  }

  // MARK: Nodes

  /// The node that these bytes lead to.
  func node(_ bytes: some Sequence<UInt8>) -> Int? {
    var result: Int?
    for byte in bytes {
      guard let next = child(of: result, byte) else { return nil }
      result = next
    }
    return result
  }

  /// The node that a byte leads to, from a node or, with nil, from the top.
  func child(of parent: Int?, _ byte: UInt8) -> Int? {
    guard let parent else { return roots[Int(byte)] < 0 ? nil : Int(roots[Int(byte)]) }
    var child = parent + 1
    let end = Int(nodes[parent].after)
    while child < end, nodes[child].byte != byte { child = Int(nodes[child].after) }
    return child < end ? child : nil
  }

  /// The tokens that end at a node.
  func ownTokens(of node: Int) -> ArraySlice<TokenID> { tokens[ownRange(of: node)] }

  private func ownRange(of node: Int) -> Range<Int> {
    Int(nodes[node].first)..<Int(nodes[node + 1].first)
  }

  /// The tokens at a node and below it.
  func tokens(from node: Int) -> ArraySlice<TokenID> {
    tokens[Int(nodes[node].first)..<Int(nodes[Int(nodes[node].after)].first)]
  }

  private func makeRoom(_ stack: inout [Configuration]) {
    if stack.count <= longest + 1 {
      stack = [Configuration](repeating: .dead, count: longest + 2)
    }
  }

  private static func commonPrefix(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var count = 0
    while count < left.count, count < right.count, left[count] == right[count] { count += 1 }
    return count
  }
}
