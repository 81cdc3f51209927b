/// `const` and `enum`.
extension SchemaNormalizer {
  /// The node of one value; parts of lists and objects are nodes of their own.
  mutating func constant(_ value: JSONValue, at pointer: String) throws(FoveaError) -> Node {
    try constants([value], at: pointer, isList: false)
  }

  /// The node of these values and no others.
  mutating func constants(_ values: [JSONValue], at pointer: String) throws(FoveaError) -> Node {
    try constants(values, at: pointer, isList: true)
  }

  private mutating func constants(
    _ values: [JSONValue], at pointer: String, isList: Bool
  ) throws(FoveaError) -> Node {
    var node = Node()
    node.pointer = pointer
    var numbers: [ExactNumber] = []
    var texts: [[UInt8]] = []
    for (index, value) in values.enumerated() {
      switch value {
      case .null: node.allowsNull = true
      case .boolean(let value):
        if value { node.allowsTrue = true } else { node.allowsFalse = true }
      case .number(let text):
        guard let number = ExactNumber(text) else {
          throw .schemaUnsupported(
            isList ? "\(pointer)/\(index)" : pointer, isList ? "enum" : "const",
            "has a number with a huge exponent, or none at all", fix: "use a shorter number")
        }
        numbers.append(number)
      case .string(let text): texts.append(Array(text.utf8))
      case .array(let items):
        let place = isList ? "\(pointer)/\(index)" : pointer
        try add(try shape(of: items, at: place), to: &node.arrays, at: pointer)
      case .object(let members):
        let place = isList ? "\(pointer)/\(index)" : pointer
        try add(try shape(of: members, at: place), to: &node.objects, at: pointer)
      }
    }
    if !numbers.isEmpty {
      node.numbers = try build(at: pointer) { (_) throws(AutomatonTooLarge) in
        try NumberLanguage.values(numbers)
      }
    }
    if !texts.isEmpty {
      let language = try build(at: pointer) { (languages) throws(AutomatonTooLarge) in
        try languages.words(texts)
      }
      node.strings = [NormalForm.Strings(language)]
    }
    return node
  }

  private mutating func shape(
    of items: [JSONValue], at pointer: String
  ) throws(FoveaError) -> NormalForm.ArrayShape {
    var shape = NormalForm.ArrayShape()
    for (index, item) in items.enumerated() {
      shape.prefix.append(try node(of: item, at: "\(pointer)/\(index)"))
    }
    shape.rest = NormalForm.nothing
    shape.minItems = items.count
    shape.maxItems = items.count
    return shape
  }

  private mutating func shape(
    of members: [JSONValue.Member], at pointer: String
  ) throws(FoveaError) -> NormalForm.ObjectShape {
    var shape = NormalForm.ObjectShape()
    for member in members {
      let node = try node(of: member.value, at: "\(pointer)/\(member.name.escapedForPointer)")
      shape.properties.append(
        NormalForm.Property(Array(member.name.utf8), node, isRequired: true))
    }
    shape.additional = NormalForm.nothing
    return shape
  }
}
