import Testing

@testable import Fovea

@Suite("Tests of templates")
struct TemplateKindTests {
  static let kinds: [(template: String, text: String)] = [
    ("{{ missing is defined }}", "False"),
    ("{{ n is defined }}", "True"),
    ("{{ missing is undefined }}", "True"),
    ("{{ nothing is none }}", "True"),
    ("{{ missing is none }}", "False"),
    ("{{ yes is boolean }}", "True"),
    ("{{ 1 is boolean }}", "False"),
    ("{{ yes is true }}", "True"),
    ("{{ 1 is true }}", "False"),
    ("{{ no is false }}", "True"),
    ("{{ 0 is false }}", "False"),
    ("{{ 1 is integer }}", "True"),
    ("{{ yes is integer }}", "False"),
    ("{{ 1.0 is integer }}", "False"),
    ("{{ 1.0 is float }}", "True"),
    ("{{ 1 is float }}", "False"),
    ("{{ 1 is number }}", "True"),
    ("{{ yes is number }}", "True"),
    ("{{ '1' is number }}", "False"),
    ("{{ name is string }}", "True"),
    ("{{ 1 is string }}", "False"),
    ("{{ user is mapping }}", "True"),
    ("{{ xs is mapping }}", "False"),
    ("{{ xs is iterable }}", "True"),
    ("{{ name is iterable }}", "True"),
    ("{{ 1 is iterable }}", "False"),
    ("{{ user is iterable }}", "True"),
    ("{{ xs is sequence }}", "True"),
    ("{{ user is sequence }}", "True"),
    ("{{ 1 is sequence }}", "False"),
    ("{{ name is sequence }}", "True"),
    ("{{ range is callable }}", "True"),
    ("{{ name is callable }}", "False"),
    ("{{ namespace is callable }}", "True"),
    ("{{ ('a' | safe) is escaped }}", "True"),
    ("{{ 'a' is escaped }}", "False"),
  ]

  @Test(arguments: kinds)
  func tellsKinds(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let comparisons: [(template: String, text: String)] = [
    ("{{ 3 is odd }}", "True"),
    ("{{ 4 is odd }}", "False"),
    ("{{ 4 is even }}", "True"),
    ("{{ 9 is divisibleby 3 }}", "True"),
    ("{{ 9 is divisibleby(2) }}", "False"),
    ("{{ 1 is eq 1 }}", "True"),
    ("{{ 1 is equalto(2) }}", "False"),
    ("{{ 1 is ne 2 }}", "True"),
    ("{{ 2 is gt 1 }}", "True"),
    ("{{ 1 is greaterthan 1 }}", "False"),
    ("{{ 1 is ge 1 }}", "True"),
    ("{{ 1 is lt 2 }}", "True"),
    ("{{ 2 is lessthan 1 }}", "False"),
    ("{{ 1 is le 1 }}", "True"),
    ("{{ 1 is in xs }}", "True"),
    ("{{ 9 is in(xs) }}", "False"),
    ("{{ none is sameas none }}", "True"),
    ("{{ xs is sameas xs }}", "True"),
    ("{{ 'A' is upper }}", "True"),
    ("{{ 'Ab' is upper }}", "False"),
    ("{{ 'ab1' is lower }}", "True"),
    ("{{ '' is lower }}", "False"),
    ("{{ 'upper' is filter }}", "True"),
    ("{{ 'nope' is filter }}", "False"),
    ("{{ 'odd' is test }}", "True"),
    ("{{ 'nope' is test }}", "False"),
    ("{{ n is not odd }}", "False"),
    ("{{ n is not none }}", "True"),
    ("{{ 1 is not in xs }}", "False"),
    ("{{ n is odd and n is not even }}", "True"),
    ("{{ n is odd or missing.x }}", "True"),
    ("{{ not n is odd }}", "False"),
    ("{{ xs | select('==', 1) | list }}", "[1]"),
    ("{{ xs | select('>=', 2) | list }}", "[3, 2]"),
  ]

  @Test(arguments: comparisons)
  func compares(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
