import Testing

@testable import Fovea

@Suite("Blanks around a template's tags")
struct TemplateBlankTests {
  /// A line end behind a statement goes, and blanks before one that begins its line.
  static let blocks: [(template: String, text: String)] = [
    ("a\n{% if yes %}\nb\n{% endif %}\nc", "a\nb\nc"),
    ("a\n  {% if yes %}\n  b\n  {% endif %}\nc", "a\n  b\nc"),
    ("a {% if yes %} b {% endif %} c", "a  b  c"),
    ("a\n\t {% if yes %}b{% endif %}\n\nc", "a\nb\nc"),
    ("  {% if yes %}x{% endif %}", "x"),
    ("x  {% if yes %}y{% endif %}", "x  y"),
    ("{% if yes %}\n\nx{% endif %}", "\nx"),
    ("{% if yes %}\r\nx{% endif %}\r\ny", "xy"),
    ("{% if yes %}\rx{% endif %}", "x"),
    ("{% set a = 1 %}\n{% set b = 2 %}\n{{ a + b }}", "3"),
  ]

  @Test(arguments: blocks)
  func cutsBlanksAroundStatements(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  /// Outputs keep what is around them; only the last line end of all goes.
  static let outputs: [(template: String, text: String)] = [
    ("a\n  {{ n }}\nb", "a\n  7\nb"),
    ("  {{ n }}  ", "  7  "),
    ("{{ n }}\n", "7"),
    ("{{ n }}\n\n", "7\n"),
    ("a\n{{- n -}}\nb", "a7b"),
    ("a  {{- n }}", "a7"),
    ("{{ n -}}  \n  b", "7b"),
  ]

  @Test(arguments: outputs)
  func leavesBlanksAroundOutputs(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  /// `-` takes all blanks away and `+` leaves them.
  static let signs: [(template: String, text: String)] = [
    ("a\n {%- if yes -%}\n b\n {%- endif -%}\n c", "abc"),
    ("a\n  {%+ if yes %}b{% endif %}", "a\n  b"),
    ("a\n  {% if yes +%}\nb{% endif %}", "a\n\nb"),
    ("a\n{%+ if yes +%}\nb{% endif +%}\nc", "a\n\nb\nc"),
    ("a  {%- set b = 1 %}\n{{ b }}", "a1"),
    ("a\u{A0}\u{2028}{%- if yes %}b{% endif %}", "ab"),
    ("x\n\n{%- if yes %}\n\ny{% endif %}", "x\ny"),
    ("{%- if yes -%}{%- endif -%}", ""),
  ]

  @Test(arguments: signs)
  func obeysSigns(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let comments: [(template: String, text: String)] = [
    ("a{# b #}c", "ac"),
    ("a\n  {# b #}\nc", "a\nc"),
    ("a\n{#- b -#}\nc", "ac"),
    ("a\n  {#+ b #}\nc", "a\n  c"),
    ("{# {{ n }} {% if %} #}x", "x"),
    ("{# one\ntwo #}\nx", "x"),
    ("a {#b#} c", "a  c"),
    ("{##}x", "x"),
    ("a\n  {# b +#}\nc", "a\n\nc"),
  ]

  @Test(arguments: comments)
  func skipsComments(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let raw: [(template: String, text: String)] = [
    ("{% raw %}{{ n }}{% endraw %}", "{{ n }}"),
    ("a\n  {% raw %}\n {{ n }}\n  {% endraw %}\nb", "a\n\n {{ n }}\nb"),
    ("{%- raw -%}\n {% if %} {%- endraw -%}\n c", "{% if %}c"),
    ("{% raw %}{# x #}{% endraw %}!", "{# x #}!"),
    ("{%raw%}a{%endraw%}b", "ab"),
    ("x {% raw %} {% {% endraw %} y", "x  {%  y"),
  ]

  @Test(arguments: raw)
  func leavesRawPartsAlone(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let lines: [(template: String, text: String)] = [
    ("a\r\nb\rc", "a\nb\nc"),
    ("{{ 'a\r\nb' }}", "a\nb"),
    ("a\n\n\n", "a\n\n"),
    ("{{ n }}}", "7}"),
    ("{ { n }}", "{ { n }}"),
    ("{{ '}}' }}", "}}"),
    (#"{{ "{%" }}"#, "{%"),
    ("{% set x = '%}' %}{{ x }}", "%}"),
    ("}}", "}}"),
    ("{{ {'a': {'b': 1}}['a'] }}", "{'b': 1}"),
    ("{{ {'a':{'b':{}}} }}", "{'a': {'b': {}}}"),
  ]

  @Test(arguments: lines)
  func readsLineEndsAndBraces(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
