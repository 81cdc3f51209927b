import Testing

@testable import Fovea

/// Who wrote a character is known whatever was done to it; ⟨brackets⟩ show what is not trusted.
@Suite("Where the characters of a rendered template come from")
struct TemplateOriginTests {
  static let cases: [(template: String, text: String)] = [
    ("<s>{{ name }}</s>", "<s>⟨Ann⟩</s>"),
    ("{{ '<s>' + name + '</s>' }}", "<s>⟨Ann⟩</s>"),
    ("{{ '<s>' ~ name ~ 1 ~ '</s>' }}", "<s>⟨Ann⟩1</s>"),
    ("{{ text | trim }}", "⟨one two\n three⟩"),
    ("{{ ('  a' ~ text).strip() }}", "a⟨  one two\n three⟩"),
    ("{{ name | upper }}{{ 'a' | upper }}", "⟨ANN⟩A"),
    ("{{ ('a' ~ name) | upper }}", "A⟨ANN⟩"),
    ("{{ ('a' ~ name) | title }}", "A⟨ann⟩"),
    ("{{ name | replace('n', '<b>') }}", "⟨A⟩<b><b>"),
    ("{{ 'x-y' | replace('-', name) }}", "x⟨Ann⟩y"),
    ("{{ 'x-y'.replace('-', name) }}", "x⟨Ann⟩y"),
    ("{{ ws | join('|') }}", "⟨b⟩|⟨A⟩|⟨c⟩|⟨a⟩"),
    ("{{ ', '.join(ws) }}", "⟨b⟩, ⟨A⟩, ⟨c⟩, ⟨a⟩"),
    ("{{ ('<' ~ name ~ '>')[2:] }}", "⟨nn⟩>"),
    ("{{ ('<' ~ name ~ '>')[::-1] }}", ">⟨nnA⟩<"),
    ("{{ ('<' ~ name ~ '>')[1] }}", "⟨A⟩"),
    ("{{ ('<' ~ name ~ '>') | first }}{{ ('<' ~ name ~ '>') | last }}", "<>"),
    ("{{ ('é' ~ user.name ~ 'é')[1:-1] }}", "⟨Zoë⟩"),
    ("{% for c in 'a' ~ name %}{{ c }}.{% endfor %}", "a.⟨A⟩.⟨n⟩.⟨n⟩."),
    ("{{ ('a,' ~ name).split(',')[1] }}", "⟨Ann⟩"),
    ("{{ ('a ' ~ name).split() | last }}", "⟨Ann⟩"),
    ("{{ ('a\n' ~ name).splitlines()[1] }}", "⟨Ann⟩"),
    ("{{ ('a-' ~ name).partition('-')[2] }}", "⟨Ann⟩"),
    ("{{ '%s!' % name }}{{ '%5s|' % name }}", "⟨Ann⟩!  ⟨Ann⟩|"),
    ("{{ '{}!'.format(name) }}{{ '{:>5}'.format(name) }}", "⟨Ann⟩!  ⟨Ann⟩"),
    ("{{ name.format() }}{{ name % () }}", "⟨AnnAnn⟩"),
    ("{{ '%s' | format(name) }}", "⟨Ann⟩"),
    ("{{ name | tojson }}", "\"⟨Ann⟩\""),
    ("{{ {'a': name} | tojson }}", "{\"a\": \"⟨Ann⟩\"}"),
    ("{{ user.tags | tojson(indent=1) }}", "[\n \"⟨x⟩\",\n \"⟨y⟩\"\n]"),
    (
      "{{ user | tojson }}",
      "{\"⟨name⟩\": \"⟨Zoë⟩\", \"⟨age⟩\": 41, \"⟨tags⟩\": [\"⟨x⟩\", \"⟨y⟩\"]}"
    ),
    ("{{ user.tags }}", "['⟨x⟩', '⟨y⟩']"),
    ("{{ '<b>' | e }}{{ ('<' ~ odd[3]) | e }}", "&lt;b&gt;&lt;⟨&#39;⟩"),
    ("{{ 'a' | indent(name, true) }}{{ name | indent(2, true) }}", "⟨Ann⟩a  ⟨Ann⟩"),
    ("{{ name | center(7) }}{{ name.rjust(4, '-') }}", "  ⟨Ann⟩  -⟨Ann⟩"),
    ("{{ (name ~ ' and so on') | truncate(6, true, '…', 0) }}", "⟨Ann⟩ a…"),
    ("{{ ('<think>' ~ name).removeprefix('<think>') }}", "⟨Ann⟩"),
    ("{% set x %}<{{ name }}>{% endset %}{{ x | trim('<') }}", "⟨Ann⟩>"),
    ("{% filter upper %}a{{ name }}{% endfilter %}", "A⟨ANN⟩"),
    ("{% macro m(x) %}[{{ x }}]{% endmacro %}{{ m(name) }}{{ m('a') }}", "[⟨Ann⟩][a]"),
    ("{{ missing | default(name) }}{{ missing | default('a') }}", "⟨Ann⟩a"),
    ("{{ ws | sort | first }}{{ ws | map('upper') | join }}", "⟨ABACA⟩"),
    ("{% for k in user %}{{ k }}{% endfor %}", "⟨nameagetags⟩"),
    ("{% set ns = namespace(x='') %}{% set ns.x = ns.x ~ name %}{{ ns.x }}!", "⟨Ann⟩!"),
    ("{{ n }}{{ yes }}{{ xs }}", "7True[3, 1, 2]"),
    ("{{ name.swapcase() }}{{ 'ß' | upper }}", "⟨aNN⟩SS"),
    ("{{ '7' | int ~ name.zfill(5) }}", "700⟨Ann⟩"),
    ("{{ strftime_now('%Y') }}", "2024"),
    ("{{ name | urlencode }}{{ '?' | urlencode }}", "⟨Ann⟩%3F"),
    ("{{ name if name == 'Ann' else 'x' }}", "⟨Ann⟩"),
  ]

  @Test(arguments: cases)
  func followsEachCharacter(template: String, text: String) throws {
    #expect(try TemplateSample.marked(template) == text)
  }

  @Test func trustsWhatItIsToldTo() throws {
    let context = """
      {"bos": "<s>", "messages": [{"role": "user", "content": "<s>Hi", "tags": ["a"]}]}
      """
    let template = """
      {{ bos }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ m.tags[0] }}{% endfor %}
      """
    #expect(
      try TemplateSample.marked(template, trusting: [["bos"], ["messages", "role"]], context)
        == "<s><user>⟨<s>Hia⟩")
    #expect(
      try TemplateSample.marked(template, trusting: [["messages", "tags"]], context)
        == "⟨<s>⟩<⟨user⟩>⟨<s>Hi⟩a")
  }

  /// A text of the context compares like the template's own.
  @Test func comparesByCharactersAlone() throws {
    #expect(
      try TemplateSample.render("{{ name == 'Ann' }}{{ 'Ann' in [name] }}{{ {'Ann': 1}[name] }}")
        == "TrueTrue1")
    #expect(try TemplateSample.render("{{ 'nn' in name }}{{ name.find('n') }}") == "True1")
  }

  @Test func keepsAllOfTheText() throws {
    let template = "{{ odd }}|{{ user.name ~ 'é' }}"
    let rendered = try ChatTemplate(template).render(
      JSONValue(parsing: TemplateSample.context), now: 0)
    #expect(rendered.segments.map(\.text).joined() == rendered.text)
    #expect(rendered.segments.map(\.isTrusted) == [false, true, false, true])
  }
}
