import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Values against normal forms")
struct NormalFormValidationTests {
  func check(
    _ form: NormalForm, accepts: [String], rejects: KeyValuePairs<String, String>,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for text in accepts {
      let violation = form.violation(of: try JSONValue(parsing: text))
      #expect(violation == nil, "\(text)", sourceLocation: location)
    }
    for (text, reason) in rejects {
      let violation = form.violation(of: try JSONValue(parsing: text))
      #expect(violation == reason, "\(text)", sourceLocation: location)
    }
  }

  static let samples = [
    "null", "true", "false", "0", "-1.5e300", "\"\"", "\"é\"", "[]", "[1,[2,{\"a\":null}]]", "{}",
    "{\"a\":{\"b\":[]}}",
  ]

  @Test func everythingAndNothing() throws {
    let form = FormBuilder().form
    try check(form, accepts: Self.samples, rejects: [:])
    var nothing = form
    nothing.root = NormalForm.nothing
    for text in Self.samples { #expect(!nothing.accepts(try JSONValue(parsing: text))) }
    try check(nothing, accepts: [], rejects: ["[1]": "the value is [1], not allowed"])
  }

  @Test func scalars() throws {
    var builder = FormBuilder()
    let node = try builder.add {
      $0.allowsNull = true
      $0.allowsTrue = true
      $0.numbers = try NumberLanguage.range(minimum: .init(.of("0")), maximum: .init(.of("1e3")))
        .intersection(NumberLanguage.integers)
      $0.pointer = "#/properties/price"
    }
    let place = " (schema at #/properties/price)"
    try check(
      builder.rooted(node), accepts: ["null", "true", "0", "-0", "1.0", "1e3", "0.5e1"],
      rejects: [
        "false": "the value is false, not null, true or a number" + place,
        "-1": "the value is -1, which is less than 0" + place,
        "1001": "the value is 1001, which is more than 1000" + place,
        "1e999999999": "the value is 1e999999999, which is more than 1000" + place,
        "0.5": "the value is 0.5, not a whole number" + place,
        "\"1\"": "the value is \"1\", not null, true or a number" + place,
      ])
  }

  @Test func texts() throws {
    var builder = FormBuilder()
    let limited = builder.text(from: 2, to: 3)
    try check(
      builder.rooted(limited), accepts: ["\"ab\"", "\"äöü\"", "\"👍🏽\""],
      rejects: [
        "\"a\"": "the value has 1 characters, fewer than 2",
        "\"abcd\"": "the value has 4 characters, more than 3",
        // One character to see, five code points.
        "\"👨‍👩‍👧\"": "the value has 5 characters, more than 3",
      ])
    let words = try builder.texts(["red", "é"], pointer: "#/x")
    try check(
      builder.rooted(words), accepts: ["\"red\"", "\"\\u00e9\""],
      rejects: [
        "\"re\"": "the value is \"re\", which does not match (schema at #/x)",
        // The same to the eye, other code points.
        "\"e\\u0301\"": "the value is \"e\u{301}\", which does not match (schema at #/x)",
        "3": "the value is 3, not a string (schema at #/x)",
      ])
    let two = builder.add {
      $0.strings = [
        NormalForm.Strings(FormBuilder.anyText, maxLength: 1),
        NormalForm.Strings(FormBuilder.anyText, minLength: 4),
      ]
    }
    try check(
      builder.rooted(two), accepts: ["\"a\"", "\"abcd\""],
      rejects: ["\"ab\"": "the value has 2 characters, more than 1"])
  }

  @Test func lists() throws {
    var builder = FormBuilder()
    let number = builder.numbers(NumberLanguage.all)
    let whole = builder.numbers(NumberLanguage.integers)
    let text = builder.text()
    let plain = builder.list {
      $0.rest = number
      $0.minItems = 1
      $0.maxItems = 2
    }
    try check(
      builder.rooted(plain), accepts: ["[1]", "[1,2.5]"],
      rejects: [
        "[]": "the value has 0 items, fewer than 1",
        "[1,2,3]": "the value has 3 items, more than 2",
        "[1,\"x\"]": "/1 is \"x\", not a number", "{}": "the value is {}, not a list",
      ])
    let pair = builder.list {
      $0.prefix = [text, number]
      $0.rest = NormalForm.nothing
    }
    try check(
      builder.rooted(pair), accepts: ["[]", "[\"a\"]", "[\"a\",1]"],
      rejects: [
        "[\"a\",1,2]": "the value has 3 items, more than 2", "[1]": "/0 is 1, not a string",
      ])
    let contains = builder.list {
      $0.prefix = [number]
      $0.rest = NormalForm.anything
      $0.contains = [NormalForm.Contains(nodes: [whole, text], minimum: 2)]
    }
    try check(
      builder.rooted(contains), accepts: ["[1,\"a\"]", "[1.5,\"a\",null,\"b\"]"],
      rejects: [
        "[1]": "the value has 1 items of a kind of which it needs 2",
        "[1.5,\"a\",2]": "the value has 1 items of a kind of which it needs 2",
        "[\"a\",\"a\",\"a\"]": "/0 is \"a\", not a number",
      ])
  }

  @Test func repetitions() throws {
    var builder = FormBuilder()
    let unique = builder.list { $0.isUnique = true }
    try check(
      builder.rooted(unique),
      accepts: [
        "[]", "[1,\"1\",true,null,false,0,[],{},[[]],\"\"]", "[{\"a\":1},{\"a\":2},{\"b\":1}]",
        "[[1,2],[2,1]]", "[\"\\u00e9\",\"e\\u0301\"]", "[{\"a\":{}},{\"a\":[]},{}]",
      ],
      rejects: [
        "[1,2,1.0]": "the value has equal items at 0 and 2",
        "[100,1e2]": "the value has equal items at 0 and 1",
        "[0,-0]": "the value has equal items at 0 and 1",
        "[{\"a\":1,\"b\":[2]},{\"b\":[2.0],\"a\":1}]": "the value has equal items at 0 and 1",
        "[[],{},[]]": "the value has equal items at 0 and 2",
      ])
  }

  @Test func objects() throws {
    var builder = FormBuilder()
    let number = builder.numbers(NumberLanguage.all)
    let text = builder.text()
    let closed = builder.objects([
      FormBuilder.shape(["a/b": number, "c~?": text, "no?": NormalForm.nothing])
    ])
    try check(
      builder.rooted(closed), accepts: ["{\"a/b\":1}", "{\"c~\":\"x\",\"a/b\":1}"],
      rejects: [
        "{}": "the value lacks the required key \"a/b\"",
        "{\"a/b\":\"x\"}": "/a~1b is \"x\", not a number",
        "{\"a/b\":1,\"c~\":2}": "/c~0 is 2, not a string",
        "{\"a/b\":1,\"d\":2}": "the value has the key \"d\" that is not declared",
        "{\"a/b\":1,\"no\":2}": "the value has the key \"no\" that must not be there",
      ])
    let value = JSONValue.object([
      .init("a/b", .number("1")), .init("c~", .string("x")), .init("a/b", .number("2")),
    ])
    #expect(builder.rooted(closed).violation(of: value) == "the value has the key \"a/b\" twice")
    #expect(
      builder.form.violation(of: .array([value])) == "/0 has the key \"a/b\" twice")
    // Equal for Swift, but not for JSON.
    #expect(
      builder.form.accepts(.object([.init("\u{e9}", .null), .init("e\u{301}", .null)])))
  }

  @Test func keysOfAllKinds() throws {
    var builder = FormBuilder()
    let number = builder.numbers(NumberLanguage.all)
    let text = builder.text()
    var shape = FormBuilder.shape(["x1?": text], additional: NormalForm.anything)
    shape.patterns = [
      NormalForm.Pattern(try FormBuilder.words(["x1", "x2"]), number),
      NormalForm.Pattern(try FormBuilder.words(["y"]), NormalForm.nothing),
    ]
    shape.minProperties = 1
    shape.maxProperties = 3
    shape.properties.append(NormalForm.Property(Array("w".utf8), text, isRequired: false))
    shape.implications = [NormalForm.Implication(0, [1])]
    let node = builder.objects([shape])
    try check(
      builder.rooted(node),
      accepts: ["{\"x2\":1}", "{\"x1\":\"a\",\"w\":\"b\"}", "{\"z\":null,\"w\":\"b\",\"x2\":2}"],
      rejects: [
        "{}": "the value has 0 keys, fewer than 1",
        "{\"x1\":\"a\",\"w\":\"b\",\"x2\":1,\"z\":1}": "the value has 4 keys, more than 3",
        "{\"x1\":\"a\"}":
          "the value lacks the key \"w\", which must be there beside \"x1\"",
        "{\"x1\":1,\"w\":\"b\"}": "/x1 is 1, not a string",
        "{\"x2\":\"a\"}": "/x2 is \"a\", not a number",
        "{\"y\":1}": "the value has the key \"y\" that is not declared",
      ])
  }

  /// The reason is that of the branch which the value was meant to be.
  @Test func unions() throws {
    var builder = FormBuilder()
    let size = builder.numbers(
      try NumberLanguage.range(minimum: .init(.of("0")), maximum: nil), pointer: "#/$defs/size")
    let circle = try builder.texts(["circle"])
    let square = try builder.texts(["square"])
    let shapes = builder.add { _ in }
    builder.form.nodes[shapes].objects = [
      FormBuilder.shape(["kind": circle, "radius": size, "next?": shapes]),
      FormBuilder.shape(["kind": square, "side": size, "next?": shapes]),
    ]
    builder.form.nodes[shapes].allowsNull = true
    try check(
      builder.rooted(shapes),
      accepts: [
        "null", "{\"kind\":\"circle\",\"radius\":1}",
        "{\"next\":{\"side\":2,\"kind\":\"square\"},\"radius\":1,\"kind\":\"circle\"}",
      ],
      rejects: [
        "{\"kind\":\"circle\",\"radius\":-1}":
          "/radius is -1, which is less than 0 (schema at #/$defs/size)",
        "{\"kind\":\"square\"}": "the value lacks the required key \"side\"",
        "{\"kind\":\"square\",\"radius\":1,\"side\":1}":
          "the value has the key \"radius\" that is not declared",
        "{\"kind\":\"circle\",\"radius\":1,\"next\":{\"kind\":\"square\",\"side\":\"1\"}}":
          "/next/side is \"1\", not a number (schema at #/$defs/size)",
        "7": "the value is 7, not null or an object",
      ])
  }

  /// Two shapes that both lead on to the same node would be tried 2^400 times without a memory.
  @Test func deepUnionsAreCheap() {
    var builder = FormBuilder()
    let node = builder.add { _ in }
    builder.form.nodes[node].objects = [
      FormBuilder.shape(["next?": node]), FormBuilder.shape(["next?": node, "last?": 1]),
    ]
    let form = builder.rooted(node)
    var good = JSONValue.object([])
    var bad = JSONValue.object([.init("other", .null)])
    for _ in 0..<400 {
      good = .object([.init("next", good)])
      bad = .object([.init("next", bad)])
    }
    #expect(form.accepts(good))
    let path = String(repeating: "/next", count: 400)
    #expect(form.violation(of: bad) == path + " has the key \"other\" that is not declared")
  }

  @Test func hostileValues() throws {
    let form = FormBuilder().form
    var deep = JSONValue.null
    for _ in 0..<512 { deep = .array([deep]) }
    #expect(form.accepts(deep))
    for _ in 512..<20_000 { deep = .array([deep]) }
    let violation = try #require(form.violation(of: deep))
    #expect(violation.hasSuffix("/0 is nested deeper than 512 levels"))
    // The value is taken apart from outside: its own end would walk it by recursion.
    while case .array(let items) = deep, let inner = items.first { deep = inner }
    for text in ["", "x", "1e9999999999", "01", "NaN"] {
      #expect(
        form.violation(of: .object([.init("n", .number(text))]))
          == "/n is \(text), which is no number of a sensible size")
    }
    let long = JSONValue.array([.string(String(repeating: "é", count: 1_000_000))])
    var nothing = form
    nothing.root = NormalForm.nothing
    let message = try #require(nothing.violation(of: long))
    #expect(message.unicodeScalars.count < 100)
    #expect(message.contains("é…"))
  }
}
