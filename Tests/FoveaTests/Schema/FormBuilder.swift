@testable import Fovea

/// Builds normal forms by hand; nodes 0 and 1 are there.
struct FormBuilder {
  typealias NodeID = NormalForm.NodeID

  var form: NormalForm

  init() {
    var anything = NormalForm.Node()
    anything.allowsNull = true
    anything.allowsFalse = true
    anything.allowsTrue = true
    anything.numbers = NumberLanguage.all
    anything.strings = [NormalForm.Strings(Self.anyText)]
    anything.arrays = [NormalForm.ArrayShape()]
    anything.objects = [NormalForm.ObjectShape()]
    form = NormalForm(nodes: [NormalForm.Node(), anything], root: 1)
  }

  /// Any bytes: texts are valid UTF-8 already where they are asked for.
  static let anyText: DFA = {
    var builder = DFA.Builder()
    do throws(AutomatonTooLarge) {
      let state = try builder.add(label: 1)
      builder.connect(state, 0, 255, to: state)
      return builder.finish(start: state)
    } catch {
      return .empty
    }
  }()

  static func words(_ words: [String]) throws -> DFA { try DFA.words(words.map { Array($0.utf8) }) }

  mutating func add(_ change: (inout NormalForm.Node) throws -> Void) rethrows -> NodeID {
    var node = NormalForm.Node()
    try change(&node)
    form.nodes.append(node)
    return form.nodes.count - 1
  }

  mutating func numbers(
    _ language: DFA, pointer: String = "#"
  ) -> NodeID {
    add {
      $0.numbers = language
      $0.pointer = pointer
    }
  }

  mutating func texts(_ texts: [String], pointer: String = "#") throws -> NodeID {
    let language = try Self.words(texts)
    return add {
      $0.strings = [NormalForm.Strings(language)]
      $0.pointer = pointer
    }
  }

  mutating func text(from least: Int = 0, to most: Int = .max) -> NodeID {
    add { $0.strings = [NormalForm.Strings(Self.anyText, minLength: least, maxLength: most)] }
  }

  /// A list node of one shape.
  mutating func list(_ change: (inout NormalForm.ArrayShape) -> Void) -> NodeID {
    var shape = NormalForm.ArrayShape()
    change(&shape)
    return add { $0.arrays = [shape] }
  }

  /// An object shape; names with `?` are optional.
  static func shape(
    _ properties: KeyValuePairs<String, NodeID>, additional: NodeID = NormalForm.nothing
  ) -> NormalForm.ObjectShape {
    var shape = NormalForm.ObjectShape()
    for (name, node) in properties {
      let isRequired = !name.hasSuffix("?")
      shape.properties.append(
        NormalForm.Property(
          Array(name.utf8.prefix(isRequired ? name.utf8.count : name.utf8.count - 1)), node,
          isRequired: isRequired))
    }
    shape.additional = additional
    return shape
  }

  mutating func objects(_ shapes: [NormalForm.ObjectShape]) -> NodeID {
    add { $0.objects = shapes }
  }

  /// The form whose root is this node.
  func rooted(_ root: NodeID) -> NormalForm {
    var form = form
    form.root = root
    return form
  }
}
