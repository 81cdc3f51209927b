extension LanguageModel {
  /// Reads a typed value from a picture.
  ///
  /// - Parameters:
  ///   - image: The picture, for example `.file("receipt.jpg")` of `FoveaImages`.
  ///   - prompt: What to extract, in words.
  ///   - type: The type to fill.
  ///   - options: Limits and sampling.
  /// - Throws: ``FoveaError``; notably `.unsupportedType` when no schema can be derived from the
  ///   type, `.invalidImage`, `.promptTooLong`, `.tokenLimitReached` with the partial JSON, and
  ///   `.cancelled`.
  public func predict<Value: StructuredOutput>(
    image: ImageInput, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> Value {
    try await extract(image: image, prompt: prompt, as: type, options: options).value
  }

  /// Reads a typed value from text; see ``predict(image:prompt:as:options:)``.
  public func predict<Value: StructuredOutput>(
    text: String, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> Value {
    try await extract(text: text, prompt: prompt, as: type, options: options).value
  }

  /// Reads a typed value from a picture and reports the JSON, token counts and timings with it; see
  /// ``predict(image:prompt:as:options:)``.
  public func extract<Value: StructuredOutput>(
    image: ImageInput, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> Extraction<Value> {
    try await run(try .typed(type), from: .image(image), prompt: prompt, options: options)
  }

  /// Reads a typed value from text and reports the JSON, token counts and timings with it; see
  /// ``predict(image:prompt:as:options:)``.
  public func extract<Value: StructuredOutput>(
    text: String, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> Extraction<Value> {
    try await run(try .typed(type), from: .text(text), prompt: prompt, options: options)
  }

  /// Reads a value that matches a schema from a picture; see
  /// ``predict(image:prompt:as:options:)``.
  public func extract(
    image: ImageInput, prompt: String, schema: Schema,
    options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> Extraction<JSONValue> {
    try await run(.json(schema), from: .image(image), prompt: prompt, options: options)
  }

  /// Reads a value that matches a schema from text; see ``predict(image:prompt:as:options:)``.
  public func extract(
    text: String, prompt: String, schema: Schema, options: ExtractionOptions = ExtractionOptions()
  ) async throws(FoveaError) -> Extraction<JSONValue> {
    try await run(.json(schema), from: .text(text), prompt: prompt, options: options)
  }

  func run<Value: Sendable>(
    _ target: ExtractionTarget<Value>, from source: ExtractionSource, prompt: String,
    options: ExtractionOptions, onEvent: @Sendable (GenerationEvent) -> Void = { _ in }
  ) async throws(FoveaError) -> Extraction<Value> {
    let result = try await writeJSON(
      from: source, prompt: prompt, schema: target.schema, options: options, onEvent: onEvent)
    let form = try await grammars.normalForm(of: target.schema)
    return Extraction(value: try target.value(of: result.text, in: form), result: result)
  }
}

/// A schema, and how JSON that matches it becomes a value.
struct ExtractionTarget<Value: Sendable>: Sendable {
  let schema: Schema
  private let decode: @Sendable (_ text: String, _ json: JSONValue) throws(FoveaError) -> Value

  /// Checks the JSON against the schema's normal form, by code that shares nothing with the
  /// automaton, and decodes it.
  func value(of text: String, in form: NormalForm) throws(FoveaError) -> Value {
    let json: JSONValue
    do throws(FoveaError) {
      json = try JSONValue(parsing: text)
    } catch {
      throw error.withPartialText(text)
    }
    if let violation = form.violation(of: json) {
      throw FoveaError(
        .decodingFailed, "the answer does not match the schema", fix: "please report this bug",
        cause: violation, partialText: text)
    }
    return try decode(text, json)
  }
}

extension ExtractionTarget where Value: StructuredOutput {
  /// The schema of a Swift type, and its decoder.
  static func typed(_ type: Value.Type) throws(FoveaError) -> ExtractionTarget<Value> {
    ExtractionTarget(schema: try Schema(of: type)) { text, _ throws(FoveaError) in
      try decodeOutput(type, from: text)
    }
  }
}

extension ExtractionTarget<JSONValue> {
  /// A schema whose JSON is the value.
  static func json(_ schema: Schema) -> ExtractionTarget<JSONValue> {
    ExtractionTarget(schema: schema) { _, json throws(FoveaError) in json }
  }
}
