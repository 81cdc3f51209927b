import Testing

@testable import Fovea

@Suite("Filters of templates on texts")
struct TemplateTextFilterTests {
  static let cases: [(template: String, text: String)] = [
    ("{{ name | upper }}", "ANN"),
    ("{{ name | lower }}", "ann"),
    ("{{ 'hELLO wORLD' | capitalize }}", "Hello world"),
    ("{{ 'hello big-world (foo) x' | title }}", "Hello Big-World (Foo) X"),
    ("{{ 'ß ŉ' | upper }}", "SS ʼN"),
    ("{{ 'ΟΔΟΣ' | lower }}", "οδος"),
    ("{{ 5 | upper }}", "5"),
    ("{{ none | lower }}", "none"),
    ("{{ true | title }}", "True"),
  ]

  @Test(arguments: cases)
  func changesCase(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let shapes: [(template: String, text: String)] = [
    ("{{ text | trim }}", "one two\n three"),
    ("{{ 'xxaxx' | trim('x') }}", "a"),
    ("{{ 5 | trim }}", "5"),
    ("{{ 'ab' | center(7) }}", "   ab  "),
    ("{{ 'abc' | center(6) }}", " abc  "),
    ("{{ 'a' | center | length }}", "80"),
    (#"{{ 'a\nb\n\nc' | indent }}"#, "a\n    b\n\n    c"),
    (#"{{ 'a\nb' | indent(2) }}"#, "a\n  b"),
    (#"{{ 'a\nb' | indent(2, true) }}"#, "  a\n  b"),
    (#"{{ 'a\n\nb' | indent(width=2, blank=true) }}"#, "a\n  \n  b"),
    (#"{{ 'a\nb' | indent('>>') }}"#, "a\n>>b"),
    ("{{ 'hello big world' | truncate(9) }}", "hello..."),
    ("{{ 'hello big world' | truncate(9, true) }}", "hello ..."),
    ("{{ 'hello big world' | truncate(9, false, '…', 0) }}", "hello…"),
    ("{{ 'hello big world' | truncate(11, leeway=0) }}", "hello..."),
    ("{{ 'one two, three' | wordcount }}", "3"),
    ("{{ 'a-b c_d é' | wordcount }}", "4"),
  ]

  @Test(arguments: shapes)
  func laysOut(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let parts: [(template: String, text: String)] = [
    ("{{ 'banana' | replace('a', 'o') }}", "bonono"),
    ("{{ 'banana' | replace('a', 'o', 2) }}", "bonona"),
    ("{{ 'ab' | replace('', '-') }}", "-a-b-"),
    ("{{ 123 | replace(2, 'x') }}", "1x3"),
    ("{{ xs | join }}", "312"),
    ("{{ xs | join(', ') }}", "3, 1, 2"),
    ("{{ people | join('/', attribute='name') }}", "Bo/al/Cy"),
    ("{{ 'abc' | join('.') }}", "a.b.c"),
    ("{{ ['a', 1, none, true] | join('|') }}", "a|1|None|True"),
    ("{{ name | string }}", "Ann"),
    ("{{ 5 | string }}", "5"),
    ("{{ [1] | string | length }}", "3"),
    ("{{ '%s-%s' | format('a', 1) }}", "a-1"),
    ("{{ '%(x)s' | format(x=5) }}", "5"),
    ("{{ name | length }}", "3"),
    ("{{ name | first }}", "A"),
    ("{{ name | last }}", "n"),
  ]

  @Test(arguments: parts)
  func replacesAndJoins(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let markup: [(template: String, text: String)] = [
    (#"{{ '<a href="x">' | e }}"#, "&lt;a href=&#34;x&#34;&gt;"),
    ("{{ odd | escape }}", #"a&#34;b&#39;c&lt;d&gt;&amp;é😀\"#),
    ("{{ '<b>' | escape | escape }}", "&lt;b&gt;"),
    ("{{ '<b>' | escape | forceescape }}", "&amp;lt;b&amp;gt;"),
    ("{{ '<b>' | safe }}", "<b>"),
    ("{{ ('<b>' | safe) ~ '<i>' }}", "<b><i>"),
    ("{{ ('<b>' | safe) + '<i>' }}", "<b>&lt;i&gt;"),
    (#"{{ '<p>a <b>b</b>\n c</p><!-- x -->' | striptags }}"#, "a b c"),
    ("{{ 'a b/c?d=é&f' | urlencode }}", "a%20b/c%3Fd%3D%C3%A9%26f"),
    ("{{ {'a b': 1, 'c': 'x/y'} | urlencode }}", "a+b=1&c=x%2Fy"),
    ("{{ [('a', 1)] | urlencode }}", "a=1"),
    ("{{ {'class': 'a', 'id': 5, 'no': none} | xmlattr }}", #" class="a" id="5""#),
    ("{{ {'a': '<'} | xmlattr(false) }}", #"a="&lt;""#),
  ]

  @Test(arguments: markup)
  func writesForTheWeb(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
