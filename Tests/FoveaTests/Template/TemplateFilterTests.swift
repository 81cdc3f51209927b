import Testing

@testable import Fovea

@Suite("Filters of templates on lists and numbers")
struct TemplateFilterTests {
  static let sequences: [(template: String, text: String)] = [
    ("{{ xs | first }}", "3"),
    ("{{ xs | last }}", "2"),
    ("{{ '' | first }}", ""),
    ("{{ xs | list }}", "[3, 1, 2]"),
    ("{{ 'abc' | list }}", "['a', 'b', 'c']"),
    ("{{ user | list }}", "['name', 'age', 'tags']"),
    ("{{ xs | reverse | list }}", "[2, 1, 3]"),
    ("{{ 'abc' | reverse }}", "cba"),
    ("{{ xs | sort }}", "[1, 2, 3]"),
    ("{{ ws | sort }}", "['A', 'a', 'b', 'c']"),
    ("{{ ws | sort(case_sensitive=true) }}", "['A', 'a', 'b', 'c']"),
    ("{{ xs | sort(reverse=true) }}", "[3, 2, 1]"),
    ("{{ people | sort(attribute='age') | map(attribute='name') | list }}", "['al', 'Bo', 'Cy']"),
    (
      "{{ people | sort(attribute='age,name') | map(attribute='name') | list }}",
      "['al', 'Bo', 'Cy']"
    ),
    ("{{ ws | unique | list }}", "['b', 'A', 'c']"),
    ("{{ ws | unique(true) | list }}", "['b', 'A', 'c', 'a']"),
    ("{{ xs | length }}", "3"),
    ("{{ name | count }}", "3"),
    ("{{ user | length }}", "3"),
    ("{{ xs | batch(2) | list }}", "[[3, 1], [2]]"),
    ("{{ xs | batch(2, 0) | list }}", "[[3, 1], [2, 0]]"),
    ("{{ xs | slice(2) | list }}", "[[3, 1], [2]]"),
    ("{{ xs | slice(2, 'x') | list }}", "[[3, 1], [2, 'x']]"),
    ("{{ people | groupby('town') | map('first') | list }}", "['Bern', 'Chur']"),
    ("{{ people | groupby('age') | map(attribute='list') | map('length') | list }}", "[1, 2]"),
    ("{{ people | groupby('age') | map(attribute='grouper') | list }}", "[25, 30]"),
    ("{{ user | dictsort | first }}", "('age', 41)"),
    ("{{ {'b': 1, 'A': 2} | dictsort }}", "[('A', 2), ('b', 1)]"),
    ("{{ {'b': 1, 'A': 2} | dictsort(true) }}", "[('A', 2), ('b', 1)]"),
    ("{{ {'b': 1, 'A': 2} | dictsort(false, 'value') }}", "[('b', 1), ('A', 2)]"),
    ("{{ {'b': 1, 'A': 2} | dictsort(reverse=true) }}", "[('b', 1), ('A', 2)]"),
    ("{{ user | items | list }}", "[('name', 'Zoë'), ('age', 41), ('tags', ['x', 'y'])]"),
  ]

  @Test(arguments: sequences)
  func ordersAndCuts(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let choices: [(template: String, text: String)] = [
    ("{{ xs | map('string') | list }}", "['3', '1', '2']"),
    ("{{ xs | map('default', 'x') | list }}", "[3, 1, 2]"),
    ("{{ people | map(attribute='town') | unique | join(',') }}", "Bern,Chur"),
    ("{{ people | map(attribute='no', default='-') | join }}", "---"),
    ("{{ people | map(attribute='town.0') | join }}", "BCB"),
    ("{{ xs | select | list }}", "[3, 1, 2]"),
    ("{{ xs | select('odd') | list }}", "[3, 1]"),
    ("{{ xs | select('gt', 1) | list }}", "[3, 2]"),
    ("{{ xs | reject('odd') | list }}", "[2]"),
    ("{{ people | selectattr('age', 'eq', 30) | map(attribute='name') | list }}", "['Bo', 'Cy']"),
    ("{{ people | rejectattr('age', 'eq', 30) | map(attribute='name') | list }}", "['al']"),
    ("{{ people | selectattr('no') | list }}", "[]"),
    ("{{ people | selectattr('name', 'in', ['Bo']) | list | length }}", "1"),
    ("{{ ['a', '', none] | select | list }}", "['a']"),
    ("{{ ws | map('upper') | join('-') }}", "B-A-C-A"),
    ("{{ xs | map('round', 1) | list }}", "[3, 1, 2]"),
  ]

  @Test(arguments: choices)
  func mapsAndSelects(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let numbers: [(template: String, text: String)] = [
    ("{{ -3 | abs }}", "3"),
    ("{{ -2.5 | abs }}", "2.5"),
    ("{{ 2.5 | round }}", "2.0"),
    ("{{ 3.5 | round }}", "4.0"),
    ("{{ 2.675 | round(2) }}", "2.67"),
    ("{{ 2.3 | round(0, 'ceil') }}", "3.0"),
    ("{{ 2.7 | round(method='floor') }}", "2.0"),
    ("{{ 1234 | round(-2) }}", "1200"),
    ("{{ '12' | int }}", "12"),
    ("{{ 'x' | int }}", "0"),
    ("{{ 'x' | int(5) }}", "5"),
    ("{{ '0x1f' | int(base=16) }}", "31"),
    ("{{ 3.9 | int }}", "3"),
    ("{{ '3.9' | int }}", "3"),
    ("{{ 'ff' | int(0, 16) }}", "255"),
    ("{{ none | int }}", "0"),
    ("{{ '2.5' | float }}", "2.5"),
    ("{{ 'x' | float }}", "0.0"),
    ("{{ 'x' | float(1.5) }}", "1.5"),
    ("{{ 7 | float }}", "7.0"),
    ("{{ xs | sum }}", "6"),
    ("{{ people | sum('age') }}", "85"),
    ("{{ [] | sum(start=5) }}", "5"),
    ("{{ xs | min }}", "1"),
    ("{{ xs | max }}", "3"),
    ("{{ ws | max }}", "c"),
    ("{{ ws | max(true) }}", "c"),
    ("{{ people | max(attribute='age') }}", "{'name': 'Bo', 'age': 30, 'town': 'Bern'}"),
    ("{{ [] | min }}", ""),
  ]

  @Test(arguments: numbers)
  func computes(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let defaults: [(template: String, text: String)] = [
    ("{{ missing | default('x') }}", "x"),
    ("{{ missing | d('x') }}", "x"),
    ("{{ empty | default('x') }}", ""),
    ("{{ empty | default('x', true) }}", "x"),
    ("{{ nothing | default('x') }}", "None"),
    ("{{ nothing | default('x', boolean=true) }}", "x"),
    ("{{ missing | default }}", ""),
    ("{{ 0 | default(5, true) }}", "5"),
    ("{{ user.no | default([]) | length }}", "0"),
  ]

  @Test(arguments: defaults)
  func fallsBack(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
