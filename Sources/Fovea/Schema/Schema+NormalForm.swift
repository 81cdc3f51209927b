extension Schema {
  /// The sets of values that the schema stands for.
  ///
  /// - Throws: ``FoveaError`` with the code ``FoveaError/Code/unsupportedSchema``,
  ///   ``FoveaError/Code/invalidSchema`` or ``FoveaError/Code/schemaTooComplex``.
  package func normalForm() throws(FoveaError) -> NormalForm {
    try NormalForm.read(document(), options: options).form
  }

  /// Whether a value is what this schema describes. Keys may stand in any order; numbers are
  /// compared exactly, and by value: `2.0` is a whole number.
  ///
  ///     let schema = Schema(.array(items: Schema(.boolean), minItems: 1, maxItems: nil))
  ///     schema.accepts(.array([.boolean(true)]))     // true
  ///     schema.accepts(.array([]))                   // false
  public func accepts(_ value: JSONValue) -> Bool { violation(of: value) == nil }

  /// Where a value breaks this schema, and how: a JSON pointer and a reason, for example
  /// `/items/0/price is -1, which is less than 0`; nil when it does not. A schema that is itself
  /// malformed allows nothing.
  ///
  /// This does not use the grammar: it is the second opinion on what the grammar let through.
  package func violation(of value: JSONValue) -> String? {
    do throws(FoveaError) {
      return try normalForm().violation(of: value)
    } catch {
      return "no value is allowed: \(error)"
    }
  }

  /// The first of these values that this schema does not allow.
  func misfit(among values: [JSONValue]) -> JSONValue? {
    do throws(FoveaError) {
      let form = try normalForm()
      return values.first { !form.accepts($0) }
    } catch {
      return values.first
    }
  }
}
