extension NormalFormValidation {
  /// Why a text is not one of a set of strings.
  enum TextBreach {
    case language
    case tooShort(Int, Int)
    case tooLong(Int, Int)

    var reason: String? {
      switch self {
      case .language: nil
      case .tooShort(let length, let least): "has \(length) characters, fewer than \(least)"
      case .tooLong(let length, let most): "has \(length) characters, more than \(most)"
      }
    }
  }

  /// What a container itself breaks of a shape, whatever its parts are.
  mutating func own(_ pair: Pair, shape: Int) -> String? {
    let item = tree.items[pair.item]
    if case .array = item.value {
      return own(item, pair.targets[shape], form.nodes[pair.node].arrays[shape])
    }
    return own(item, pair.targets[shape], form.nodes[pair.node].objects[shape])
  }

  private mutating func own(
    _ item: ValueTree.Item, _ targets: [NodeID], _ shape: NormalForm.ArrayShape
  ) -> String? {
    let count = item.children.count
    if count < shape.minItems { return "has \(count) items, fewer than \(shape.minItems)" }
    let most =
      shape.rest == NormalForm.nothing ? min(shape.maxItems, shape.prefix.count) : shape.maxItems
    if count > most { return "has \(count) items, more than \(most)" }
    if let position = targets.firstIndex(of: NormalForm.nothing) {
      return "has \(count) items, more than \(position)"
    }
    if shape.isUnique {
      var first: [Int: Int] = [:]
      for (position, child) in item.children.enumerated() {
        if let other = first.updateValue(position, forKey: classes[child]) {
          return "has equal items at \(other) and \(position)"
        }
      }
    }
    for contains in shape.contains {
      var matches = 0
      for (position, child) in item.children.enumerated() {
        let node = contains.nodes[min(position, shape.prefix.count)]
        if self.pair(node, child).cost == 0 { matches += 1 }
      }
      if matches < contains.minimum {
        return "has \(matches) items of a kind of which it needs \(contains.minimum)"
      }
    }
    return nil
  }

  private func own(
    _ item: ValueTree.Item, _ targets: [NodeID], _ shape: NormalForm.ObjectShape
  ) -> String? {
    for (key, target) in zip(item.keys, targets) {
      if target == NormalForm.nothing {
        let isDeclared = shape.properties.contains { $0.name == key }
        let what = isDeclared ? "must not be there" : "is not declared"
        return "has the key \(JSONValue.quoted(key)) that \(what)"
      }
    }
    let keys = Set(item.keys)
    let missing = shape.properties.first { $0.isRequired && !keys.contains($0.name) }
    if let missing { return "lacks the required key \(JSONValue.quoted(missing.name))" }
    for implication in shape.implications {
      let condition = shape.properties[implication.condition].name
      if !keys.contains(condition) { continue }
      let absent = implication.consequences.first { !keys.contains(shape.properties[$0].name) }
      if let absent {
        return "lacks the key \(JSONValue.quoted(shape.properties[absent].name)), which must be "
          + "there beside \(JSONValue.quoted(condition))"
      }
    }
    let count = item.keys.count
    if count < shape.minProperties {
      return "has \(count) keys, fewer than \(shape.minProperties)"
    }
    return count > shape.maxProperties
      ? "has \(count) keys, more than \(shape.maxProperties)" : nil
  }

  /// The first part that does not fit, along the nearest shapes.
  mutating func explanation() -> (item: Int, reason: String) {
    var pair = pairs[0]
    while !pair.targets.isEmpty {
      let item = tree.items[pair.item]
      let parts = zip(item.children, pair.targets[pair.nearest])
      // A key that must not be there is the object's fault, not that of its value.
      let wrong = parts.first { child, target in
        target != NormalForm.nothing && self.pair(target, child).cost > 0
      }
      guard let wrong else {
        let reason = own(pair, shape: pair.nearest) ?? "does not fit"
        return (pair.item, reason + place(pair.node))
      }
      pair = self.pair(wrong.1, wrong.0)
    }
    return (pair.item, scalarReason(pair) + place(pair.node))
  }

  private func place(_ node: NodeID) -> String {
    let pointer = form.nodes[node].pointer
    return pointer == "#" ? "" : " (schema at \(pointer))"
  }

  private func scalarReason(_ pair: Pair) -> String {
    let value = tree.items[pair.item].value
    let node = form.nodes[pair.node]
    if let number = tree.items[pair.item].number, !node.numbers.isEmpty {
      return "is \(value.cutText), \(Self.reason(number, node.numbers))"
    }
    if case .string(let text) = value, !node.strings.isEmpty {
      // Where the text itself would fit, its length is what is wrong.
      for strings in node.strings {
        if let reason = strings.violation(of: text)?.reason { return reason }
      }
      return "is \(value.cutText), which does not match"
    }
    return "is \(value.cutText), not \(node.nouns)"
  }

  private static func reason(_ number: ExactNumber, _ language: DFA) -> String {
    do throws(AutomatonTooLarge) {
      if !number.isInteger, try language.subtracting(NumberLanguage.integers).isEmpty {
        return "not a whole number"
      }
      if let least = try NumberLanguage.least(language) {
        if number < least.value { return "which is less than \(least.value.text)" }
        if number == least.value, least.isExclusive {
          return "which is not more than \(least.value.text)"
        }
      }
      if let greatest = try NumberLanguage.greatest(language) {
        if greatest.value < number { return "which is more than \(greatest.value.text)" }
        if number == greatest.value, greatest.isExclusive {
          return "which is not less than \(greatest.value.text)"
        }
      }
    } catch {
      // The language is too large for a more precise reason.
    }
    return "which is not an allowed number"
  }
}

extension NormalForm.Node {
  /// What is allowed, in words: `null, a number or a list`.
  var nouns: String {
    var nouns: [String] = []
    if allowsNull { nouns.append("null") }
    switch (allowsFalse, allowsTrue) {
    case (true, true): nouns.append("a boolean")
    case (true, false): nouns.append("false")
    case (false, true): nouns.append("true")
    case (false, false): break
    }
    if !numbers.isEmpty { nouns.append("a number") }
    if !strings.isEmpty { nouns.append("a string") }
    if !arrays.isEmpty { nouns.append("a list") }
    if !objects.isEmpty { nouns.append("an object") }
    guard let last = nouns.popLast() else { return "allowed" }
    return nouns.isEmpty ? last : nouns.joined(separator: ", ") + " or " + last
  }
}
