/// A turn of a conversation.
public struct Message: Sendable, Hashable {
  /// Who speaks.
  public enum Role: String, Sendable, Hashable, CaseIterable {
    /// Rules for the model.
    case system
    /// The person, or the app.
    case user
    /// The model.
    case assistant
  }

  /// A piece of a message.
  public enum Part: Sendable, Hashable {
    /// Text. Control tokens that it spells are plain letters to the model.
    case text(String)
    /// An image, fitted to the model.
    case image(PixelImage)
  }

  /// Who speaks.
  public var role: Role
  /// What is said, in order.
  public var parts: [Part]

  /// Makes a message of parts.
  public init(_ role: Role, _ parts: [Part]) {
    self.role = role
    self.parts = parts
  }

  /// Makes a message of text.
  public init(_ role: Role, _ text: String) {
    self.init(role, [.text(text)])
  }
}

extension Message {
  /// All its text.
  package var text: String {
    parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
  }
}
