internal import Fovea

/// One request on its way through a sequence of the context: the prompt, then token after token. Other
/// requests go theirs while it waits for an evaluation.
///
///     prompt ─▶ begin ─▶ │ evaluate what is new, and what the schema forces first
///                        ▼
///            ┌─▶ choose a token ─▶ forced tokens ─▶ guessed tokens ─┐
///            └── the guesses that were right │ evaluate as a batch ◀┘
struct Generation {
  let native: NativeModel
  /// Nil: the model cannot see pictures.
  let pictures: PictureEncoder?
  let memory: ContextMemory
  let vocabulary: Vocabulary
  let request: GenerationRequest
  let ticket: RequestTicket
  /// What is to be evaluated; empty once it is.
  var prompt: PromptReader.Prompt
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

  /// Starts a generation.
  ///
  /// - Parameters:
  ///   - memory: The sequence that it has.
  ///   - constraint: Stands at the beginning of its text.
  init(
    native: NativeModel, pictures: PictureEncoder?, memory: ContextMemory, vocabulary: Vocabulary,
    request: GenerationRequest, ticket: RequestTicket, prompt: PromptReader.Prompt,
    options: DecodingOptions, constraint: (any TokenConstraint)?
  ) {
    self.native = native
    self.pictures = pictures
    self.memory = memory
    self.vocabulary = vocabulary
    self.request = request
    self.ticket = ticket
    self.prompt = prompt
    self.options = options
    self.constraint = constraint
    endTokens = Set(vocabulary.endTokens)
    usage.promptTokens = prompt.entries.tokenCount
    usage.imageTokens = prompt.entries.imageTokenCount
    usage.encodedImages = prompt.encodedImages
    timings.prompt = prompt.duration
    imageIDs = prompt.entries.imageIDs
    lastTokens = prompt.entries.lastTokens(Self.tokensOfContext, of: vocabulary)
    if drafts { drafter = PromptDrafter(sources: sources) }
  }

  /// How many tokens before a text decide how it is cut into tokens.
  static let tokensOfContext = 8

  /// What the answer may be copied from; an earlier answer about the same images comes first.
  private var sources: [[UInt8]] {
    let answer = native.answers.find(imageIDs).map { [$0] } ?? []
    return answer + request.sources.map { Array($0.utf8) }
  }
}
