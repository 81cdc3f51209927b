import Testing

@testable import Fovea

@Suite("What templates may not do")
struct TemplateRefusalTests {
  static let changes = [
    "{{ xs.append(1) }}", "{{ xs.pop() }}", "{{ xs.clear() }}", "{{ xs.extend([1]) }}",
    "{{ xs.insert(0, 1) }}", "{{ xs.remove(1) }}", "{{ xs.reverse() }}", "{{ xs.sort() }}",
    "{{ user.update({'a': 1}) }}", "{{ user.pop('name') }}", "{{ user.clear() }}",
    "{{ user.setdefault('a', 1) }}", "{{ user.popitem() }}", "{% set user.name = 'x' %}",
    "{% set xs.a = 1 %}", "{{ user['update']({}) }}",
  ]

  @Test(arguments: changes)
  func refusesChanges(template: String) throws {
    let error = try #require(try TemplateSample.error(template))
    #expect(error.code == .invalidTemplate)
    #expect(error.message.contains("the chat template fails at line 1"))
  }

  static let unsupported: [(template: String, words: String)] = [
    ("{% block a %}{% endblock %}", "the statement 'block'"),
    ("{% extends 'a' %}", "the statement 'extends'"),
    ("{% include 'a' %}", "the statement 'include'"),
    ("{% import 'a' as b %}", "the statement 'import'"),
    ("{% from 'a' import b %}", "the statement 'from'"),
    ("{% autoescape true %}{% endautoescape %}", "the statement 'autoescape'"),
    ("{{ people | attr('name') }}", "the filter 'attr'"),
    ("{{ n | filesizeformat }}", "the filter 'filesizeformat'"),
    ("{{ xs | random }}", "the filter 'random'"),
    ("{{ name | urlize }}", "the filter 'urlize'"),
    ("{{ name | wordwrap }}", "the filter 'wordwrap'"),
    ("{{ user | pprint }}", "the filter 'pprint'"),
    ("{{ name.encode() }}", "the method 'encode'"),
    ("{{ name.translate({}) }}", "the method 'translate'"),
    ("{{ lipsum() }}", "the function 'lipsum'"),
    ("{{ xs[1, 2] }}", "several indices"),
    ("{{ 99999999999999999999 }}", "the number 99999999999999999999 is too large"),
    ("{{ 2 ** 64 }}", "whole numbers beyond 64 bits"),
    ("{{ (-2) ** 0.5 }}", "complex numbers"),
    ("{{ '\\N{DIGIT ONE}' }}", "characters by name"),
    ("{{ strftime_now('%c') }}", "'%c' in a date's format"),
    ("{{ xs | map('upper') }}", "writing out a generator"),
  ]

  @Test(arguments: unsupported)
  func namesWhatIsNotThere(template: String, words: String) throws {
    let error = try #require(try TemplateSample.error(template))
    #expect(error.code == .invalidTemplate)
    #expect(error.message.contains("the chat template uses what Fovea does not support"))
    #expect(error.message.contains(words))
  }

  @Test func givesTheTemplatesOwnRefusal() throws {
    let error = try #require(
      try TemplateSample.error("{{ raise_exception('Roles must alternate: ' ~ name) }}"))
    #expect(error.code == .invalidTemplate)
    #expect(
      error.message == "the chat template refuses these messages: Roles must alternate: Ann")
    #expect(error.fix?.contains("order") == true)
  }

  /// Where jinja2 raises, though what raises differs.
  static let failures: [(template: String, words: String)] = [
    ("{{ missing.x }}", "'missing' has no value here"),
    ("{{ missing() }}", "'missing' has no value here"),
    ("{{ 1 / 0 }}", "division by zero"), ("{{ 1 % 0 }}", "division by zero"),
    ("{{ 1 + 'a' }}", "'int' and 'str'"), ("{{ 'a' + 1 }}", "'str' and 'int'"),
    ("{{ 1 < 'a' }}", "'<' cannot be done"), ("{{ 1 in 2 }}", "no items"),
    ("{% for x in 5 %}{% endfor %}", "'int' has no items"),
    ("{% for a, b in [1] %}{% endfor %}", "no items"),
    ("{% for a, b in [(1, 2, 3)] %}{% endfor %}", "2 names cannot take 3 values"),
    ("{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "takes at most 1 arguments"),
    ("{% macro m(a) %}{% endmacro %}{{ m(b=2) }}", "has no argument 'b'"),
    ("{{ name(1) }}", "'str' cannot be called"), ("{{ {[1]: 2} }}", "cannot be a key"),
    ("{{ name.index('z') }}", "not in the text"), ("{{ xs.index(9) }}", "not in the list"),
    ("{{ '%d' % 'a' }}", "cannot write"), ("{{ '%s %s' % 'a' }}", "more places than values"),
    ("{{ '{} {}'.format(1) }}", "is not given"), ("{{ n | length }}", "no length"),
    ("{{ missing | tojson }}", "'tojson'"), ("{{ {(1, 2): 3} | tojson }}", "as JSON"),
    ("{{ xs | map('nope') | list }}", "there is no filter 'nope'"),
    ("{{ range(1, 2, 0) }}", "steps of 0"), ("{{ name.split('') }}", "not empty"),
    ("{{ 'a'.center(5, 'ab') }}", "one character"), ("{{ xs | sum(start='') }}", "'sum'"),
    ("{{ xs | join(1, 2, 3) }}", "at most"), ("{{ n | round(1, 'up') }}", "'round'"),
  ]

  @Test(arguments: failures)
  func failsWherePythonDoes(template: String, words: String) throws {
    let error = try #require(try TemplateSample.error(template))
    #expect(error.code == .invalidTemplate)
    #expect(error.message.contains(words))
  }
}
