extension RuleMachine {
  /// The same language without what leads nowhere, with equal states merged, tail calls found and
  /// states in the order in which a walk from the start meets them.
  consuming func finished() throws(FoveaError) -> RuleMachine {
    try measure()
    findTailCalls()
    let block = RuleBlocks(states).block
    return renumbered(by: block)
  }

  /// Computes ``State/shortest`` and removes what leads to no end.
  private mutating func measure() throws(FoveaError) {
    let shortest = ShortestTexts(states).lengths
    if shortest[Int(start)] > Int(UInt32.max) {
      throw FoveaError(
        .schemaTooComplex, "the shortest text of the grammar has more than \(UInt32.max) bytes",
        fix: "use smaller repetitions, or fewer of them inside each other")
    }
    for index in states.indices {
      let isAlive = shortest[index] < Int.max
      states[index].shortest = isAlive ? shortest[index] : 0
      states[index].edges.removeAll { !isAlive || shortest[Int($0.target)] == Int.max }
      states[index].calls.removeAll {
        !isAlive || shortest[Int($0.callee)] == Int.max
          || $0.returnState != Self.none && shortest[Int($0.returnState)] == Int.max
      }
    }
  }

  /// Nothing to return to is left where nothing can follow.
  private mutating func findTailCalls() {
    let isEnd = states.map { $0.isFinal && $0.edges.isEmpty && $0.calls.isEmpty }
    for index in states.indices {
      for call in states[index].calls.indices {
        if isEnd[Int(states[index].calls[call].returnState)] {
          states[index].calls[call].returnState = Self.none
        }
      }
    }
  }

  /// One state for each block that is reached from the start.
  private func renumbered(by block: [UInt32]) -> RuleMachine {
    var numbers: [UInt32: UInt32] = [block[0]: 0]
    var order: [Int] = [0]
    func number(_ state: UInt32) -> UInt32 {
      if let known = numbers[block[Int(state)]] { return known }
      numbers[block[Int(state)]] = UInt32(order.count)
      order.append(Int(state))
      return UInt32(order.count - 1)
    }
    let first = number(start)
    var result = [Self.dead]
    while result.count < order.count {
      let state = states[order[result.count]]
      var fresh = State(edges: [], calls: [], isFinal: state.isFinal, shortest: state.shortest)
      for edge in state.edges {
        let target = number(edge.target)
        if let last = fresh.edges.last, last.target == target, last.high < edge.low,
          last.high + 1 == edge.low
        {
          fresh.edges[fresh.edges.count - 1].high = edge.high
        } else {
          fresh.edges.append(Edge(low: edge.low, high: edge.high, target: target))
        }
      }
      for call in state.calls {
        let mapped = Call(
          callee: number(call.callee),
          returnState: call.returnState == Self.none ? Self.none : number(call.returnState))
        if !fresh.calls.contains(mapped) { fresh.calls.append(mapped) }
      }
      result.append(fresh)
    }
    return RuleMachine(states: result, start: first)
  }
}
