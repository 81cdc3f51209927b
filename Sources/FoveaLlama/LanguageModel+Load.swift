public import Fovea

extension LanguageModel {
  /// Loads a GGUF model and, for images, its projector.
  ///
  ///     let model = try await LanguageModel.load(
  ///       .gguf("Qwen3-VL-4B-Q4_K_M.gguf", projector: "mmproj-F16.gguf"))
  ///
  /// - Throws: `FoveaError`: `.fileNotReadable`, `.invalidModel`, `.invalidProjector`,
  ///   `.insufficientMemory`, `.invalidArgument`.
  public static func load(
    _ files: ModelFiles, options: LlamaOptions = LlamaOptions()
  ) async throws(FoveaError) -> LanguageModel {
    LanguageModel(engine: try await LlamaEngine.load(files, options: options))
  }
}
