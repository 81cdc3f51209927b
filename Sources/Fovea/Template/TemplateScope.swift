/// The names of a part of a template: the whole, a pass of a loop, a macro's call.
final class TemplateScope {
  /// The names of a part, which are few, and their values.
  private var symbols: [TemplateSymbol] = []
  private var values: [TemplateValue] = []
  /// The names of the whole, by symbol.
  private var table: [TemplateValue?] = []
  let parent: TemplateScope?
  /// Whether it is cleared at the end of the run.
  var isKept = false

  init(_ parent: TemplateScope) { self.parent = parent }

  /// The names of the whole.
  init(_ table: [TemplateValue?]) {
    self.table = table
    parent = nil
  }

  /// The value of a name, here or around.
  subscript(symbol: TemplateSymbol) -> TemplateValue? {
    guard let parent else { return table.isEmpty ? nil : table[symbol.index] }
    for index in 0..<symbols.count where symbols[index] == symbol { return values[index] }
    return parent[symbol]
  }

  /// Gives a name a value here.
  func set(_ symbol: TemplateSymbol, _ value: TemplateValue) {
    if parent == nil {
      if !table.isEmpty { table[symbol.index] = value }
      return
    }
    for index in 0..<symbols.count where symbols[index] == symbol {
      values[index] = value
      return
    }
    symbols.append(symbol)
    values.append(value)
  }

  /// Makes it as good as new.
  func reset() {
    symbols.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  /// Lets go of all values: a macro holds the scope that holds it.
  func clear() {
    symbols = []
    values = []
    table = []
  }
}
