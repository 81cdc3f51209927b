import Testing

@testable import Fovea

@Suite("Malformed templates")
struct TemplateSyntaxTests {
  struct Case: Sendable {
    var template: String
    var line: Int
    var column: Int
    var excerpt: String
    var words: String
  }

  static let cases = [
    Case("a\nb {{ 1 + }} c", 2, 10, "b {{ 1 + }} c", "a value must come here, not '}}'"),
    Case("{{ (1 }}", 1, 7, "{{ (1 }}", "closes nothing"),
    Case("{{ 1 ) }}", 1, 6, "{{ 1 ) }}", "')' closes nothing here"),
    Case("x\r\n\r\n{% if %}", 3, 7, "{% if %}", "a value must come here"),
    Case("{% if a %}\nb", 2, 2, "b", "'endif' must come before the end of the template"),
    Case("{% for x in y %}{% endif %}", 1, 20, "{% for x in y %}{% endif %}", "'endif'"),
    Case("{% endif %}", 1, 4, "{% endif %}", "the statement 'endif' is not known here"),
    Case("{% banana %}", 1, 4, "{% banana %}", "the statement 'banana' is not known here"),
    Case("{{ a", 1, 1, "{{ a", "the tag has no end"),
    Case("ä😀{{ 'a", 1, 6, "ä😀{{ 'a", "the string has no end"),
    Case("{# a", 1, 1, "{# a", "the comment has no end"),
    Case("{% raw %}a", 1, 1, "{% raw %}a", "'raw' has no 'endraw'"),
    Case("{{ 1 ? 2 }}", 1, 6, "{{ 1 ? 2 }}", "the character '?' means nothing here"),
    Case("{{ 012 }}", 1, 4, "{{ 012 }}", "a leading zero"),
    Case("{{ '\\xZZ' }}", 1, 4, "{{ '\\xZZ' }}", "an escape without its digits"),
    Case("{{ x | nope }}", 1, 13, "{{ x | nope }}", "there is no filter 'nope'"),
    Case("{{ x is nope }}", 1, 14, "{{ x is nope }}", "there is no test 'nope'"),
    Case("{% break %}", 1, 4, "{% break %}", "'break' is not in a loop"),
    Case("{% set true = 1 %}", 1, 8, "{% set true = 1 %}", "'true' cannot be given a value"),
    Case("{% macro m(a=1, b) %}{% endmacro %}", 1, 18, nil, "'b' needs a default value"),
    Case("{{ f(a=1, 2) }}", 1, 11, "{{ f(a=1, 2) }}", "must not come behind one by name"),
    Case("{% call x %}{% endcall %}", 1, 9, "{% call x %}{% endcall %}", "'call' needs a call"),
    Case("{{ x[] }}", 1, 8, "{{ x[] }}", "an index must come before ']'"),
    Case("{{ x[1:2:3:4] }}", 1, 15, "{{ x[1:2:3:4] }}", "three parts at most"),
    Case("{{ x is odd is even }}", 1, 13, "{{ x is odd is even }}", "tests cannot be chained"),
  ]

  @Test(arguments: cases)
  func namesThePlace(of example: Case) throws {
    let error = try #require(try TemplateSample.error(example.template))
    #expect(error.code == .invalidTemplate)
    #expect(error.message.contains("at line \(example.line), column \(example.column): "))
    #expect(error.message.contains(example.words))
    #expect(error.cause == example.excerpt)
    #expect(error.fix?.isEmpty == false)
  }

  @Test func namesThePlaceOfARunsFailure() throws {
    let error = try #require(try TemplateSample.error("a\n  {{ n }}\n  {{ n.x.y }}"))
    #expect(error.message.contains("at line 3, column 3: "))
    #expect(error.message.contains("nothing named 'x'"))
    #expect(error.cause == "  {{ n.x.y }}")
  }

  @Test func cutsLongLines() throws {
    let filling = String(repeating: "x", count: 200)
    let error = try #require(try TemplateSample.error(filling + "{{ ? }}" + filling))
    #expect(error.message.contains("at line 1, column 204: "))
    #expect(error.cause?.contains("{{ ? }}") == true)
    #expect(error.cause?.count == 81)
  }

  @Test func readsAnUnknownFilterThatIsNeverUsed() throws {
    #expect(try TemplateSample.render("{% if no %}{{ n | nope }}{% endif %}x") == "x")
    #expect(try TemplateSample.error("{% if yes %}{{ n | nope }}{% endif %}x") != nil)
    #expect(try TemplateSample.render("{{ 1 if yes else n is nope }}") == "1")
  }
}

extension TemplateSyntaxTests.Case {
  /// - Parameter excerpt: nil for the whole template.
  init(
    _ template: String, _ line: Int, _ column: Int, _ excerpt: String?, _ words: String
  ) {
    self.init(
      template: template, line: line, column: column, excerpt: excerpt ?? template, words: words)
  }
}
