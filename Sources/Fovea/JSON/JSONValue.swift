/// A JSON value that keeps what was written: the order of keys and the digits of numbers.
public indirect enum JSONValue: Sendable, Hashable {
  /// `null`
  case null
  /// `true` or `false`
  case boolean(Bool)
  /// A number, as the digits that were written (`"14.50"` stays `14.50`).
  case number(String)
  /// Text, unescaped.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object; keys keep their order.
  case object([Member])

  /// A key and its value.
  public struct Member: Sendable, Hashable {
    /// The key, unescaped.
    public var name: String
    /// Its value.
    public var value: JSONValue

    /// Makes a member.
    public init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }
}
