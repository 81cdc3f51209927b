/// A piece of a rendered prompt.
package enum PromptPart: Sendable, Hashable {
  /// Text of the template: control tokens in it are control tokens.
  case trusted(String)
  /// Text of a user, a document or a schema: control tokens in it are plain letters.
  case untrusted(String)
  /// An image, fitted to the model.
  case image(PixelImage)
}
