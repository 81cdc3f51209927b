import Testing

@testable import Fovea

@Suite("Macros of templates")
struct TemplateMacroTests {
  static let arguments: [(template: String, text: String)] = [
    (
      "{% macro m(a, b=2) %}{{ a }}-{{ b }}{% endmacro %}{{ m(1) }} {{ m(1, 3) }} {{ m(b=5, a=4) }}",
      "1-2 1-3 4-5"
    ),
    ("{% macro m(a) %}[{{ a }}]{% endmacro %}{{ m() }}", "[]"),
    ("{% macro m(a, b=a) %}{{ b }}{% endmacro %}{{ m(3) }}", "3"),
    ("{% macro m(a) %}{{ varargs }}{% endmacro %}{{ m(1, 2, 3) }}", "(2, 3)"),
    ("{% macro m() %}{{ kwargs }}{% endmacro %}{{ m(x=1, y='z') }}", "{'x': 1, 'y': 'z'}"),
    (
      "{% macro m(a) %}{{ a }}{{ kwargs }}{{ varargs }}{% endmacro %}{{ m(*xs, **user) }}",
      "3{'name': 'Zoë', 'age': 41, 'tags': ['x', 'y']}(1, 2)"
    ),
    ("{% macro m(a, b='x') %}{{ a ~ b }}{% endmacro %}{{ m(*[1, 2]) }}{{ m(**{'a': 5}) }}", "125x"),
    ("{% macro m(x) %}{{ x | upper }}{% endmacro %}{{ m('a') ~ m('b') }}", "AB"),
    ("{% macro m() %} a {% endmacro %}{{ m() | trim }}|", "a|"),
  ]

  @Test(arguments: arguments)
  func takesArgumentsAsPythonDoes(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let closures: [(template: String, text: String)] = [
    ("{% macro m() %}{{ x }}{% endmacro %}{% set x = 5 %}{{ m() }}", "5"),
    ("{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}", "2"),
    (
      "{% macro m(n) %}{{ n }}{% if n > 0 %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(3) }}",
      "3210"
    ),
    ("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}", "B"),
    ("{% for i in xs %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}", "312"),
    ("{% macro m(name) %}{{ name }}{% endmacro %}{{ m('x') }}{{ name }}", "xAnn"),
    ("{% macro m() %}{% set y = 1 %}{{ y }}{% endmacro %}{{ m() }}{{ y is defined }}", "1False"),
    (
      "{% macro m() %}{% macro inner() %}i{% endmacro %}{{ inner() }}{{ inner() }}{% endmacro %}{{ m() }}",
      "ii"
    ),
    (
      "{% macro m(a, b=1) %}{{ caller is defined }}{% endmacro %}{{ m.name }} {{ m.arguments }} {{ m.catch_varargs }} {{ m.catch_kwargs }} {{ m.caller }}",
      "m ('a', 'b') False False True"
    ),
    ("{% macro m() %}{% endmacro %}{{ m }}", "<Macro 'm'>"),
  ]

  @Test(arguments: closures)
  func seesTheNamesAround(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let callers: [(template: String, text: String)] = [
    ("{% macro m() %}<{{ caller() }}>{% endmacro %}{% call m() %}x{{ n }}{% endcall %}", "<x7>"),
    (
      "{% macro m() %}{{ caller(1) }}{{ caller(2) }}{% endmacro %}{% call(a) m() %}[{{ a }}]{% endcall %}",
      "[1][2]"
    ),
    (
      "{% macro m(items) %}{% for i in items %}{{ caller(i, loop.index) }}{% endfor %}{% endmacro %}{% call(x, i=0) m(ws) %}{{ i }}{{ x }} {% endcall %}",
      "1b 2A 3c 4a "
    ),
    ("{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}", "False"),
    (
      "{% macro m(a) %}{{ a }}{{ caller() }}{% endmacro %}{% call m(a=1) %}{% set z = 2 %}{{ z }}{% endcall %}{{ z is defined }}",
      "12False"
    ),
  ]

  @Test(arguments: callers)
  func callsItsBlock(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
