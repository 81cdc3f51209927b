internal import Fovea

extension JSONValue {
  /// How many values there are in it, itself included.
  var nodeCount: Int {
    switch self {
    case .array(let items): 1 + items.reduce(0) { $0 + $1.nodeCount }
    case .object(let members): 1 + members.reduce(0) { $0 + $1.value.nodeCount }
    default: 1
    }
  }

  /// The value of a number in depth-first order.
  func node(_ number: Int) -> JSONValue? {
    var index = 0
    var found: JSONValue?
    _ = replacing(number, &index) { node in
      found = node
      return node
    }
    return found
  }

  /// The same value with one of its parts exchanged; `index` counts the parts that were passed.
  func replacing(_ number: Int, _ index: inout Int, with change: (JSONValue) -> JSONValue)
    -> JSONValue
  {
    let isHere = index == number
    index += 1
    if isHere { return change(self) }
    switch self {
    case .array(let items):
      return .array(items.map { $0.replacing(number, &index, with: change) })
    case .object(let members):
      return .object(
        members.map { Member($0.name, $0.value.replacing(number, &index, with: change)) })
    default: return self
    }
  }
}
