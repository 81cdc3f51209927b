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
  private let tokens: [TokenID]
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
    if stack.count <= longest + 1 {
      stack = [Configuration](repeating: .dead, count: longest + 2)
    }
    stack[0] = start
    var visited = 0
    for byte in automaton.follow(start).bytes where roots[Int(byte)] >= 0 {
      var index = Int(roots[Int(byte)])
      let end = Int(nodes[index].after)
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
        var token = Int(node.first)
        let last = Int(nodes[index].first)
        while token < last {
          mask.insert(tokens[token])
          token += 1
        }
      }
    }
    return visited
  }

  private static func commonPrefix(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var count = 0
    while count < left.count, count < right.count, left[count] == right[count] { count += 1 }
    return count
  }
}
