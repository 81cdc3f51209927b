/// Code points that no set of a pattern tells apart, as classes, and their UTF-8 as a graph.
///
///     ^[0-9]+é?$      class 0: all others    class 1: 0-9    class 2: é
///
///     root  00…7F ─▶ by table
///           C2…C2 ─▶ node ─ 80…BF ─▶ class 0
///           C3…C3 ─▶ node ─ 80…A8 ─▶ class 0 │ A9 ─▶ class 2 │ AA…BF ─▶ class 0
///           E0…E0 ─▶ node ─ A0…BF ─▶ node ─ 80…BF ─▶ class 0
///           …
struct PatternAlphabet {
  /// A range of bytes and what it leads to.
  struct Edge {
    var low: UInt8
    var high: UInt8
    /// A node, or in a leaf a class.
    var target: Int
  }

  /// A place inside a character.
  struct Node {
    /// Indices of ``PatternAlphabet/edges``.
    var edges: Range<Int>
    /// Whether the next byte is the character's last.
    var isLeaf: Bool
  }

  /// How many classes there are.
  private(set) var classCount = 0
  /// The classes that make up each set.
  private(set) var classesOfSets: [[Int]] = []
  /// The ranges of one-byte characters; targets are classes.
  private(set) var ascii: [Edge] = []
  /// The first bytes of longer characters; targets are nodes.
  private(set) var leads: [Edge] = []
  /// The places inside characters; children come before their parents.
  private(set) var nodes: [Node] = []
  /// The edges of all nodes.
  private(set) var edges: [Edge] = []

  // The code space cut into intervals without inner difference; class -1: surrogates.
  private var starts: [UInt32] = []
  private var classes: [Int] = []
  private var uniform: [Int: Int] = [:]

  /// The coarsest classes of which the sets are unions.
  init(_ sets: [CodePointSet]) {
    var cuts: [UInt32] = [0, 0xD800, 0xE000]
    for range in sets.lazy.flatMap(\.ranges) {
      cuts.append(range.low)
      if range.high < CodePointSet.last { cuts.append(range.high + 1) }
    }
    cuts.sort()
    for cut in cuts where cut != starts.last { starts.append(cut) }
    classes = starts.map { $0 == 0xD800 ? -1 : 0 }
    classCount = 1
    for set in sets { refine(by: set) }
    for set in sets {
      var isMember = [Bool](repeating: false, count: classCount)
      forEachInterval(of: set) { interval, isInside in
        if isInside { isMember[classes[interval]] = true }
      }
      classesOfSets.append((0..<classCount).filter { isMember[$0] })
    }
    buildGraph()
  }

  private func forEachInterval(of set: CodePointSet, _ body: (Int, Bool) -> Void) {
    var next = 0
    for interval in starts.indices where classes[interval] >= 0 {
      while next < set.ranges.count, set.ranges[next].high < starts[interval] { next += 1 }
      body(interval, next < set.ranges.count && set.ranges[next].low <= starts[interval])
    }
  }

  /// Splits the classes that are partly inside; numbers stay in the order of first occurrence.
  private mutating func refine(by set: CodePointSet) {
    var renamed = [Int](repeating: -1, count: classCount * 2)
    var fresh = classes
    var count = 0
    forEachInterval(of: set) { interval, isInside in
      let key = classes[interval] * 2 + (isInside ? 1 : 0)
      if renamed[key] < 0 {
        renamed[key] = count
        count += 1
      }
      fresh[interval] = renamed[key]
    }
    classes = fresh
    classCount = count
  }

  private mutating func buildGraph() {
    for interval in starts.indices {
      guard starts[interval] < 0x80 else { break }
      let end = interval + 1 < starts.count ? min(starts[interval + 1], 0x80) : 0x80
      ascii.append(
        Edge(low: UInt8(starts[interval]), high: UInt8(end - 1), target: classes[interval]))
    }
    for lead in 0xC2...0xF4 as ClosedRange<UInt32> {
      let node =
        switch lead {
        case 0xC0...0xDF: node(from: (lead - 0xC0) << 6, bits: 6, least: 0x80)
        case 0xE0...0xEF: node(from: (lead - 0xE0) << 12, bits: 12, least: 0x800)
        default: node(from: (lead - 0xF0) << 18, bits: 18, least: 0x10000)
        }
      guard let node else { continue }
      if let last = leads.last, last.target == node, UInt32(last.high) + 1 == lead {
        leads[leads.count - 1].high = UInt8(lead)
      } else {
        leads.append(Edge(low: UInt8(lead), high: UInt8(lead), target: node))
      }
    }
  }

  /// The node in front of the last `bits / 6` bytes of `1 << bits` code points from `first` on,
  /// without those below `least`; nil when none is left.
  private mutating func node(from first: UInt32, bits: UInt32, least: UInt32) -> Int? {
    let last = first + (1 << bits) - 1
    let interval = interval(of: first)
    var key: Int?
    if first >= least, last <= CodePointSet.last,
      interval + 1 == starts.count || starts[interval + 1] > last
    {
      if classes[interval] < 0 { return nil }
      key = classes[interval] * 4 + Int(bits / 6)
      if let key, let known = uniform[key] { return known }
    }
    var edges: [Edge] = []
    let step: UInt32 = 1 << (bits - 6)
    for index in 0..<64 as Range<UInt32> {
      let start = first + index * step
      if start > CodePointSet.last || start + step - 1 < least { continue }
      let target: Int
      if bits == 6 {
        target = classes[self.interval(of: start)]
        if target < 0 { continue }
      } else {
        guard let child = node(from: start, bits: bits - 6, least: least) else { continue }
        target = child
      }
      let byte = UInt8(0x80 + index)
      if let last = edges.last, last.target == target, last.high + 1 == byte {
        edges[edges.count - 1].high = byte
      } else {
        edges.append(Edge(low: byte, high: byte, target: target))
      }
    }
    if edges.isEmpty { return nil }
    let first = self.edges.count
    self.edges += edges
    nodes.append(Node(edges: first..<self.edges.count, isLeaf: bits == 6))
    if let key { uniform[key] = nodes.count - 1 }
    return nodes.count - 1
  }

  private func interval(of codePoint: UInt32) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= codePoint { low = middle } else { high = middle }
    }
    return low
  }
}
