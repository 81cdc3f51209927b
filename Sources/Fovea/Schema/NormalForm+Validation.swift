extension NormalForm {
  /// Whether a value is one that this normal form describes. Keys may stand in any order; numbers
  /// are compared exactly, and by value: `2.0` is a whole number.
  package func accepts(_ value: JSONValue) -> Bool { violation(of: value) == nil }

  /// Where a value breaks this normal form, and how: a JSON pointer and a reason, for example
  /// `/items/0/price is -1, which is less than 0 (schema at #/properties/price)`; nil when it
  /// does not.
  ///
  /// Keys that appear twice, numbers that are none, and containers nested deeper than what Fovea
  /// reads are violations wherever they are. Where several shapes are allowed, the reason is
  /// that of the shape from which the value is the least apart.
  ///
  /// This does not use the grammar: it is the second opinion on what the grammar let through.
  package func violation(of value: JSONValue) -> String? {
    let tree = ValueTree(value)
    var breach = tree.fault
    if breach == nil {
      var validation = NormalFormValidation(self, tree)
      breach = validation.breach()
    }
    guard let breach else { return nil }
    let pointer = tree.pointer(to: breach.item)
    return "\(pointer.isEmpty ? "the value" : pointer) \(breach.reason)"
  }
}
