import Testing

@testable import Fovea

@Suite("Loops of templates")
struct TemplateLoopTests {
  static let states: [(template: String, text: String)] = [
    ("{% for x in xs %}{{ loop.index }}/{{ loop.index0 }} {% endfor %}", "1/0 2/1 3/2 "),
    ("{% for x in xs %}{{ loop.revindex }}/{{ loop.revindex0 }} {% endfor %}", "3/2 2/1 1/0 "),
    (
      "{% for x in xs %}{{ loop.first }}{{ loop.last }} {% endfor %}",
      "TrueFalse FalseFalse FalseTrue "
    ),
    ("{% for x in xs %}{{ loop.length }}{% endfor %}", "333"),
    (
      "{% for x in xs %}{{ loop.previtem }}<{{ x }}>{{ loop.nextitem }} {% endfor %}",
      "<3>1 3<1>2 1<2> "
    ),
    (
      "{% for x in xs %}{{ loop.previtem is defined }}{{ loop.nextitem is defined }} {% endfor %}",
      "FalseTrue TrueTrue TrueFalse "
    ),
    ("{% for x in xs %}{{ loop.cycle('a', 'b') }}{% endfor %}", "aba"),
    (
      "{% for x in [1, 1, 2, 2, 1] %}{{ loop.changed(x) }} {% endfor %}",
      "True False True False True "
    ),
    ("{% for x in xs %}{{ loop.depth }}{{ loop.depth0 }} {% endfor %}", "10 10 10 "),
    (
      "{% for x in xs %}{{ loop }} {% endfor %}",
      "<LoopContext 1/3> <LoopContext 2/3> <LoopContext 3/3> "
    ),
    (
      "{% for x in xs if x > 1 %}{{ loop.index }}{{ loop.length }}{{ loop.last }} {% endfor %}",
      "12False 22True "
    ),
    (
      "{% for x in xs %}{% for y in ws %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}",
      "12341 12342 12343 "
    ),
    (
      "{% for a in xs %}{% set outer = loop %}{% for b in 'xy' %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}",
      "11 12 21 22 31 32 "
    ),
  ]

  @Test(arguments: states)
  func tellsWhereItIs(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let sources: [(template: String, text: String)] = [
    ("{% for x in 'añb' %}{{ x }},{% endfor %}", "a,ñ,b,"),
    ("{% for k in user %}{{ k }},{% endfor %}", "name,age,tags,"),
    (
      "{% for k, v in user.items() %}{{ k }}={{ v }};{% endfor %}",
      "name=Zoë;age=41;tags=['x', 'y'];"
    ),
    ("{% for v in user.values() %}{{ v }};{% endfor %}", "Zoë;41;['x', 'y'];"),
    (
      "{% for k, v in user | items %}{{ k }}={{ v }};{% endfor %}",
      "name=Zoë;age=41;tags=['x', 'y'];"
    ),
    ("{% for i in range(3) %}{{ i }}{% endfor %}", "012"),
    ("{% for i in range(5, 0, -2) %}{{ i }}{% endfor %}", "531"),
    ("{% for a, b in [(1, 2), [3, 4]] %}{{ a }}{{ b }};{% endfor %}", "12;34;"),
    ("{% for a in missing %}x{% else %}none{% endfor %}", "none"),
    ("{% for x in xs[::-1] %}{{ x }}{% endfor %}", "213"),
    ("{% for x in 1, 2 %}{{ x }}{% endfor %}", "12"),
    ("{% for (a, (b, c)) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "123"),
    ("{% for p in people | selectattr('age', 'gt', 25) %}{{ p.name }},{% endfor %}", "Bo,Cy,"),
  ]

  @Test(arguments: sources)
  func goesThroughAllKinds(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let flow: [(template: String, text: String)] = [
    ("{% for x in [] %}a{% else %}b{% endfor %}", "b"),
    ("{% for x in xs %}{{ x }}{% else %}b{% endfor %}", "312"),
    ("{% for x in xs if x > 5 %}a{% else %}b{% endfor %}", "b"),
    ("{% for x in xs %}{% if x == 1 %}{% break %}{% endif %}{{ x }}{% endfor %}", "3"),
    ("{% for x in xs %}{% if x == 1 %}{% continue %}{% endif %}{{ x }}{% endfor %}", "32"),
    ("{% for x in xs %}{% continue %}{% else %}never{% endfor %}", "never"),
    (
      "{% for x in xs %}{% for y in xs %}{% if y == 1 %}{% break %}{% endif %}{{ y }}{% endfor %}{{ x }}{% endfor %}",
      "333132"
    ),
    ("{% for x in xs if x is odd %}{{ x }}{% endfor %}", "31"),
    ("{% for x in xs if x != n %}{{ x }}{% endfor %}", "312"),
  ]

  @Test(arguments: flow)
  func stopsSkipsAndElse(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let recursive: [(template: String, text: String)] = [
    (
      "{% for x in [1, [2, [3]], 4] recursive %}{% if x is iterable %}({{ loop(x) }}){% else %}{{ x }}{% endif %}{% endfor %}",
      "1(2(3))4"
    ),
    ("{% for x in [[[]]] recursive %}{{ loop.depth }}{{ loop(x) }}{% endfor %}", "12"),
    (
      "{% for x in [{'a': 1, 'c': [{'a': 2, 'c': []}]}] recursive %}{{ x.a }}[{{ loop(x.c) }}]{% endfor %}",
      "1[2[]]"
    ),
    (
      "{% for x in [1, [5, 2]] if x recursive %}{{ loop.index }}{% if x is iterable %}{{ loop(x) }}{% endif %}{% endfor %}",
      "1212"
    ),
  ]

  @Test(arguments: recursive)
  func callsItself(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let helpers: [(template: String, text: String)] = [
    (
      "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.next() }}{{ c.reset() }}{{ c.current }}",
      "abaaNonea"
    ),
    ("{% set j = joiner() %}{% for x in xs %}{{ j() }}{{ x }}{% endfor %}", "3, 1, 2"),
    ("{% set j = joiner('-') %}{{ j() }}a{{ j() }}b", "a-b"),
    ("{{ dict(a=1, b=2) }}", "{'a': 1, 'b': 2}"),
    ("{{ dict([(1, 2)], c=3) }}", "{1: 2, 'c': 3}"),
    ("{{ range(4) | list }}", "[0, 1, 2, 3]"),
    ("{{ range(2, 8, 3) }}", "range(2, 8, 3)"),
  ]

  @Test(arguments: helpers)
  func hasJinjasHelpers(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
