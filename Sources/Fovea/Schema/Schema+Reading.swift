public import struct Foundation.Data

extension Schema {
  /// Reads a JSON Schema.
  ///
  ///     let schema = try Schema(jsonSchema: #"{"type":"array","items":{"type":"integer"}}"#)
  ///
  /// Enforced are `type` (also a list of types), `properties`, `required`, `items`, `minItems`,
  /// `maxItems`, `enum`, `const`, `minLength`, `maxLength`, `minimum`, `maximum`,
  /// `exclusiveMinimum`, `exclusiveMaximum` (in draft-04 also its boolean form), `format` of
  /// `date`, `date-time` and `time`, `anyOf` and `oneOf` of different JSON types or of single
  /// values, and `$ref` within the document, unless it recurses. Objects are closed and their keys
  /// are written in declared order, which every open schema allows too. Annotations are kept
  /// (`title`, `description`, `examples`) or passed over.
  ///
  /// Use ``parse(jsonSchema:)-(String)`` to see the warnings about what has no effect.
  ///
  /// - Throws: ``FoveaError`` with the code ``FoveaError/Code/unsupportedSchema`` for a keyword
  ///   that cannot be enforced, ``FoveaError/Code/invalidSchema`` for a document that is no JSON
  ///   Schema or allows nothing; each names the place as a JSON pointer.
  public init(jsonSchema text: String) throws(FoveaError) {
    self = try Self.parse(jsonSchema: text).schema
  }

  /// Reads a JSON Schema from the bytes of a file in UTF-8; see ``init(jsonSchema:)-(String)``.
  public init(jsonSchema data: Data) throws(FoveaError) {
    self = try Self.parse(jsonSchema: data).schema
  }

  /// Reads a JSON Schema, and says what in it has no effect: unknown keywords, keywords of another
  /// type, keywords beside `$ref` in drafts that ignore them.
  ///
  ///     let (schema, warnings) = try Schema.parse(jsonSchema: text)
  ///
  /// - Throws: as ``init(jsonSchema:)-(String)``.
  public static func parse(
    jsonSchema text: String
  ) throws(FoveaError) -> (schema: Schema, warnings: [String]) {
    let document: JSONValue
    do throws(JSONSyntaxError) {
      document = try JSONParser.parse(text)
    } catch {
      throw FoveaError(.invalidSchema, "the JSON Schema is not JSON: \(error)")
    }
    return try JSONSchemaReader.read(document)
  }

  /// Reads a JSON Schema from the bytes of a file in UTF-8; see ``parse(jsonSchema:)-(String)``.
  public static func parse(
    jsonSchema data: Data
  ) throws(FoveaError) -> (schema: Schema, warnings: [String]) {
    let text = String(decoding: data, as: UTF8.self)
    // Decoding repairs wrong bytes, and so changes them.
    guard text.utf8.elementsEqual(data) else {
      throw FoveaError(
        .invalidSchema, "the JSON Schema is not UTF-8", fix: "save the file as UTF-8")
    }
    return try parse(jsonSchema: text)
  }
}
