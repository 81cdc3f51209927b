extension Schema {
  /// The schema of a Swift type, found by running the type's own decoder.
  ///
  ///     struct Receipt: StructuredOutput { let vendor: String; let total: Decimal }
  ///     let schema = try Schema(of: Receipt.self)
  ///     print(schema.jsonSchema())
  ///     // {"type":"object","properties":{"vendor":{"type":"string"},"total":{"type":"number"}},
  ///     //  "required":["vendor","total"],"additionalProperties":false}
  ///
  /// Every key is required; an optional's value is its type or `null`. Integers have the bounds of
  /// their type. A `Date` is what the type's ``StructuredOutput/dateStrategy`` says: a date and
  /// time with zone unless its guide says `.format(.date)`. The items of a set of scalars differ. An
  /// enum with associated values is one of several objects with one key. A type that contains
  /// itself is a definition. The type's ``StructuredOutput/guides``, and those of the types inside
  /// it, are applied.
  ///
  /// - Throws: ``FoveaError`` with the code ``FoveaError/Code/unsupportedType``, naming the field
  ///   and its type, when no exact schema exists: enums whose cases cannot be found out,
  ///   dictionaries that Swift writes as lists, decoders that read different things depending on
  ///   the data. ``FoveaError/Code/invalidArgument`` for a guide that does not fit.
  public init<T: StructuredOutput>(of type: T.Type) throws(FoveaError) {
    try self.init(probing: type)
  }

  /// The schema of any decodable type; guides are applied where a type has them.
  package init(probing type: any Decodable.Type) throws(FoveaError) {
    self = try ProbeSession(root: type).schema()
  }
}
