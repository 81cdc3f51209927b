internal import Foundation
public import Fovea

extension LlamaEngine {
  /// Evaluates what prompts begin with in all lanes, or reads it from a file; see
  /// `LanguageModel.prepare`.
  public func prepare(_ beginning: PromptBeginning) async throws(FoveaError) -> PreparedPrompt {
    let tokens = try commonTokens(of: beginning.prompts)
    guard !tokens.isEmpty else { return PreparedPrompt(tokenCount: 0, source: .memory) }
    guard tokens.count < lanes.contextSize else {
      throw FoveaError(
        .promptTooLong,
        "what prompts begin with has \(tokens.count) tokens, the context only holds "
          + "\(lanes.contextSize)", fix: "load the model with a larger context")
    }
    var file: PromptCacheFile?
    if let folder = beginning.cacheFolder {
      file = PromptCacheFile(
        folder: folder,
        header: .init(
          model: try ModelFingerprint(path: path).text, computation: computation, tokens: tokens))
    }
    let content = try file?.read()
    if content?.isMissing != true, lanes.allHold(tokens.map { .token($0) }) {
      return PreparedPrompt(tokenCount: tokens.count, source: .memory)
    }
    return try await withTicket { ticket throws(FoveaError) in
      try await self.hold(tokens, content ?? .nothing, file, ticket)
    }
  }

  private func hold(
    _ tokens: [TokenID], _ content: PromptCacheFile.Content, _ file: PromptCacheFile?,
    _ ticket: RequestTicket
  ) async throws(FoveaError) -> PreparedPrompt {
    _ = try await lanes.enterAlone(ticket)
    var records: [[ContextRecord]] = []
    defer { lanes.leaveAlone(records: records) }
    var state: Data? = if case .state(let saved) = content { saved } else { nil }
    var isRestored = true
    // The first lane evaluates where nothing was kept, the others take over what it has.
    for (number, lane) in lanes.lanes.enumerated() {
      let held = try await lane.hold(
        tokens, state: state, for: ticket,
        givesState: number == 0 && (file != nil || lanes.lanes.count > 1))
      if number == 0 { isRestored = held.isRestored }
      state = held.state ?? state
      records.append(held.records)
    }
    if let file, let state, !isRestored { try file.write(state) }
    return PreparedPrompt(
      tokenCount: tokens.count, source: isRestored ? .file : .evaluation)
  }

  /// The tokens of text that prompts have in common at their beginning.
  private func commonTokens(of prompts: [[PromptPart]]) throws(FoveaError) -> [TokenID] {
    var common: [TokenID]?
    for prompt in prompts {
      let pieces = loaded.specialTokens.pieces(of: prompt)
        .prefix { if case .image = $0 { false } else { true } }
      let tokens = try loaded.weights.tokenizePrompt(Array(pieces))
      common = common.map { Array(zip($0, tokens).prefix { $0.0 == $0.1 }.map(\.0)) } ?? tokens
    }
    return common ?? []
  }

  /// What the numbers of a state depend on beside the model and the tokens.
  private var computation: String {
    let plan = loaded.plan
    return [
      Native.build, "devices \(plan.devices.value.joined(separator: "+"))",
      "layers \(plan.gpuLayers.value)", "attention \(plan.attention.value.rawValue)",
      "cache \(plan.cacheType.value.rawValue)", "sequences \(plan.sequencesInContext)",
    ].joined(separator: "; ")
  }
}
