/// Numbers of combinations of nodes.
extension SchemaNormalizer {
  /// The node of the values that both nodes allow.
  mutating func both(_ left: NodeID, _ right: NodeID) throws(FoveaError) -> NodeID {
    if left == right || right == NormalForm.anything { return left }
    if left == NormalForm.anything { return right }
    if left == NormalForm.nothing || right == NormalForm.nothing { return NormalForm.nothing }
    var combination = combination(of: left)
    let other = self.combination(of: right)
    combination.all = Self.merged(combination.all, other.all)
    combination.none = Self.merged(combination.none, other.none)
    return try node(
      combination, excluder: entries[left].excluder ?? entries[right].excluder,
      pointer: entries[left].pointer)
  }

  /// The node of the values that one node allows and another does not.
  mutating func excluding(
    _ right: NodeID, from left: NodeID, _ excluder: Excluder
  ) throws(FoveaError) -> NodeID {
    if left == right || right == NormalForm.anything { return NormalForm.nothing }
    if left == NormalForm.nothing || right == NormalForm.nothing { return left }
    var combination = combination(of: left)
    let other = self.combination(of: right)
    if other.all.isEmpty, other.none.count == 1 { return try both(left, other.none[0]) }
    if other.none.isEmpty, other.all.allSatisfy(combination.all.contains) {
      return NormalForm.nothing
    }
    combination.none = Self.merged(combination.none, [right])
    return try node(combination, excluder: excluder, pointer: entries[left].pointer)
  }

  private func combination(of node: NodeID) -> Combination {
    if case .combination(let combination) = entries[node].recipe { return combination }
    var combination = Combination()
    if node != NormalForm.anything { combination.all = [node] }
    return combination
  }

  private mutating func node(
    _ combination: Combination, excluder: Excluder?, pointer: String
  ) throws(FoveaError) -> NodeID {
    for node in combination.none where combination.all.contains(node) {
      return NormalForm.nothing
    }
    if combination.none.isEmpty, combination.all.count == 1 { return combination.all[0] }
    if let known = nodeOfCombination[combination] { return known }
    let node = try add(.combination(combination), pointer, excluder: excluder)
    nodeOfCombination[combination] = node
    return node
  }

  private static func merged(_ left: [NodeID], _ right: [NodeID]) -> [NodeID] {
    if right.isEmpty { return left }
    if left.isEmpty { return right }
    return Set(left).union(right).sorted()
  }
}
