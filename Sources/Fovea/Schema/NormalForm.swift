/// A schema as a graph of sets of JSON values: the form that the grammar compiles and that the
/// validator checks values against.
///
///     {"type": ["object", "null"], "properties": {"next": {"$ref": "#"}}, "required": ["v"], …}
///
///     nodes  │ 0 nothing │ 1 anything │ 2 ───────────────────────────────┐
///                              ▲        │ null, objects: [               │
///                              │        │   { "v" required ─▶ 1,         │
///                              │        │     "next" optional ─▶ 2 ◀─────┘ recursion is a number
///                              └────────│     additional ─▶ 1 } ]
///
/// Each node is a union over the JSON types. Within a type it is a union too: of length ranges
/// with an automaton (strings), of shapes (arrays, objects). `allOf`, `$ref` with siblings, `not`,
/// `oneOf` and conditions are gone: they became intersections, unions and complements.
///
/// What holds for every normal form that ``Schema`` hands out:
/// - every node but ``nothing`` has a finite instance, and so has every shape of it;
/// - a required property's or a prefix item's node is never ``nothing``; an optional property
///   with ``nothing`` forbids its key;
/// - patterns of an object are disjoint and none of them matches a declared name.
package struct NormalForm: Sendable {
  /// The index of a node.
  package typealias NodeID = Int

  /// The node that allows no value; always the first.
  package static let nothing: NodeID = 0
  /// The node that allows every value; always the second.
  package static let anything: NodeID = 1

  /// All nodes.
  package var nodes: [Node]
  /// The node of the whole value.
  package var root: NodeID

  /// A set of JSON values.
  package struct Node: Sendable {
    /// Whether `null` is allowed.
    package var allowsNull = false
    /// Whether `false` is allowed.
    package var allowsFalse = false
    /// Whether `true` is allowed.
    package var allowsTrue = false
    /// The numbers that are allowed, as texts in ``NumberLanguage``'s notation.
    package var numbers = DFA.empty
    /// The strings that are allowed: those in any of these.
    package var strings: [Strings] = []
    /// The lists that are allowed: those that fit any of these.
    package var arrays: [ArrayShape] = []
    /// The objects that are allowed: those that fit any of these.
    package var objects: [ObjectShape] = []
    /// Where the node was written: a JSON pointer into the schema, for messages.
    package var pointer = "#"

    /// The node without any value.
    package init() {}
  }

  /// Strings of a language whose length lies in a range.
  package struct Strings: Sendable, Hashable {
    /// The language, over the UTF-8 of the string itself, without quotes and escapes. All its
    /// texts are valid UTF-8.
    package var language: DFA
    /// The least number of code points.
    package var minLength: Int
    /// The greatest number of code points; `Int.max` for no limit.
    package var maxLength: Int

    /// Makes a set of strings.
    package init(_ language: DFA, minLength: Int = 0, maxLength: Int = .max) {
      self.language = language
      self.minLength = minLength
      self.maxLength = maxLength
    }
  }

  /// Lists of one shape.
  package struct ArrayShape: Sendable, Hashable {
    /// The nodes of the first items. An array may end before it has them all, unless
    /// ``minItems`` says otherwise.
    package var prefix: [NodeID] = []
    /// The node of the items behind the prefix; ``NormalForm/nothing`` allows none there.
    package var rest: NodeID = NormalForm.anything
    /// The least number of items.
    package var minItems = 0
    /// The greatest number of items; `Int.max` for no limit.
    package var maxItems = Int.max
    /// Whether no two items may be equal.
    package var isUnique = false
    /// Nodes that some of the items must match, beside ``rest`` and ``prefix``.
    package var contains: [Contains] = []

    /// The shape of any array.
    package init() {}
  }

  /// How many items of a list must match a node.
  package struct Contains: Sendable, Hashable {
    /// The node for each position: what an item that counts must match, already intersected with
    /// what the position allows. As long as the prefix, and one more for the rest.
    package var nodes: [NodeID]
    /// How many such items there must be at least.
    package var minimum: Int

    /// Makes a demand.
    package init(nodes: [NodeID], minimum: Int) {
      self.nodes = nodes
      self.minimum = minimum
    }
  }

  /// Objects of one shape.
  package struct ObjectShape: Sendable, Hashable {
    /// The declared properties, in declared order.
    package var properties: [Property] = []
    /// What undeclared keys of certain forms lead to. The languages are disjoint.
    package var patterns: [Pattern] = []
    /// The node of all other keys' values; ``NormalForm/nothing`` closes the object.
    package var additional: NodeID = NormalForm.anything
    /// The least number of properties.
    package var minProperties = 0
    /// The greatest number of properties; `Int.max` for no limit.
    package var maxProperties = Int.max
    /// Where the presence of one property demands others; indices of ``properties``.
    package var implications: [Implication] = []

    /// The shape of any object.
    package init() {}
  }

  /// A declared property.
  package struct Property: Sendable, Hashable {
    /// The key's UTF-8, without quotes and escapes.
    package var name: [UInt8]
    /// What its value must be; ``NormalForm/nothing`` forbids the key.
    package var node: NodeID
    /// Whether the key must be there.
    package var isRequired: Bool

    /// Makes a property.
    package init(_ name: [UInt8], _ node: NodeID, isRequired: Bool) {
      self.name = name
      self.node = node
      self.isRequired = isRequired
    }
  }

  /// Keys of a language, and their values.
  package struct Pattern: Sendable, Hashable {
    /// The keys, over UTF-8.
    package var language: DFA
    /// What their values must be; ``NormalForm/nothing`` forbids such keys.
    package var node: NodeID

    /// Makes a pattern.
    package init(_ language: DFA, _ node: NodeID) {
      self.language = language
      self.node = node
    }
  }

  /// "If the property `condition` is there, `consequences` must be there too."
  package struct Implication: Sendable, Hashable {
    /// Index of the property that demands.
    package var condition: Int
    /// Indices of the properties that are demanded.
    package var consequences: [Int]

    /// Makes an implication.
    package init(_ condition: Int, _ consequences: [Int]) {
      self.condition = condition
      self.consequences = consequences
    }
  }
}
