import FoveaTestSupport
import Testing

@testable import Fovea

@Suite("Instances made of a grammar")
struct GrammarInstanceTests {
  /// Grammar and validator, which share nothing, agree that the text is an instance.
  func check(_ text: [UInt8], _ grammar: Grammar, _ form: NormalForm, _ name: String) throws {
    let shown = String(decoding: text, as: UTF8.self)
    let isAccepted = grammar.accepts(text)
    #expect(isAccepted, "\(name): \(shown)")
    let violation = form.violation(of: try JSONValue(parsing: shown))
    #expect(violation == nil, "\(name): \(shown)")
  }

  func check(_ grammar: Grammar, _ form: NormalForm, _ name: String, count: Int = 6) throws {
    let shortest = grammar.shortestInstance()
    try check(shortest, grammar, form, name)
    #expect(shortest.count <= grammar.shortestLength, "\(name)")
    var generator = SeededGenerator(seed: 7)
    for round in 0..<count {
      // Every other one ends by itself, as far as such walks do.
      let text = grammar.randomInstance(
        patience: round % 2 == 0 ? 60 : 2_000, using: &generator)
      try check(text, grammar, form, name)
      #expect(text.count >= shortest.count, "\(name)")
    }
  }

  @Test("every instance of the samples is one", arguments: GrammarSamples.whitespaces)
  func samples(whitespace: Grammar.Whitespace) throws {
    for sample in GrammarSamples.all {
      let form = try sample.schema.normalForm()
      for keyOrder in [Grammar.KeyOrder.declared, .any] {
        let grammar = try Grammar(form, whitespace: whitespace, keyOrder: keyOrder)
        try check(grammar, form, sample.name)
        #expect(grammar.shortestInstance().count == grammar.shortestLength, "\(sample.name)")
      }
    }
  }

  /// Schemas in the spirit of bug reports, and every tenth public one where they are here.
  @Test("every instance of public schemas is one")
  func corpora() throws {
    var corpora = [try Corpus.faults()]
    corpora += try Corpus.maskBench().map { corpus in
      var few = corpus
      few.entries = corpus.entries.enumerated().filter { $0.offset % 10 == 0 }.map(\.element)
      return few
    }
    var compiled = 0
    for corpus in corpora {
      for entry in corpus.entries {
        guard let form = try? NormalForm.read(entry.schema).form,
          let grammar = try? Grammar(form)  // Refusals are other suites' matter.
        else { continue }
        compiled += 1
        // What has long instances only takes long to check.
        if grammar.shortestLength > 2_000 { continue }
        try check(grammar, form, "\(corpus.name) \(entry.name)", count: 2)
      }
    }
    #expect(compiled >= 20)
  }

  @Test("a seed gives the same instances again, another seed others")
  func seeds() throws {
    let grammar = try Grammar(GrammarSamples.receipt)
    func instances(_ seed: UInt64) -> [[UInt8]] {
      var generator = SeededGenerator(seed: seed)
      return (0..<5).map { _ in grammar.randomInstance(using: &generator) }
    }
    #expect(instances(1) == instances(1))
    #expect(instances(1) != instances(2))
    #expect(Set(instances(1)).count > 1)
  }

  @Test("free texts are readable, and keys are most often the declared ones")
  func looks() throws {
    let schema = try Schema(
      jsonSchema: """
        {"type": "object", "required": ["name"],
         "properties": {"name": {"type": "string"}, "note": {"type": "string"}}}
        """)
    let grammar = try Grammar(schema)
    var generator = SeededGenerator(seed: 3)
    var declared = 0
    var invented = 0
    for _ in 0..<100 {
      let text = grammar.randomInstance(patience: 2_000, using: &generator)
      #expect(text.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x5C })
      guard
        case .object(let members) = try JSONValue(parsing: String(decoding: text, as: UTF8.self))
      else { continue }
      declared += members.count { $0.name == "note" }
      invented += members.count { !["name", "note"].contains($0.name) }
    }
    #expect(declared > 40)
    #expect(invented > 0 && invented < declared)
  }

  @Test("the shortest instance is the plainest of its length")
  func shortest() throws {
    let cases: [(schema: String, text: String)] = [
      ("{}", "0"), (#"{"type":"string","minLength":2}"#, #""aa""#),
      (#"{"type":"object","minProperties":2}"#, #"{"":0,"a":0}"#),
      (
        #"{"type":"object","minProperties":3,"propertyNames":{"pattern":"^[a-z]+$"}}"#,
        #"{"a":0,"b":0,"c":0}"#
      ),
      (#"{"type":"string","pattern":"^[^a-z]+$"}"#, #""0""#),
      (#"{"enum":["é","~~"]}"#, #""~~""#), (#"{"type":"array","minItems":2}"#, "[0,0]"),
    ]
    for (schema, text) in cases {
      let made = try Grammar(Schema(jsonSchema: schema)).shortestInstance()
      #expect(String(decoding: made, as: UTF8.self) == text, "\(schema)")
    }
  }
}
