/// What happens while a value is extracted.
public enum ExtractionEvent<Value: Sendable>: Sendable {
  /// More of the model's thought, which comes before the value.
  case thinking(String)
  /// More of the JSON text.
  case text(String)
  /// The value as far as it has been written.
  case partial(JSONValue)
  /// The whole value; the last event.
  case finished(Extraction<Value>)
}
