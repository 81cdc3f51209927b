import Testing

@testable import Fovea

@Suite("Methods of a template's values")
struct TemplateMethodTests {
  static let cases: [(template: String, text: String)] = [
    ("{{ 'aBc'.upper() }}", "ABC"),
    ("{{ 'aBc'.lower() }}", "abc"),
    ("{{ 'aBc dEF'.title() }}", "Abc Def"),
    ("{{ 'aBC'.capitalize() }}", "Abc"),
    ("{{ 'aBc'.swapcase() }}", "AbC"),
    ("{{ 'Straße'.casefold() }}", "strasse"),
    ("{{ 'ab1'.isalnum() }}", "True"),
    ("{{ 'ab1'.isalpha() }}", "False"),
    ("{{ 'é'.isascii() }}", "False"),
    ("{{ '12'.isdecimal() }}", "True"),
    ("{{ '²'.isdigit() }}", "True"),
    ("{{ '½'.isnumeric() }}", "True"),
    ("{{ 'ab'.islower() }}", "True"),
    ("{{ 'AB'.isupper() }}", "True"),
    (#"{{ ' \t'.isspace() }}"#, "True"),
    ("{{ ''.isspace() }}", "False"),
    (#"{{ 'a\n'.isprintable() }}"#, "False"),
  ]

  @Test(arguments: cases)
  func changesAndTellsCase(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let shapes: [(template: String, text: String)] = [
    ("{{ text.strip() }}", "one two\n three"),
    ("{{ 'xaxbx'.strip('x') }}", "axb"),
    ("{{ '  a '.lstrip() ~ '|' }}", "a |"),
    ("{{ '  a '.rstrip() ~ '|' }}", "  a|"),
    ("{{ 'a'.center(4, '-') }}", "-a--"),
    ("{{ 'a'.ljust(3) ~ '|' }}", "a  |"),
    ("{{ 'a'.rjust(3, '.') }}", "..a"),
    ("{{ '-5'.zfill(4) }}", "-005"),
    ("{{ '<think>x'.removeprefix('<think>') }}", "x"),
    ("{{ 'a.py'.removesuffix('.py') }}", "a"),
    ("{{ 'a.py'.removesuffix('') }}", "a.py"),
    ("{{ '{} {1}'.format(1) if no else '{} {}'.format(1, 'b') }}", "1 b"),
    ("{{ '{0:>5}|{n:^7}|{f:.2f}|{0!r}'.format('a', n='b', f=2) }}", "    a|   b   |2.00|'a'"),
    ("{{ '{a[0]} {b.age} {{}}'.format(a=xs, b=user) }}", "3 41 {}"),
    (
      "{{ '{:,} {:x} {:+d} {:05d} {:e} {:%}'.format(1234567, 255, 5, 42, 1.5, 0.25) }}",
      "1,234,567 ff +5 00042 1.500000e+00 25.000000%"
    ),
  ]

  @Test(arguments: shapes)
  func laysOut(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let parts: [(template: String, text: String)] = [
    ("{{ 'a,b,,c'.split(',') }}", "['a', 'b', '', 'c']"),
    ("{{ 'a,b,,c'.split(',', 1) }}", "['a', 'b,,c']"),
    ("{{ 'a,b,c'.rsplit(',', 1) }}", "['a,b', 'c']"),
    ("{{ ' a  b '.split() }}", "['a', 'b']"),
    ("{{ ' a  b c '.split(maxsplit=1) }}", "['a', 'b c ']"),
    ("{{ 'a b c'.rsplit(none, 1) }}", "['a b', 'c']"),
    (#"{{ 'a\nb\r\nc\n'.splitlines() }}"#, "['a', 'b', 'c']"),
    (#"{{ 'a\nb'.splitlines(true) }}"#, #"['a\n', 'b']"#),
    ("{{ 'a-b-c'.partition('-') }}", "('a', '-', 'b-c')"),
    ("{{ 'a-b-c'.rpartition('-') }}", "('a-b', '-', 'c')"),
    ("{{ 'abc'.partition('x') }}", "('abc', '', '')"),
    ("{{ '-'.join(['a', 'b']) }}", "a-b"),
    ("{{ '-'.join('ab') }}", "a-b"),
    ("{{ 'banana'.replace('an', 'x') }}", "bxxa"),
    ("{{ 'banana'.replace('a', '', 1) }}", "bnana"),
    ("{{ 'banana'.find('na') }}", "2"),
    ("{{ 'banana'.rfind('na') }}", "4"),
    ("{{ 'banana'.find('x') }}", "-1"),
    ("{{ 'banana'.index('n') }}", "2"),
    ("{{ 'banana'.rindex('n') }}", "4"),
    ("{{ 'banana'.find('a', 2, 4) }}", "3"),
    ("{{ 'banana'.count('an') }}", "2"),
    ("{{ 'banana'.count('') }}", "7"),
    ("{{ name.startswith('A') }}", "True"),
    ("{{ name.startswith(('x', 'An')) }}", "True"),
    ("{{ name.endswith('nn') }}", "True"),
    ("{{ name.startswith('n', 1) }}", "True"),
    ("{{ 'abc'.endswith('b', 0, 2) }}", "True"),
    (#"{{ text.split('\n')[-1].strip() }}"#, "three"),
    (#"{{ '</think>x'.split('</think>')[-1].lstrip('\n') }}"#, "x"),
  ]

  @Test(arguments: parts)
  func searchesAndSplits(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let containers: [(template: String, text: String)] = [
    ("{{ user.get('name') }}", "Zoë"),
    ("{{ user.get('no') }}", "None"),
    ("{{ user.get('no', 5) }}", "5"),
    ("{{ user.keys() | list }}", "['name', 'age', 'tags']"),
    ("{{ user.values() | list | length }}", "3"),
    ("{{ user.items() | list | first }}", "('name', 'Zoë')"),
    ("{{ user.keys() }}", "dict_keys(['name', 'age', 'tags'])"),
    ("{{ user.copy() == user }}", "True"),
    ("{{ xs.index(2) }}", "2"),
    ("{{ xs.count(1) }}", "1"),
    ("{{ (1, 2, 1).count(1) }}", "2"),
    ("{{ range(5).index(3) }}", "3"),
    ("{{ xs.copy() }}", "[3, 1, 2]"),
    ("{{ user.name }}", "Zoë"),
    ("{{ user['age'] }}", "41"),
    ("{{ {'items': 5}['items'] }}", "5"),
    ("{{ {'get': 5}.get('get') }}", "5"),
    ("{{ {'a': 1}.items() }}", "dict_items([('a', 1)])"),
    ("{{ {1: 'x'}[1] }}", "x"),
    ("{{ {1: 'x'}[1.0] }}", "x"),
    ("{{ {(1, 2): 'x'}[(1, 2)] }}", "x"),
  ]

  @Test(arguments: containers)
  func readsContainers(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
