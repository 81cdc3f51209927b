internal import Fovea

/// Turns pictures into what the model sees. Where cores are free that is done beside the engine's thread,
/// so that one picture is encoded while answers about others are written. Belongs to the engine's
/// thread.
final class PictureEncoder {
  private let projector: ProjectorHandle
  /// Nil: on the engine's thread.
  private let executor: EngineExecutor?

  init(_ projector: ProjectorHandle, isBeside: Bool) {
    self.projector = projector
    executor = isBeside ? EngineExecutor(label: "fovea.llama.pictures") : nil
  }

  /// Tokenises a prompt of text and images.
  nonisolated(nonsending) func chunks(
    of prompt: [SpecialTokens.Piece]
  ) async throws(FoveaError) -> PromptChunks {
    let projector = projector
    return try await run { () throws(FoveaError) in try projector.chunks(of: prompt) }
  }

  /// The embeddings of an image, or of a tile of one.
  nonisolated(nonsending) func encode(
    _ chunks: PromptChunks, _ index: Int, for owner: CancellationFlag
  ) async throws(FoveaError) -> [Float] {
    let projector = projector
    return try await run { () throws(FoveaError) in
      // It may have waited for other pictures.
      if owner.isSet { throw RequestTicket.cancelled }
      return try projector.encode(chunks, index, for: owner)
    }
  }

  private nonisolated(nonsending) func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(FoveaError) -> Value
  ) async throws(FoveaError) -> Value {
    guard let executor else { return try body() }
    return try await executor.run(body)
  }
}
