import Testing

@testable import Fovea

@Suite("Operators of templates")
struct TemplateOperatorTests {
  static let arithmetic: [(template: String, text: String)] = [
    ("{{ 1 + 2 * 3 }}", "7"),
    ("{{ (1 + 2) * 3 }}", "9"),
    ("{{ 7 / 2 }}", "3.5"),
    ("{{ 4 / 2 }}", "2.0"),
    ("{{ 7 // 2 }}", "3"),
    ("{{ -7 // 2 }}", "-4"),
    ("{{ 7 // -2 }}", "-4"),
    ("{{ -7 % 3 }}", "2"),
    ("{{ 7 % -3 }}", "-2"),
    ("{{ 7.5 // 2 }}", "3.0"),
    ("{{ -7.5 % 2 }}", "0.5"),
    ("{{ 2 ** 10 }}", "1024"),
    ("{{ 2 ** -1 }}", "0.5"),
    ("{{ 2 ** 3 ** 2 }}", "64"),
    ("{{ -2 ** 2 }}", "4"),
    ("{{ (-2) ** 2 }}", "4"),
    ("{{ 0.1 + 0.2 }}", "0.30000000000000004"),
    ("{{ 1e16 }}", "1e+16"),
    ("{{ 1e15 }}", "1000000000000000.0"),
    ("{{ 1.0 }}", "1.0"),
    ("{{ 123456789.123 }}", "123456789.123"),
    ("{{ 1e-5 }}", "1e-05"),
    ("{{ 0.0001 }}", "0.0001"),
    ("{{ 5e-324 }}", "5e-324"),
    ("{{ 1e22 }}", "1e+22"),
    ("{{ -0.0 }}", "-0.0"),
    ("{{ 10 / 3 }}", "3.3333333333333335"),
    ("{{ yes + 1 }}", "2"),
    ("{{ no * 5 }}", "0"),
    ("{{ 2.0 ** 0.5 }}", "1.4142135623730951"),
    ("{{ 1_000 }}", "1000"),
    ("{{ 0x1f + 0o17 + 0b11 }}", "49"),
    ("{{ +n }}", "7"),
    ("{{ --n }}", "7"),
    ("{{ - f }}", "-2.5"),
    ("{{ 3 * 'ab' }}", "ababab"),
    ("{{ 'ab' * 2 }}", "abab"),
    ("{{ 'a' * -1 }}", ""),
    ("{{ [1] * 3 }}", "[1, 1, 1]"),
    ("{{ (1,) + (2,) }}", "(1, 2)"),
    ("{{ [1] + xs }}", "[1, 3, 1, 2]"),
    ("{{ 'a' + 'b' }}", "ab"),
    ("{{ '%s is %d' % (name, 5) }}", "Ann is 5"),
    ("{{ '%05.2f|%-4s|%+d|%x|%%' % (f, 'a', 3, 255) }}", "02.50|a   |+3|ff|%"),
    ("{{ '%(a)s' % {'a': 1} }}", "1"),
    ("{{ 7 % 4 * 2 }}", "6"),
    (#"{{ '1' 'a' "b" }}"#, "1ab"),
  ]

  @Test(arguments: arithmetic)
  func computesAsPythonDoes(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let logic: [(template: String, text: String)] = [
    ("{{ 1 and 2 }}", "2"),
    ("{{ 0 and 2 }}", "0"),
    ("{{ 0 or 'x' }}", "x"),
    ("{{ 1 or 2 }}", "1"),
    ("{{ not 0 }}", "True"),
    ("{{ not 'a' }}", "False"),
    ("{{ not not 1 }}", "True"),
    ("{{ 1 == 1.0 }}", "True"),
    ("{{ yes == 1 }}", "True"),
    ("{{ 'a' == 'A' }}", "False"),
    ("{{ nothing == none }}", "True"),
    ("{{ missing == none }}", "False"),
    ("{{ missing is none }}", "False"),
    ("{{ missing == other }}", "True"),
    ("{{ [1, 2] == [1, 2.0] }}", "True"),
    ("{{ (1,) == [1] }}", "False"),
    ("{{ {'a': 1} == {'a': 1.0} }}", "True"),
    ("{{ 1 < 2 < 3 }}", "True"),
    ("{{ 1 < 3 < 2 }}", "False"),
    ("{{ 1 < 2 == 2 }}", "True"),
    ("{{ 'a' < 'b' }}", "True"),
    ("{{ 'Z' < 'a' }}", "True"),
    ("{{ [1, 2] < [1, 3] }}", "True"),
    ("{{ 2 >= 2.0 }}", "True"),
    ("{{ 1 != 1 }}", "False"),
    ("{{ 1 in xs }}", "True"),
    ("{{ 9 not in xs }}", "True"),
    ("{{ 'nn' in name }}", "True"),
    ("{{ 'name' in user }}", "True"),
    ("{{ 'q' in user }}", "False"),
    ("{{ '' in '' }}", "True"),
    ("{{ 1 if yes else 2 }}", "1"),
    ("{{ 1 if no else 2 }}", "2"),
    ("{{ 1 if no }}", ""),
    ("{{ (1 if no) is defined }}", "False"),
    ("{{ 1 if no else 2 if no else 3 }}", "3"),
    ("{{ not yes == no }}", "True"),
    ("{{ yes and not no }}", "True"),
    ("{{ nothing or empty or 'last' }}", "last"),
    ("{{ none and missing.x }}", "None"),
    ("{{ 'a' in ['a'] and 2 in (1, 2) }}", "True"),
  ]

  @Test(arguments: logic)
  func comparesAndDecides(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let truths: [(template: String, text: String)] = [
    ("{{ 'y' if '' else 'n' }}", "n"),
    ("{{ 'y' if ' ' else 'n' }}", "y"),
    ("{{ 'y' if 0 else 'n' }}", "n"),
    ("{{ 'y' if 0.0 else 'n' }}", "n"),
    ("{{ 'y' if [] else 'n' }}", "n"),
    ("{{ 'y' if [0] else 'n' }}", "y"),
    ("{{ 'y' if {} else 'n' }}", "n"),
    ("{{ 'y' if {'a': 0} else 'n' }}", "y"),
    ("{{ 'y' if none else 'n' }}", "n"),
    ("{{ 'y' if missing else 'n' }}", "n"),
    ("{{ 'y' if () else 'n' }}", "n"),
    ("{{ 'y' if (0,) else 'n' }}", "y"),
    ("{{ 'y' if range(0) else 'n' }}", "n"),
    ("{{ 'y' if range(1) else 'n' }}", "y"),
    ("{{ 'y' if namespace() else 'n' }}", "y"),
    ("{{ 'y' if user.keys() else 'n' }}", "y"),
    ("{{ 'y' if {}.keys() else 'n' }}", "n"),
    ("{{ 'y' if 'False' else 'n' }}", "y"),
  ]

  @Test(arguments: truths)
  func knowsPythonsTruth(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let missing: [(template: String, text: String)] = [
    ("[{{ missing }}]", "[]"),
    ("[{{ user.missing }}]", "[]"),
    ("[{{ user['missing'] }}]", "[]"),
    ("[{{ xs[9] }}]", "[]"),
    ("[{{ missing ~ 'x' }}]", "[x]"),
    ("[{{ missing | length }}]", "[0]"),
    ("[{{ missing | list }}]", "[[]]"),
    ("[{{ missing | join }}]", "[]"),
    ("[{{ missing | upper }}]", "[]"),
    ("[{{ missing | default('d') }}]", "[d]"),
    ("[{{ missing or 'd' }}]", "[d]"),
    ("[{{ missing is defined }}]", "[False]"),
    ("[{{ user.missing is undefined }}]", "[True]"),
    ("[{{ missing in ['', missing] }}]", "[True]"),
  ]

  @Test(arguments: missing)
  func writesNothingForWhatIsMissing(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let joins: [(template: String, text: String)] = [
    ("{{ 1 ~ 2 }}", "12"),
    ("{{ 'a' ~ none ~ yes ~ 1.5 }}", "aNoneTrue1.5"),
    ("{{ 'a' ~ [1, 'b'] ~ {'k': 'v'} }}", "a[1, 'b']{'k': 'v'}"),
    ("{{ 'a' ~ 'b' * 2 }}", "abb"),
    ("{{ missing ~ missing }}", ""),
    ("{{ 'x' ~ (1, 2) }}", "x(1, 2)"),
    ("{{ name ~ '!' | upper }}", "Ann!"),
  ]

  @Test(arguments: joins)
  func joinsTexts(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let slices: [(template: String, text: String)] = [
    ("{{ xs[0] }}", "3"),
    ("{{ xs[-1] }}", "2"),
    ("{{ xs[1:] }}", "[1, 2]"),
    ("{{ xs[:2] }}", "[3, 1]"),
    ("{{ xs[::-1] }}", "[2, 1, 3]"),
    ("{{ xs[::2] }}", "[3, 2]"),
    ("{{ xs[-2:] }}", "[1, 2]"),
    ("{{ xs[5:] }}", "[]"),
    ("{{ xs[2:0] }}", "[]"),
    ("{{ xs[2:0:-1] }}", "[2, 1]"),
    ("{{ name[0] }}", "A"),
    ("{{ name[-1] }}", "n"),
    ("{{ name[1:] }}", "nn"),
    ("{{ name[::-1] }}", "nnA"),
    ("{{ 'añ😀b'[1:3] }}", "ñ😀"),
    ("{{ 'abc'[-9:2] }}", "ab"),
    ("{{ (1, 2, 3)[1:] }}", "(2, 3)"),
    ("{{ range(9)[2:7:2] }}", "range(2, 7, 2)"),
    ("{{ xs[none:2] }}", "[3, 1]"),
    ("{{ user.name[1] }}", "o"),
    ("{{ user['tags'][0] }}", "x"),
    ("{{ user.tags.0 }}", "x"),
    ("{{ 'ab'[5] }}", ""),
    ("{{ xs[yes] }}", "1"),
    ("{{ people[0].name }}", "Bo"),
    ("{{ 'abcdef'[4:1:-2] }}", "ec"),
  ]

  @Test(arguments: slices)
  func cutsAsPythonDoes(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let literals: [(template: String, text: String)] = [
    ("{{ [1, 'a', none, true, 2.0] }}", "[1, 'a', None, True, 2.0]"),
    ("{{ (1,) }}", "(1,)"),
    ("{{ () }}", "()"),
    ("{{ {'a': [1, {}], 2: none} }}", "{'a': [1, {}], 2: None}"),
    ("{{ [] }}", "[]"),
    ("{{ {} }}", "{}"),
    ("{{ 'it''s' }}", "its"),
    (#"{{ 'a\'b' }}"#, "a'b"),
    (#"{{ "a'b" }}"#, "a'b"),
    (#"{{ ['a\'b', 'x"y', '\'"'] }}"#, #"["a'b", 'x"y', '\'"']"#),
    (#"{{ ['\n\t\\'] }}"#, #"['\n\t\\']"#),
    (#"{{ ['é😀\x00\u200d'] }}"#, #"['é😀\x00\u200d']"#),
    (#"{{ '\x41\u00e9\U0001F600\101' }}"#, "Aé😀A"),
    ("{{ 1, 2 }}", "(1, 2)"),
    ("{{ [1, 2,] }}", "[1, 2]"),
    ("{{ true, True, none, None, false }}", "(True, True, None, None, False)"),
    ("{{ {'a': 1, 'a': 2} }}", "{'a': 2}"),
    ("{{ ['%c' % 65] }}", "['A']"),
    ("{{ [yes, nothing, f] }}", "[True, None, 2.5]"),
  ]

  @Test(arguments: literals)
  func writesValuesAsPythonDoes(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
