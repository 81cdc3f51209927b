/// How the next token is chosen.
public struct SamplingOptions: Sendable, Hashable {
  /// 0: always the likeliest token (greedy). Higher: more variety.
  public var temperature: Float
  /// Only the `topK` likeliest tokens are candidates; 0: no limit.
  public var topK: Int
  /// Only the likeliest tokens that together reach this probability are candidates; 1: no limit.
  public var topP: Float
  /// Only tokens at least this likely, relative to the likeliest, are candidates; 0: no limit.
  public var minP: Float
  /// Divides the likelihood of tokens seen among the last ``repeatWindow``; 1: off.
  public var repeatPenalty: Float
  /// How many tokens back ``repeatPenalty`` looks.
  public var repeatWindow: Int
  /// The seed of the random choice; nil: another one each time.
  public var seed: UInt32?

  /// Makes options; by default greedy.
  public init(
    temperature: Float = 0, topK: Int = 0, topP: Float = 1, minP: Float = 0,
    repeatPenalty: Float = 1, repeatWindow: Int = 64, seed: UInt32? = nil
  ) {
    self.temperature = temperature
    self.topK = topK
    self.topP = topP
    self.minP = minP
    self.repeatPenalty = repeatPenalty
    self.repeatWindow = repeatWindow
    self.seed = seed
  }

  /// Some variety, as a conversation wants, for models whose files do not say what suits them.
  public static let conversation = SamplingOptions(
    temperature: 0.7, topK: 40, topP: 0.95, minP: 0.05)

  /// Rejects values that no sampler can work with.
  package func validate() throws(FoveaError) {
    func refuse(_ what: String, _ range: String) -> FoveaError {
      FoveaError(.invalidArgument, "\(what) is out of range", fix: "use a value \(range)")
    }
    guard temperature >= 0, temperature.isFinite else {
      throw refuse("temperature \(temperature)", "of at least 0")
    }
    guard topK >= 0 else { throw refuse("topK \(topK)", "of at least 0") }
    guard topP > 0, topP <= 1 else { throw refuse("topP \(topP)", "above 0 and at most 1") }
    guard minP >= 0, minP <= 1 else { throw refuse("minP \(minP)", "between 0 and 1") }
    guard repeatPenalty > 0, repeatPenalty.isFinite else {
      throw refuse("repeatPenalty \(repeatPenalty)", "above 0")
    }
    guard repeatWindow >= 0 else { throw refuse("repeatWindow \(repeatWindow)", "of at least 0") }
  }
}
