extension DFA {
  /// An automaton that may have unreachable, endless and equivalent states; the form is that of
  /// ``DFA``, and classes are numbered in the order of their first bytes.
  struct Raw {
    var table: [State]
    var classes: [UInt8]
    var classCount: Int
    var labels: [UInt32]
    var start: State

    /// The minimal automaton in canonical form: equal languages give equal values.
    func minimized() -> DFA {
      let live = liveStates()
      guard live[Int(start)] else { return .empty }
      // What is not live becomes the dead state; the others move up.
      var numbers = [State](repeating: 0, count: labels.count)
      var kept: [Int] = []
      for state in labels.indices where live[state] {
        kept.append(state)
        numbers[state] = State(kept.count)
      }
      var compact = [State](repeating: 0, count: (kept.count + 1) * classCount)
      var slot = classCount
      for state in kept {
        for column in 0..<classCount {
          compact[slot] = numbers[Int(table[state * classCount + column])]
          slot += 1
        }
      }
      let partition = PartitionRefinement(
        table: compact, columns: classCount, colours: [0] + kept.map { labels[$0] })
      // One state of each block stands for it, the dead one for its own.
      var chosen = [State?](repeating: nil, count: partition.blockCount)
      var merged = Raw(
        table: [], classes: classes, classCount: classCount, labels: [], start: 0)
      var representatives: [Int] = []
      for (state, block) in partition.blocks.enumerated() where chosen[Int(block)] == nil {
        chosen[Int(block)] = State(representatives.count)
        representatives.append(state)
      }
      let numbersOfBlocks = partition.blocks.map { chosen[Int($0)] ?? 0 }
      merged.table.reserveCapacity(representatives.count * classCount)
      for state in representatives {
        for column in 0..<classCount {
          merged.table.append(numbersOfBlocks[Int(compact[state * classCount + column])])
        }
        merged.labels.append(state == 0 ? 0 : labels[kept[state - 1]])
      }
      merged.start = numbersOfBlocks[Int(numbers[Int(start)])]
      return merged.canonical()
    }

    /// The canonical form of an automaton that is minimal but for unreachable states: states in
    /// the order in which a walk from the start finds them, equal columns as one class.
    func canonical() -> DFA {
      if start == DFA.dead { return .empty }
      var number = [State](repeating: 0, count: labels.count)
      var order = [0, Int(start)]
      number[Int(start)] = 1
      var position = 1
      while position < order.count {
        for column in 0..<classCount {
          let target = Int(table[order[position] * classCount + column])
          if target != 0, number[target] == 0 {
            number[target] = State(order.count)
            order.append(target)
          }
        }
        position += 1
      }
      var seen: [[State]: UInt8] = [:]
      var map = [UInt8](repeating: 0, count: classCount)
      var kept: [Int] = []
      for column in 0..<classCount {
        let values = order.map { table[$0 * classCount + column] }
        if let known = seen[values] {
          map[column] = known
        } else {
          map[column] = UInt8(kept.count)
          seen[values] = UInt8(kept.count)
          kept.append(column)
        }
      }
      var rows = [State](repeating: 0, count: order.count * kept.count)
      for index in 1..<order.count {
        for (place, column) in kept.enumerated() {
          rows[index * kept.count + place] = number[Int(table[order[index] * classCount + column])]
        }
      }
      return DFA(
        canonical: rows, classes: classes.map { map[Int($0)] }, classCount: kept.count,
        labels: order.map { labels[$0] }, start: 1)
    }

    /// The states from which a text can be completed; never the dead one.
    private func liveStates() -> [Bool] {
      // Sources of each state in one array, by counting.
      var offsets = [Int32](repeating: 0, count: labels.count + 1)
      for target in table { offsets[Int(target) + 1] += 1 }
      for state in 1..<offsets.count { offsets[state] += offsets[state - 1] }
      var next = offsets
      var sources = [Int32](repeating: 0, count: table.count)
      for state in labels.indices {
        for column in 0..<classCount {
          let target = Int(table[state * classCount + column])
          sources[Int(next[target])] = Int32(state)
          next[target] += 1
        }
      }
      var live = labels.map { $0 != 0 }
      live[0] = false
      var pending = labels.indices.filter { live[$0] }
      while let state = pending.popLast() {
        for index in Int(offsets[state])..<Int(offsets[state + 1]) {
          let source = Int(sources[index])
          if source != 0, !live[source] {
            live[source] = true
            pending.append(source)
          }
        }
      }
      return live
    }
  }
}
