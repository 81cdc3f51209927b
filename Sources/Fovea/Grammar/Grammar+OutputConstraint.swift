extension Grammar {
  /// Compiles what an answer is bound to.
  ///
  /// - Throws: What ``OutputConstraint/check()`` throws.
  package init(_ constraint: OutputConstraint) throws(FoveaError) {
    self.init(machine: try constraint.machine())
  }
}
