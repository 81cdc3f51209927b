public import struct Foundation.Data

extension Schema {
  /// Reads a JSON Schema of draft 4, 6, 7, 2019-09 or 2020-12, whichever its `$schema` names;
  /// without one the last.
  ///
  ///     let schema = try Schema(jsonSchema: #"{"type":"array","items":{"type":"integer"}}"#)
  ///
  /// Every keyword is enforced while the model writes, or the schema is refused by its name. What
  /// has no effect by the standard is passed over: annotations, keywords of another type, unknown
  /// keywords; ``parse(jsonSchema:options:)-(String,_)`` tells about those.
  ///
  /// - Throws: ``FoveaError`` with the code ``FoveaError/Code/unsupportedSchema`` for a keyword
  ///   that cannot be enforced, ``FoveaError/Code/invalidSchema`` for a document that is no JSON
  ///   Schema or allows nothing, ``FoveaError/Code/schemaTooComplex`` for one that would take too
  ///   much time or memory; each names the place as a JSON pointer.
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
    jsonSchema text: String, options: SchemaOptions = SchemaOptions()
  ) throws(FoveaError) -> (schema: Schema, warnings: [String]) {
    let document: JSONValue
    do throws(JSONSyntaxError) {
      document = try JSONParser.parse(text)
    } catch {
      throw FoveaError(.invalidSchema, "the JSON Schema is not JSON: \(error)")
    }
    let warnings = try NormalForm.read(document, options: options).warnings
    var schema = Schema(.document(document))
    schema.options = options
    return (schema, warnings)
  }

  /// Reads a JSON Schema from the bytes of a file in UTF-8; see ``parse(jsonSchema:options:)-(String,_)``.
  public static func parse(
    jsonSchema data: Data, options: SchemaOptions = SchemaOptions()
  ) throws(FoveaError) -> (schema: Schema, warnings: [String]) {
    let text = String(decoding: data, as: UTF8.self)
    // Decoding repairs wrong bytes, and so changes them.
    guard text.utf8.elementsEqual(data) else {
      throw FoveaError(
        .invalidSchema, "the JSON Schema is not UTF-8", fix: "save the file as UTF-8")
    }
    return try parse(jsonSchema: text, options: options)
  }
}
