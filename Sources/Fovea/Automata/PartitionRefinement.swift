/// Hopcroft's algorithm: which states of a complete automaton are equivalent.
///
///     elements  │ 3 7 1 │ 0 4 │ 2 5 6 │     states, block by block
///     first       0       3     5           where each block begins; it ends where `end` says
///                  marked ▲                 states met as sources of a splitter come first
///
/// A block that a splitter meets in part is cut in two, and the smaller part becomes a new block;
/// so every state is relabelled at most log₂ n times.
struct PartitionRefinement {
  /// The block of each state.
  private(set) var blocks: [Int32]
  /// How many blocks there are.
  var blockCount: Int { first.count }

  private var elements: [Int32] = []
  private var places: [Int32] = []
  private var first: [Int32] = []
  private var end: [Int32] = []
  private var marked: [Int32] = []

  /// Refines the partition by colours until it is stable; `table[state * columns + column]` is
  /// the next state.
  init(table: [UInt32], columns: Int, colours: [UInt32]) {
    let count = colours.count
    blocks = [Int32](repeating: 0, count: count)
    start(colours)
    let (offsets, sources) = Self.sources(table, columns: columns, count: count)
    var isQueued = [Bool](repeating: true, count: first.count)
    var queue = Array(first.indices)
    // Splitting by all blocks but one is as good as by all.
    if let largest = queue.max(by: { end[$0] - first[$0] < end[$1] - first[$1] }) {
      queue.remove(at: largest)
      isQueued[largest] = false
    }
    var touched: [Int] = []
    while let splitter = queue.popLast() {
      isQueued[splitter] = false
      let states = Array(elements[Int(first[splitter])..<Int(end[splitter])])
      for column in 0..<columns {
        for state in states {
          let slot = Int(state) * columns + column
          for index in Int(offsets[slot])..<Int(offsets[slot + 1]) {
            mark(Int(sources[index]), &touched)
          }
        }
        for block in touched where split(block) {
          isQueued.append(true)
          queue.append(first.count - 1)
        }
        touched.removeAll(keepingCapacity: true)
      }
    }
  }

  private mutating func start(_ colours: [UInt32]) {
    var blockOfColour: [UInt32: Int32] = [:]
    for (state, colour) in colours.enumerated() {
      if let block = blockOfColour[colour] {
        blocks[state] = block
        end[Int(block)] += 1
      } else {
        blocks[state] = Int32(end.count)
        blockOfColour[colour] = Int32(end.count)
        end.append(1)
      }
    }
    var offset: Int32 = 0
    for block in end.indices {
      first.append(offset)
      offset += end[block]
      end[block] = offset
    }
    var next = first
    elements = [Int32](repeating: 0, count: colours.count)
    places = elements
    for state in colours.indices {
      let block = Int(blocks[state])
      elements[Int(next[block])] = Int32(state)
      places[state] = next[block]
      next[block] += 1
    }
    marked = [Int32](repeating: 0, count: first.count)
  }

  /// For every state and column, the states that lead there, in one array.
  private static func sources(
    _ table: [UInt32], columns: Int, count: Int
  ) -> (offsets: [Int32], sources: [Int32]) {
    var offsets = [Int32](repeating: 0, count: count * columns + 1)
    var sources = [Int32](repeating: 0, count: count * columns)
    for state in 0..<count {
      for column in 0..<columns {
        offsets[Int(table[state * columns + column]) * columns + column + 1] += 1
      }
    }
    for slot in 1..<offsets.count { offsets[slot] += offsets[slot - 1] }
    var next = offsets
    for state in 0..<count {
      for column in 0..<columns {
        let slot = Int(table[state * columns + column]) * columns + column
        sources[Int(next[slot])] = Int32(state)
        next[slot] += 1
      }
    }
    return (offsets, sources)
  }

  private mutating func mark(_ state: Int, _ touched: inout [Int]) {
    let block = Int(blocks[state])
    let border = first[block] + marked[block]
    let place = places[state]
    if place < border { return }
    if marked[block] == 0 { touched.append(block) }
    let other = elements[Int(border)]
    elements[Int(border)] = Int32(state)
    places[state] = border
    elements[Int(place)] = other
    places[Int(other)] = place
    marked[block] += 1
  }

  /// Cuts a block into its marked states and the others; false when one part would be empty.
  private mutating func split(_ block: Int) -> Bool {
    let border = first[block] + marked[block]
    let isMarkedSmaller = marked[block] <= end[block] - border
    marked[block] = 0
    if border == end[block] { return false }
    let fresh = Int32(first.count)
    if isMarkedSmaller {
      first.append(first[block])
      end.append(border)
      first[block] = border
    } else {
      first.append(border)
      end.append(end[block])
      end[block] = border
    }
    marked.append(0)
    for index in Int(first[Int(fresh)])..<Int(end[Int(fresh)]) {
      blocks[Int(elements[index])] = fresh
    }
    return true
  }
}
