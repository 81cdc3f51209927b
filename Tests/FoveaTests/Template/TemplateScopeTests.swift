import Testing

@testable import Fovea

@Suite("Where a template's names live")
struct TemplateScopeTests {
  static let loops: [(template: String, text: String)] = [
    ("{% set x = 1 %}{% for i in xs %}{% set x = i %}{{ x }}{% endfor %}{{ x }}", "3121"),
    ("{% for i in xs %}{% if loop.first %}{% set a = i %}{% endif %}{{ a }},{% endfor %}", "3,,,"),
    ("{% for i in xs %}{{ i }}{% endfor %}{{ i is defined }}", "312False"),
    ("{% set i = 9 %}{% for i in xs %}{{ i }}{% endfor %}{{ i }}", "3129"),
    ("{% for i in xs %}{% for i in ws %}{{ i }}{% endfor %}{{ i }}{% endfor %}", "bAca3bAca1bAca2"),
    ("{% for x in xs %}{{ name }}{% endfor %}{% set name = 'new' %}{{ name }}", "new"),
    ("{% for x in xs %}{{ late }}{% endfor %}{% set late = 1 %}", ""),
    (
      "{% for x in xs %}{{ name }}{% endfor %}{% if yes %}{% set name = 'new' %}{% endif %}{{ name }}",
      "AnnAnnAnnnew"
    ),
    ("{% for x in xs %}{% set y = x %}{% endfor %}{{ y is defined }}", "False"),
    (
      "{{ loop is defined }}{% for x in xs %}{{ loop is defined }}{% endfor %}",
      "FalseTrueTrueTrue"
    ),
  ]

  @Test(arguments: loops)
  func keepsNamesOfAPassInIt(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let branches: [(template: String, text: String)] = [
    ("{% if yes %}{% set x = 1 %}{% endif %}{{ x }}", "1"),
    ("{% if no %}{% set x = 1 %}{% endif %}{{ x is defined }}", "False"),
    (
      "{% set x = 0 %}{% if yes %}{% set x = x + 1 %}{% else %}{% set x = 9 %}{% endif %}{{ x }}",
      "1"
    ),
    ("{% if no %}a{% elif nothing %}b{% elif n %}c{% else %}d{% endif %}", "c"),
    ("{% if no %}a{% endif %}b", "b"),
    ("{{ name }}{% set name = 'x' %}{{ name }}", "Annx"),
  ]

  @Test(arguments: branches)
  func letsBranchesShareNames(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let sets: [(template: String, text: String)] = [
    ("{% set x %}a{{ n }}b{% endset %}{{ x }}!", "a7b!"),
    ("{% set x | upper %}abc{% endset %}{{ x }}", "ABC"),
    ("{% set x | replace('b', 'd') | length %}abc{% endset %}{{ x + 1 }}", "4"),
    ("{% set x %}{% set y = 1 %}{{ y }}{% endset %}{{ x }}{{ y is defined }}", "1False"),
    ("{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"),
    ("{% set (a, b), c = (1, 2), 3 %}{{ a }}{{ b }}{{ c }}", "123"),
    ("{% set a = 1, %}{{ a }}", "(1,)"),
    ("{% set a = 1, 2 %}{{ a }}", "(1, 2)"),
    ("{% with a = 1, b = n %}{{ a }}{{ b }}{% endwith %}{{ a is defined }}", "17False"),
    ("{% set a = 5 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}", "15"),
    ("{% with %}{% set z = 1 %}{% endwith %}{{ z is defined }}", "False"),
    ("{% filter upper %}a{{ name }}{% endfilter %}", "AANN"),
    ("{% filter replace('a', 'b') | upper %}aba{% endfilter %}", "BBB"),
    ("{% generation %}{% set q = 1 %}{{ q }}{% endgeneration %}{{ q is defined }}", "1False"),
  ]

  @Test(arguments: sets)
  func setsNamesAndBlocks(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let namespaces: [(template: String, text: String)] = [
    (
      "{% set ns = namespace(x=1) %}{% for i in xs %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}",
      "7"
    ),
    ("{% set ns = namespace({'a': 1}, b=2) %}{{ ns.a }}{{ ns.b }}{{ ns.c is defined }}", "12False"),
    ("{% set ns = namespace() %}{% set ns.new = 'x' %}{{ ns.new }}", "x"),
    ("{% set ns = namespace(x=1) %}{% set ns.x, y = 2, 3 %}{{ ns.x }}{{ y }}", "23"),
    (
      "{% set ns = namespace(found=false) %}{% for i in xs %}{% if i == 1 %}{% set ns.found = true %}{% break %}{% endif %}{% endfor %}{{ ns.found }}",
      "True"
    ),
    (
      "{% set ns = namespace(x=1) %}{% macro m() %}{% set ns.x = 5 %}{% endmacro %}{{ m() }}{{ ns.x }}",
      "5"
    ),
    ("{% set ns = namespace(x=[1]) %}{{ ns }}", "<Namespace {'x': [1]}>"),
    ("{% set ns = namespace(x=1) %}{{ ns['x'] }}", "1"),
  ]

  @Test(arguments: namespaces)
  func changesNamespacesFromWithin(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
