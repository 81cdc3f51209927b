extension NormalForm {
  /// The normal form as text, for an engineer who wants to see what became of a schema: each node
  /// with lists or objects in its own paragraph, everything else where it is used.
  ///
  ///     the value is → 2
  ///
  ///     2  null | object  #/$defs/node
  ///          "value"     required  whole number 0 … 100
  ///          "next"      optional  → 2
  ///          other keys            none
  package func describe() -> String {
    var order: [NodeID] = []
    var seen: Set<NodeID> = [root]
    var queue = [root]
    var position = 0
    while position < queue.count {
      let id = queue[position]
      position += 1
      if isParagraph(id) { order.append(id) }
      for target in targets(of: id) where seen.insert(target).inserted { queue.append(target) }
    }
    let paragraphs = order.map { id in
      let node = nodes[id]
      var head = "\(id)  \(kinds(of: node))"
      if node.pointer != "#" { head += "  \(node.pointer)" }
      let shapes = node.arrays.map { lines($0) } + node.objects.map { lines($0) }
      let rows = shapes.enumerated().flatMap { index, rows in
        shapes.count == 1 ? rows : ["shape \(index + 1)"] + rows.map { "  " + $0 }
      }
      return ([head] + rows.map { "     " + $0 }).joined(separator: "\n")
    }
    return (["the value is \(reference(root))"] + paragraphs).joined(separator: "\n\n") + "\n"
  }

  /// Whether a node is told in a paragraph of its own.
  private func isParagraph(_ id: NodeID) -> Bool {
    id > Self.anything && !(nodes[id].arrays.isEmpty && nodes[id].objects.isEmpty)
  }

  private func targets(of id: NodeID) -> [NodeID] {
    if id <= Self.anything { return [] }
    let lists = nodes[id].arrays.flatMap { shape in
      shape.prefix + [shape.rest] + shape.contains.flatMap(\.nodes)
    }
    let objects = nodes[id].objects.flatMap { shape in
      shape.properties.map(\.node) + shape.patterns.map(\.node) + [shape.additional]
    }
    return lists + objects
  }

  private func reference(_ id: NodeID) -> String {
    if id == Self.nothing { return "none" }
    if id == Self.anything { return "anything" }
    return isParagraph(id) ? "→ \(id)" : kinds(of: nodes[id])
  }

  /// What a node allows, containers by name only.
  private func kinds(of node: Node) -> String {
    var kinds: [String] = []
    if node.allowsNull { kinds.append("null") }
    switch (node.allowsFalse, node.allowsTrue) {
    case (true, true): kinds.append("boolean")
    case (true, false): kinds.append("false")
    case (false, true): kinds.append("true")
    case (false, false): break
    }
    if !node.numbers.isEmpty { kinds.append(Self.described(numbers: node.numbers)) }
    kinds += node.strings.map { $0.description }
    for (count, noun) in [(node.arrays.count, "list"), (node.objects.count, "object")] {
      if count > 0 { kinds.append(count == 1 ? noun : "\(noun) of \(count) shapes") }
    }
    return kinds.isEmpty ? "none" : kinds.joined(separator: " | ")
  }

  private func lines(_ shape: ArrayShape) -> [String] {
    var rows = shape.prefix.enumerated().map { index, node in ["item \(index)", reference(node)] }
    rows.append([shape.prefix.isEmpty ? "items" : "others", reference(shape.rest)])
    var result = Self.aligned(rows)
    if let range = Self.range(shape.minItems, shape.maxItems, "items") { result.append(range) }
    if shape.isUnique { result.append("no two items are equal") }
    for contains in shape.contains {
      var seen: [String] = []
      for node in contains.nodes.map(reference) where !seen.contains(node) { seen.append(node) }
      result.append("at least \(contains.minimum) of: \(seen.joined(separator: ", "))")
    }
    return result
  }

  private func lines(_ shape: ObjectShape) -> [String] {
    func name(_ index: Int) -> String { Self.quoted(shape.properties[index].name) }
    var rows = shape.properties.map { property in
      [
        Self.quoted(property.name), property.isRequired ? "required" : "optional",
        property.node == Self.nothing ? "must not be there" : reference(property.node),
      ]
    }
    for pattern in shape.patterns {
      rows.append(["keys like \(Self.example(pattern.language))", "", reference(pattern.node)])
    }
    rows.append([rows.isEmpty ? "any key" : "other keys", "", reference(shape.additional)])
    var result = Self.aligned(rows)
    if let range = Self.range(shape.minProperties, shape.maxProperties, "keys") {
      result.append(range)
    }
    for implication in shape.implications {
      let consequences = implication.consequences.map(name).joined(separator: ", ")
      result.append("\(name(implication.condition)) demands \(consequences)")
    }
    return result
  }
}

extension NormalForm {
  /// Rows with columns as wide as they must be.
  fileprivate static func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.first?.count ?? 0
    let widths = (0..<columns).map { column in
      rows.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    return rows.map { row in
      row.enumerated().map { column, text in
        let gap = widths[column] - text.unicodeScalars.count
        return column == columns - 1 ? text : text + String(repeating: " ", count: gap)
      }.joined(separator: "  ")
    }
  }

  /// "2 … 5 items"; nil when there is no limit.
  fileprivate static func range(_ least: Int, _ most: Int, _ noun: String) -> String? {
    if most == .max { return least == 0 ? nil : "\(least) or more \(noun)" }
    return least == most ? "\(least) \(noun)" : "\(least) … \(most) \(noun)"
  }

  fileprivate static func quoted(_ text: [UInt8]) -> String { JSONValue.quoted(text) }

  /// The shortest text of a language.
  fileprivate static func example(_ language: DFA) -> String {
    let lengths = language.shortestCompletions
    var state = language.start
    var text: [UInt8] = []
    while lengths[Int(state)] > 0 {
      // Letters before signs, and what can be read before what cannot.
      let letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z")) + Array(UInt8.min...UInt8.max)
      let byte = letters.first { byte in
        let next = language.next(state, byte)
        return next != DFA.dead && lengths[Int(next)] < lengths[Int(state)]
      }
      guard let byte else { break }
      text.append(byte)
      state = language.next(state, byte)
    }
    return quoted(text)
  }

  fileprivate static func described(numbers: DFA) -> String {
    do throws(AutomatonTooLarge) {
      let canonical = try NumberLanguage.canonical(numbers)
      if let few = canonical.allWords(limit: 8) {
        return few.map { String(decoding: $0.text, as: UTF8.self) }.joined(separator: " | ")
      }
      let least = try NumberLanguage.least(numbers)
      let greatest = try NumberLanguage.greatest(numbers)
      var plain = try NumberLanguage.range(minimum: least, maximum: greatest)
      let isWhole = try numbers.subtracting(NumberLanguage.integers).isEmpty
      if isWhole { plain = try plain.intersection(NumberLanguage.integers) }
      var text = isWhole ? "whole number" : "number"
      switch (least, greatest) {
      case (nil, nil): break
      case (let least?, nil):
        text += least.isExclusive ? " > " : " ≥ "
        text += least.value.text
      case (nil, let greatest?):
        text += greatest.isExclusive ? " < " : " ≤ "
        text += greatest.value.text
      case (let least?, let greatest?):
        text += " \(least.isExclusive ? "> " : "")\(least.value.text) … "
        text += "\(greatest.isExclusive ? "< " : "")\(greatest.value.text)"
      }
      return numbers == plain ? text : text + ", not all"
    } catch {
      return "number"
    }
  }
}

extension NormalForm.Strings {
  /// The strings in words: few by themselves, many by their length and an example.
  fileprivate var description: String {
    if let few = language.allWords(limit: 8), minLength == 0, maxLength == .max {
      return few.map { NormalForm.quoted($0.text) }.joined(separator: " | ")
    }
    var text = "string"
    if let range = NormalForm.range(minLength, maxLength, "characters") { text += " of \(range)" }
    // A language with the empty text is most often that of all texts.
    return language.accepts([]) ? text : text + " like \(NormalForm.example(language))"
  }
}
