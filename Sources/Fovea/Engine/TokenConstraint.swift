/// A token's number in the model's vocabulary.
public typealias TokenID = Int32

/// What a model may write next, token by token. The engine asks before it samples and reports
/// what it sampled; the grammar's matcher is the implementation that ships with Fovea.
///
/// A constraint belongs to one generation at a time and is used from one thread. Another one may
/// use it after ``reset()``; see ``ConstraintPool``.
package protocol TokenConstraint: AnyObject {
  /// The tokens that may come next: bit `i % 64` of word `i / 64` for token `i`. Valid until the
  /// next call of ``accept(_:)``. Never empty while ``isFinished`` is false. Where the text may
  /// end here, the vocabulary's end-of-generation tokens are set too.
  func allowedTokens() throws(FoveaError) -> TokenMask
  /// Reports the token that was chosen. Throws when the token was not allowed.
  func accept(_ token: TokenID) throws(FoveaError)
  /// The tokens that must come next, as the model's tokenizer would write them behind `previous`,
  /// the last tokens before; empty where the model has a choice. What `tokenize` gives for bytes
  /// must not depend on when it is asked.
  func forcedTokens(
    after previous: [TokenID], tokenize: ([UInt8]) throws(FoveaError) -> [TokenID]
  ) throws(FoveaError) -> [TokenID]
  /// The bytes that must come behind these, which must be allowed; empty where the text may end or
  /// there is a choice.
  func forcedBytes(behind bytes: [UInt8]) -> [UInt8]
  /// How many of these bytes may come next, one after the other.
  func allowedPrefix(of bytes: [UInt8]) -> Int
  /// Nothing more can follow: the text is complete, and no end token is needed.
  var isFinished: Bool { get }
  /// The text may end here, though more may follow.
  var isComplete: Bool { get }

  /// Sees to it that the text is complete after at most so many more tokens, end tokens not
  /// counted, by leaving tokens out of the masks. Sure where the count is at least
  /// ``shortestCompletion``; with less the text is closed as soon as the model's tokens allow.
  /// Holds until ``reset()``.
  func limit(toTokens count: Int)
  /// Whether the limit kept a token out of a mask that would be in it otherwise.
  var isTruncatedByBudget: Bool { get }
  /// The least number of bytes that complete the text, and so a number of tokens that is enough.
  var shortestCompletion: Int { get }

  /// Starts another text without a limit; what was found out for the last one is kept.
  func reset()
  /// Whether keeping it for another text is worth its memory.
  var isReusable: Bool { get }
}
