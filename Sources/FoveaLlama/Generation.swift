internal import Fovea

/// One request on its way through the context: the prompt, then token after token. Lives inside one
/// job of the engine's actor.
///
///     prompt ─▶ begin ─▶ │ evaluate what is new, and what the schema forces first
///                        ▼
///            ┌─▶ choose a token ─▶ forced tokens ─▶ guessed tokens ─┐
///            └── the guesses that were right │ evaluate as a batch ◀┘
struct Generation {
  let native: NativeModel
  let vocabulary: Vocabulary
  let request: GenerationRequest
  let options: DecodingOptions
  let clock = ContinuousClock()
  let endTokens: Set<TokenID>
  let constraint: (any TokenConstraint)?

  /// All that was written so far, without the thought before it.
  var text = ""
  var thinking = ""
  var usage = TokenUsage()
  var timings = GenerationTimings()
  var assembler = UTF8Assembler()
  /// Text that is written and not shown yet.
  var unshown = ""
  /// The bytes of the answer.
  var written: [UInt8] = []
  /// The last tokens of text, for the tokenizer.
  var lastTokens: [TokenID] = []
  /// Tokens that are chosen but not evaluated.
  var pending: [TokenID] = []
  /// Guessed tokens that are evaluated but not chosen.
  var draft = Draft()
  var drafter = PromptDrafter(sources: [])
  var draftPolicy = DraftPolicy()
  /// The images of the prompt.
  var imageIDs: [String] = []
  /// The most tokens of the answer.
  var limit = 0
  var finishReason: FinishReason?

  /// Guessed tokens, and what speaks for each.
  struct Draft {
    var tokens: ArraySlice<TokenID> = []
    var evidence: ArraySlice<DraftPolicy.Evidence> = []

    mutating func append(_ more: [TokenID], _ kind: DraftPolicy.Evidence) {
      tokens += more
      evidence += more.map { _ in kind }
    }
  }

  var memory: ContextMemory { native.memory }

  /// Starts a generation; `constraint` stands at the beginning of its text.
  init(
    native: NativeModel, vocabulary: Vocabulary, request: GenerationRequest,
    options: DecodingOptions, constraint: (any TokenConstraint)?
  ) {
    self.native = native
    self.vocabulary = vocabulary
    self.request = request
    self.options = options
    self.constraint = constraint
    endTokens = Set(vocabulary.endTokens)
  }

  /// Evaluates the prompt and writes the text.
  mutating func run(
    onEvent: @Sendable (GenerationEvent) -> Void
  ) throws(FoveaError) -> GenerationResult {
    let prompt = try readPrompt()
    let sampler = try SamplerHandle(request.sampling, tokenCount: vocabulary.count)
    try evaluate(prompt, sampler: sampler)
    return try write(sampler: sampler, onEvent: onEvent)
  }

  func checkCancellation() throws(FoveaError) {
    if Task.isCancelled { throw FoveaError(.cancelled, "the task was cancelled") }
  }
}
