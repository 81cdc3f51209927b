extension LanguageModel {
  /// Reads a typed value from a picture and tells, while the model writes, the text and the value so
  /// far.
  ///
  ///     for try await event in model.stream(image: .file(path), prompt: "…", as: Receipt.self) {
  ///       switch event {
  ///       case .thinking(let piece): print(piece, terminator: "")
  ///       case .text(let piece): print(piece, terminator: "")
  ///       case .partial(let json): show(json)
  ///       case .finished(let extraction): save(extraction.value)
  ///       }
  ///     }
  ///
  /// Leaving the loop, or cancelling its task, stops the model. The stream throws the
  /// ``FoveaError`` that ``predict(image:prompt:as:options:)`` would.
  public func stream<Value: StructuredOutput>(
    image: ImageInput, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions()
  ) -> AsyncThrowingStream<ExtractionEvent<Value>, any Error> {
    stream(from: .image(image), prompt: prompt, options: options) { () throws(FoveaError) in
      try .typed(type)
    }
  }

  /// Reads a typed value from text, streaming; see ``stream(image:prompt:as:options:)``.
  public func stream<Value: StructuredOutput>(
    text: String, prompt: String, as type: Value.Type,
    options: ExtractionOptions = ExtractionOptions()
  ) -> AsyncThrowingStream<ExtractionEvent<Value>, any Error> {
    stream(from: .text(text), prompt: prompt, options: options) { () throws(FoveaError) in
      try .typed(type)
    }
  }

  /// Reads a value that matches a schema from a picture, streaming; see
  /// ``stream(image:prompt:as:options:)``.
  public func stream(
    image: ImageInput, prompt: String, schema: Schema,
    options: ExtractionOptions = ExtractionOptions()
  ) -> AsyncThrowingStream<ExtractionEvent<JSONValue>, any Error> {
    stream(from: .image(image), prompt: prompt, options: options) { () throws(FoveaError) in
      .json(schema)
    }
  }

  /// Reads a value that matches a schema from text, streaming; see
  /// ``stream(image:prompt:as:options:)``.
  public func stream(
    text: String, prompt: String, schema: Schema, options: ExtractionOptions = ExtractionOptions()
  ) -> AsyncThrowingStream<ExtractionEvent<JSONValue>, any Error> {
    stream(from: .text(text), prompt: prompt, options: options) { () throws(FoveaError) in
      .json(schema)
    }
  }

  private func stream<Value: Sendable>(
    from source: ExtractionSource, prompt: String, options: ExtractionOptions,
    makeTarget: @escaping @Sendable () throws(FoveaError) -> ExtractionTarget<Value>
  ) -> AsyncThrowingStream<ExtractionEvent<Value>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        let (pieces, feed) = AsyncStream.makeStream(of: GenerationEvent.self)
        async let extraction = self.run(
          makeTarget: makeTarget, from: source, prompt: prompt, options: options, feed: feed)
        var text = ""
        for await event in pieces {
          switch event {
          case .promptEvaluated: break
          case .thinking(let piece): continuation.yield(.thinking(piece))
          case .text(let piece):
            text += piece
            continuation.yield(.text(piece))
            if let partial = JSONValue(partial: text) { continuation.yield(.partial(partial)) }
          }
        }
        do {
          continuation.yield(.finished(try await extraction))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Runs an extraction, feeding its events into a stream that ends with it.
  private func run<Value: Sendable>(
    makeTarget: @Sendable () throws(FoveaError) -> ExtractionTarget<Value>,
    from source: ExtractionSource, prompt: String, options: ExtractionOptions,
    feed: AsyncStream<GenerationEvent>.Continuation
  ) async throws(FoveaError) -> Extraction<Value> {
    defer { feed.finish() }
    return try await run(try makeTarget(), from: source, prompt: prompt, options: options) {
      feed.yield($0)
    }
  }
}
