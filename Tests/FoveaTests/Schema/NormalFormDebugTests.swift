import Testing

@testable import Fovea

@Suite("Normal forms as text")
struct NormalFormDebugTests {
  @Test func aRecursiveObject() throws {
    var builder = FormBuilder()
    let whole = builder.numbers(
      try NumberLanguage.range(minimum: .init(.of("0")), maximum: .init(.of("100")))
        .intersection(NumberLanguage.integers))
    let name = builder.text(from: 1, to: 80)
    let word = try builder.texts(["é", "\n"])
    let price = builder.add {
      $0.numbers = NumberLanguage.all
      $0.allowsNull = true
    }
    let list = builder.list {
      $0.prefix = [word, price]
      $0.rest = NormalForm.nothing
      $0.minItems = 1
      $0.maxItems = 2
      $0.isUnique = true
      $0.contains = [NormalForm.Contains(nodes: [word, price, NormalForm.nothing], minimum: 1)]
    }
    builder.form.nodes[list].pointer = "#/properties/list"
    let root = builder.add { $0.allowsNull = true }
    var shape = FormBuilder.shape(["value": whole, "name?": name, "next?": root, "no?": 0])
    shape.patterns = [NormalForm.Pattern(try FormBuilder.words(["x-b", "x-a", "x-aa"]), list)]
    shape.maxProperties = 4
    shape.implications = [NormalForm.Implication(1, [2])]
    builder.form.nodes[root].objects = [shape, FormBuilder.shape([:], additional: 1)]
    #expect(
      builder.rooted(root).describe() == """
        the value is → 7

        7  null | object of 2 shapes
             shape 1
               "value"          required  whole number 0 … 100
               "name"           optional  string of 1 … 80 characters
               "next"           optional  → 7
               "no"             optional  must not be there
               keys like "x-a"            → 6
               other keys                 none
               0 … 4 keys
               "name" demands "next"
             shape 2
               any key    anything

        6  list  #/properties/list
             item 0  "\\n" | "é"
             item 1  null | number
             others  none
             1 … 2 items
             no two items are equal
             at least 1 of: "\\n" | "é", null | number, none

        """)
  }

  @Test func rangesOfNumbers() throws {
    let samples: [(low: String?, high: String?, text: String)] = [
      ("0", nil, "number ≥ 0"), (nil, "-0.5", "number ≤ -0.5"), ("1", "2.5", "number 1 … 2.5"),
      ("3", "3", "3"),
    ]
    for sample in samples {
      var builder = FormBuilder()
      let language = try NumberLanguage.range(
        minimum: sample.low.map { .init(.of($0)) }, maximum: sample.high.map { .init(.of($0)) })
      let node = builder.numbers(language)
      #expect(builder.rooted(node).describe() == "the value is \(sample.text)\n")
    }
  }

  @Test func otherNumbers() throws {
    let cents = try NumberLanguage.multiples(of: .of("0.01"))
    for (language, text) in [
      (NumberLanguage.integers, "whole number"), (cents, "number, not all"),
      (
        try NumberLanguage.range(
          minimum: .init(.of("0"), isExclusive: true), maximum: .init(.of("1"), isExclusive: true)),
        "number > 0 … < 1"
      ), (try NumberLanguage.values([.of("1.50"), .of("-2")]), "-2 | 1.5"),
    ] {
      var builder = FormBuilder()
      let node = builder.numbers(language)
      #expect(builder.rooted(node).describe() == "the value is \(text)\n")
    }
  }
}
