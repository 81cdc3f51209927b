extension Schema {
  /// The JSON types of the values that are allowed; `integer` counts as `number`.
  var typeNames: Set<JSONSchemaNode.TypeName> {
    switch kind {
    case .null: [.null]
    case .boolean: [.boolean]
    case .integer, .number: [.number]
    case .string: [.string]
    case .array: [.array]
    case .object: [.object]
    case .enumeration(let values):
      Set(values.map(\.typeName.family))
    case .anyOf(let branches): branches.reduce(into: []) { $0.formUnion($1.typeNames) }
    }
  }
}

extension JSONSchemaNode.TypeName {
  /// The type as the first byte of a value shows it.
  var family: Self { self == .integer ? .number : self }
}
