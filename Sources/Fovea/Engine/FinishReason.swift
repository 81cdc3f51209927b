/// Why a text ended.
public enum FinishReason: String, Sendable, Hashable, CaseIterable {
  /// The model ended it.
  case endOfText
  /// The constraint allows nothing more, at all or within the limit: the value is complete.
  case complete
  /// The limit of the request was reached: the text is cut.
  case tokenLimit
  /// The model's context is full: the text is cut.
  case contextFull

  /// Whether the text ended before it was finished.
  public var isTruncated: Bool { self == .tokenLimit || self == .contextFull }
}
