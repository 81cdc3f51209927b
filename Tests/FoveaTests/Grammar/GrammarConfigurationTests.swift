import FoveaTestSupport
import Testing

@testable import Fovea

/// Facts about every configuration that a few bytes reach.
@Suite("Grammar configurations")
struct GrammarConfigurationTests {
  @Test(arguments: GrammarSamples.all.map(\.name), GrammarSamples.whitespaces)
  func followShortestAndDeadEnds(name: String, whitespace: Grammar.Whitespace) throws {
    for sample in GrammarSamples.all where sample.name == name {
      let grammar = try Grammar(sample.schema, whitespace: whitespace)
      var automaton = ByteAutomaton(grammar, reach: 8)
      #expect(automaton.shortestCompletion(automaton.start) == grammar.shortestLength)
      var seen: Set<Configuration> = [automaton.start]
      var queue = [automaton.start]
      // Wide enough to pass through every part of every sample, not only its beginning.
      while let here = queue.popLast(), seen.count < 800 {
        let follow = automaton.follow(here)
        let shortest = automaton.shortestCompletion(here)
        var least = automaton.isComplete(here) ? 0 : Int.max
        for byte in UInt8.min...UInt8.max {
          let next = automaton.step(here, byte)
          #expect(follow.contains(byte) == !next.isDead)
          if next.isDead { continue }
          least = min(least, automaton.shortestCompletion(next) + 1)
          if seen.insert(next).inserted { queue.append(next) }
        }
        // Exact, and finite: so there is a way to the end from everywhere.
        #expect(shortest == least)
        #expect(automaton.isFinished(here) == (follow.count == 0))
        let canonical = automaton.canonical(here)
        #expect(automaton.canonical(canonical) == canonical)
      }
    }
  }

  @Test func largeBoundsCompileToFewStates() throws {
    let schemas = [
      GrammarSamples.list(GrammarSamples.integer(), 0, 30_000),
      GrammarSamples.list(GrammarSamples.integer(), 30_000, 100_000),
      GrammarSamples.text(1, 65_536),
      GrammarSamples.list(
        Schema(.object([.init("s", GrammarSamples.text(0, 2_000))])), 0, 50),
    ]
    for schema in schemas { #expect(try Grammar(schema).stateCount < 200) }
  }

  @Test func optionalPropertiesShareStates() throws {
    let properties = (0..<300).map {
      Schema.Property("property\($0)", Schema(.boolean), isRequired: false)
    }
    let grammar = try Grammar(Schema(.object(properties)))
    #expect(grammar.stateCount < 300 * 20)
    #expect(grammar.accepts(Array(#"{"property7":true,"property250":false}"#.utf8)))
    #expect(!grammar.accepts(Array(#"{"property250":true,"property7":false}"#.utf8)))
  }

  @Test func itemsFarFromTheBoundsShareMasks() throws {
    let grammar = try Grammar(GrammarSamples.list(GrammarSamples.text(), 0, 1_000))
    var automaton = ByteAutomaton(grammar, reach: 16)
    var here = automaton.start
    var inText: Set<Configuration> = []
    here = automaton.step(here, UInt8(ascii: "["))
    for _ in 0..<500 {
      here = automaton.step(here, UInt8(ascii: "\""))
      inText.insert(automaton.canonical(here))
      here = automaton.step(here, UInt8(ascii: "\""))
      here = automaton.step(here, UInt8(ascii: ","))
    }
    #expect(inText.count == 1)
  }
}
