internal import Fovea

/// Turns pictures into what the model sees, each once: who wants one that is being encoded waits for it,
/// and the last ones are kept.
///
/// Where cores are free that is done on a thread of its own, so that one picture is encoded while answers
/// about others are written.
actor PictureEncoder {
  private let projector: ProjectorHandle
  private nonisolated let executor: EngineExecutor
  /// Where pictures are encoded; nil: on ``executor``.
  private let thread: EngineExecutor?
  private var embeddings: EmbeddingCache
  private let underway = EncodingsUnderway()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// - Parameters:
  ///   - executor: Runs what only looks something up.
  ///   - isBeside: Whether pictures are encoded on another thread.
  ///   - keepsEmbeddings: Whether what was made of the last pictures stays.
  init(
    _ projector: ProjectorHandle, executor: EngineExecutor, isBeside: Bool, keepsEmbeddings: Bool
  ) {
    self.projector = projector
    self.executor = executor
    thread = isBeside ? EngineExecutor(label: "fovea.llama.pictures") : nil
    embeddings = keepsEmbeddings ? EmbeddingCache() : EmbeddingCache(capacity: 0)
  }

  /// Tokenises a prompt of text and images.
  func chunks(of prompt: [SpecialTokens.Piece]) async throws(FoveaError) -> PromptChunks {
    let projector = projector
    return try await run { () throws(FoveaError) in try projector.chunks(of: prompt) }
  }

  /// The embeddings of an image of a prompt, or of a tile of one: kept ones, or new ones.
  func embeddings(
    of prompt: PromptEntries, _ index: Int, for ticket: RequestTicket
  ) async throws(FoveaError) -> (values: [Float], isNew: Bool) {
    try ticket.checkCancellation()
    guard let number = prompt.chunkOfItem[index], let chunks = prompt.chunks,
      case .image(let id, _, _) = prompt.items[index]
    else { preconditionFailure("an entry that is an image has a chunk") }
    try await underway.begin(id, ticket)
    defer { underway.end(id) }
    if let known = embeddings.find(id) { return (known, false) }
    let new = try await encode(chunks, number, for: ticket.cancellation)
    embeddings.insert(new, for: id)
    return (new, true)
  }

  /// Sends a request away that waits.
  func drop(_ request: RequestTicket.ID) { underway.drop(request) }

  private func encode(
    _ chunks: PromptChunks, _ index: Int, for owner: CancellationFlag
  ) async throws(FoveaError) -> [Float] {
    let projector = projector
    return try await run { () throws(FoveaError) in
      // It may have waited for other pictures.
      if owner.isSet { throw RequestTicket.cancelled }
      return try projector.encode(chunks, index, for: owner)
    }
  }

  private func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    guard let thread else { return try body() }
    return try await thread.run(body)
  }
}
