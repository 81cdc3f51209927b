/// A token's number in the model's vocabulary.
public typealias TokenID = Int32

/// What a model may write next, token by token. The engine asks before it samples and reports
/// what it sampled; the grammar's matcher is the implementation that ships with Fovea.
///
/// A constraint belongs to one generation at a time and is used from one thread.
package protocol TokenConstraint: AnyObject {
  /// The tokens that may come next: bit `i % 64` of word `i / 64` for token `i`. Valid until the
  /// next call of ``accept(_:)``. Never empty while ``isFinished`` is false. Where the text may
  /// end here, the vocabulary's end-of-generation tokens are set too.
  func allowedTokens() throws(FoveaError) -> TokenMask
  /// Reports the token that was chosen. Throws when the token was not allowed.
  func accept(_ token: TokenID) throws(FoveaError)
  /// Nothing more can follow: the text is complete, and no end token is needed.
  var isFinished: Bool { get }
}
