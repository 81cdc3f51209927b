extension JSONValue {
  /// Reads a JSON text.
  ///
  /// Everything that RFC 8259 does not allow is refused, and beyond that a key that appears twice
  /// in one object, half of a surrogate pair (`"\ud83d"`, which no Swift string can hold), and
  /// containers nested deeper than 512 levels.
  ///
  ///     let receipt = try JSONValue(parsing: #"{"total": 14.50}"#)
  ///     print(receipt.text)     // {"total":14.50}
  ///
  /// - Throws: ``FoveaError`` with the code ``FoveaError/Code/invalidArgument``; its message says
  ///   the line and column of the fault.
  public init(parsing text: String) throws(FoveaError) {
    do throws(JSONSyntaxError) {
      self = try JSONParser.parse(text)
    } catch {
      throw FoveaError(.invalidArgument, "the text is not JSON: \(error)")
    }
  }

  /// The best value of a JSON text that is still being written; nil while there is nothing yet.
  ///
  /// Open objects, lists and strings are closed where they stand. A key without a value is left
  /// out; so are an escape that is not complete, `true`, `false` and `null` until their last
  /// letter, and a number until something follows it (`1` may become `12`). From the first byte on
  /// that is not JSON the text is ignored. While a text grows, its partial value only grows.
  ///
  ///     JSONValue(partial: #"{"vendor": "Caf"#)?.text     // {"vendor":"Caf"}
  ///     JSONValue(partial: #"{"total": 14.5"#)?.text      // {}
  public init?(partial text: String) {
    guard let value = JSONParser.parse(partial: text) else { return nil }
    self = value
  }
}
