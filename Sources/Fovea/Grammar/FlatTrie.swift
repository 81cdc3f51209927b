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

  let nodes: [Node]
  /// All tokens, in order of their bytes.
  let tokens: [TokenID]
  private let roots: [Int32]
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

  /// Puts every token into `mask` whose bytes the automaton allows after `start`, and returns how
  /// many nodes were looked at.
  func insertAllowed(
    from start: Configuration, of automaton: inout ByteAutomaton, into mask: inout TokenMask,
    stack: inout [Configuration]
  ) -> Int {
    makeRoom(&stack)
    var visited = 0
    for byte in 0..<256 where roots[byte] >= 0 {
      let next = automaton.step(start, UInt8(byte))
      visited += 1
      if next.isDead { continue }
      visited += insertSubtree(
        Int(roots[byte]), at: next, of: &automaton, into: &mask, stack: &stack)
    }
    return visited
  }

  /// The same for a string of a language whose length does not matter: its states are all that is
  /// looked at until it is closed, so this is several times as fast.
  func insertTexts(
    from start: Configuration, of automaton: inout ByteAutomaton, into mask: inout TokenMask,
    stack: inout [Configuration]
  ) -> Int {
    makeRoom(&stack)
    let table = automaton.grammar.table
    let after = automaton.finish(start.frame, text: 0)
    var visited = 0
    var index = 0
    let end = nodes.count - 1
    stack[0].state = start.state
    while index < end {
      let node = nodes[index]
      visited += 1
      let next = table.next(table.states[Int(stack[Int(node.depth)].state)], node.byte)
      if next < MachineTable.Place.firstMachine {
        if next == MachineTable.Place.end, !after.isDead {
          visited += insertSubtree(index, at: after, of: &automaton, into: &mask, stack: &stack)
        }
        index = Int(node.after)
        continue
      }
      stack[Int(node.depth) + 1].state = next
      index += 1
      var token = Int(node.first)
      let last = Int(nodes[index].first)
      while token < last {
        mask.insert(tokens[token])
        token += 1
      }
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
    let end = Int(nodes[node].after)
    stack[Int(nodes[node].depth) + 1] = at
    var index = node + 1
    var token = Int(nodes[node].first)
    var last = Int(nodes[index].first)
    if token < last, !automaton.admits(at) { token = last }
    while token < last {
      mask.insert(tokens[token])
      token += 1
    }
    var visited = 0
    while index < end {
      let node = nodes[index]
      visited += 1
      let next = automaton.step(stack[Int(node.depth)], node.byte)
      if next.isDead {
        index = Int(node.after)
        continue
      }
      stack[Int(node.depth) + 1] = next
      index += 1
      token = Int(node.first)
      last = Int(nodes[index].first)
      if token < last, !automaton.admits(next) { continue }
      while token < last {
        mask.insert(tokens[token])
        token += 1
      }
    }
    return visited
  }

  /// Appends the allowed tokens below a node, without its own; `at` is the configuration after
  /// the node's byte.
  func appendSubtree(
    _ node: Int, at: Configuration, of automaton: inout ByteAutomaton,
    to found: inout [TokenID], stack: inout [Configuration]
  ) {
    makeRoom(&stack)
    stack[Int(nodes[node].depth) + 1] = at
    var index = node + 1
    let end = Int(nodes[node].after)
    while index < end {
      let node = nodes[index]
      let next = automaton.step(stack[Int(node.depth)], node.byte)
      if next.isDead {
        index = Int(node.after)
        continue
      }
      stack[Int(node.depth) + 1] = next
      index += 1
      found += tokens[Int(node.first)..<Int(nodes[index].first)]
    }
  }

  /// Appends the tokens whose bytes the automaton allows after `start`.
  func appendAllowed(
    from start: Configuration, of automaton: inout ByteAutomaton, to found: inout [TokenID],
    stack: inout [Configuration]
  ) -> Int {
    makeRoom(&stack)
    stack[0] = start
    var visited = 0
    var index = 0
    let end = nodes.count - 1
    while index < end {
      let node = nodes[index]
      visited += 1
      let next = automaton.step(stack[Int(node.depth)], node.byte)
      if next.isDead {
        index = Int(node.after)
        continue
      }
      stack[Int(node.depth) + 1] = next
      index += 1
      let range = Int(node.first)..<Int(nodes[index].first)
      if !range.isEmpty, automaton.admits(next) { found += tokens[range] }
    }
    return visited
  }

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
  func ownTokens(of node: Int) -> ArraySlice<TokenID> {
    tokens[Int(nodes[node].first)..<Int(nodes[node + 1].first)]
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
