extension LanguageModel {
  /// Reads a typed value from each of many pictures.
  ///
  ///     let pictures = files.map { ImageInput.file($0) }
  ///     for await result in model.predict(images: pictures, prompt: "…", as: Receipt.self) {
  ///       save(try result.get())
  ///     }
  ///
  /// The results come in the order of the pictures, each when it and those before it are ready. A
  /// picture that fails is a failure, and nothing else is lost; ``BatchResults`` tells what happens
  /// when the loop is left or cancelled.
  ///
  /// - Parameters:
  ///   - images: The pictures. They are read only as far as they are needed.
  ///   - prompt: What to extract from each, in words.
  ///   - type: The type to fill.
  ///   - options: Limits and sampling.
  ///   - inFlight: How many pictures are worked on at the same time, at least 1, including those
  ///     whose values nobody has taken yet. Nil: one more than the engine evaluates together
  ///     (``InferenceEngine/parallelRequests``), so that one is decoded meanwhile.
  public func predict<Value: StructuredOutput>(
    images: some Sequence<ImageInput> & Sendable, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions(), inFlight: Int? = nil
  ) -> BatchResults<Value> {
    batch(
      of: images, source: { .image($0) }, target: try .typed(type), prompt: prompt,
      options: options, inFlight: inFlight
    ) { $0.value }
  }

  /// Reads a typed value from each of many texts; see
  /// ``predict(images:prompt:as:options:inFlight:)``.
  public func predict<Value: StructuredOutput>(
    texts: some Sequence<String> & Sendable, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions(), inFlight: Int? = nil
  ) -> BatchResults<Value> {
    batch(
      of: texts, source: { .text($0) }, target: try .typed(type), prompt: prompt,
      options: options, inFlight: inFlight
    ) { $0.value }
  }

  /// Reads a typed value from each of many pictures and reports the JSON, token counts and timings
  /// with it; see ``predict(images:prompt:as:options:inFlight:)``.
  public func extract<Value: StructuredOutput>(
    images: some Sequence<ImageInput> & Sendable, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions(), inFlight: Int? = nil
  ) -> BatchResults<Extraction<Value>> {
    batch(
      of: images, source: { .image($0) }, target: try .typed(type), prompt: prompt,
      options: options, inFlight: inFlight
    ) { $0 }
  }

  /// Reads a typed value from each of many texts and reports the JSON, token counts and timings with
  /// it; see ``predict(images:prompt:as:options:inFlight:)``.
  public func extract<Value: StructuredOutput>(
    texts: some Sequence<String> & Sendable, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions(), inFlight: Int? = nil
  ) -> BatchResults<Extraction<Value>> {
    batch(
      of: texts, source: { .text($0) }, target: try .typed(type), prompt: prompt,
      options: options, inFlight: inFlight
    ) { $0 }
  }

  /// Reads a value that matches a schema from each of many pictures; see
  /// ``predict(images:prompt:as:options:inFlight:)``.
  public func extract(
    images: some Sequence<ImageInput> & Sendable, prompt: String, schema: Schema,
    options: ExtractionOptions = ExtractionOptions(), inFlight: Int? = nil
  ) -> BatchResults<Extraction<JSONValue>> {
    batch(
      of: images, source: { .image($0) }, target: .json(schema), prompt: prompt, options: options,
      inFlight: inFlight
    ) { $0 }
  }

  /// Reads a value that matches a schema from each of many texts; see
  /// ``predict(images:prompt:as:options:inFlight:)``.
  public func extract(
    texts: some Sequence<String> & Sendable, prompt: String, schema: Schema,
    options: ExtractionOptions = ExtractionOptions(), inFlight: Int? = nil
  ) -> BatchResults<Extraction<JSONValue>> {
    batch(
      of: texts, source: { .text($0) }, target: .json(schema), prompt: prompt, options: options,
      inFlight: inFlight
    ) { $0 }
  }

  /// The results of evaluating inputs with this model, in order, with as many in flight as suits the
  /// engine; see ``BatchResults/init(of:inFlight:evaluate:)``.
  package func batch<Input: Sendable, Success>(
    of inputs: some Sequence<Input> & Sendable, inFlight: Int? = nil,
    evaluate: @escaping @Sendable (Input) async throws(FoveaError) -> Result<Success, FoveaError>
  ) -> BatchResults<Success> {
    BatchResults(
      of: inputs, inFlight: inFlight ?? engine.parallelRequests + 1, evaluate: evaluate)
  }

  private func batch<Input: Sendable, Value, Success>(
    of inputs: some Sequence<Input> & Sendable,
    source makeSource: @escaping @Sendable (Input) -> ExtractionSource,
    target makeTarget: @autoclosure () throws(FoveaError) -> ExtractionTarget<Value>,
    prompt: String, options: ExtractionOptions, inFlight: Int?,
    success: @escaping @Sendable (Extraction<Value>) -> Success
  ) -> BatchResults<Success> {
    let target = Result(catching: makeTarget)
    return batch(of: inputs, inFlight: inFlight) { input throws(FoveaError) in
      let target = try target.get()
      let source = makeSource(input)
      // What is wrong with these is wrong for every input.
      _ = try await self.constraintMaker(for: target.schema, options: options)
      if case .image = source { try self.checkSight() }
      do throws(FoveaError) {
        return .success(
          success(try await self.run(target, from: source, prompt: prompt, options: options)))
      } catch {
        return .failure(error)
      }
    }
  }
}
