import Testing

@testable import Fovea

/// The clock stands still at 25 July 2024, 09:33:20.
@Suite("tojson and dates in templates")
struct TemplateJSONTests {
  static let values: [(template: String, text: String)] = [
    ("{{ user | tojson }}", #"{"name": "Zoë", "age": 41, "tags": ["x", "y"]}"#),
    ("{{ [1, 2.0, 1e20, -0.0, none, true] | tojson }}", "[1, 2.0, 1e+20, -0.0, null, true]"),
    ("{{ odd | tojson }}", #""a\"b'c<d>&é😀\\""#),
    (#"{{ '\x00\x1f\x7f\u2028' | tojson }}"#, "\"\\u0000\\u001f\u{7F}\u{2028}\""),
    ("{{ '</script>' | tojson }}", #""</script>""#),
    ("{{ () | tojson }}", "[]"),
    ("{{ {} | tojson }}", "{}"),
    ("{{ [[], {}] | tojson }}", "[[], {}]"),
    (
      "{{ {1: 'a', none: 'b', true: 'c', 2.5: 'd'} | tojson }}",
      #"{"1": "c", "null": "b", "2.5": "d"}"#
    ),
    (#"{{ '\b\f\n\r\t/' | tojson }}"#, #""\b\f\n\r\t/""#),
  ]

  @Test(arguments: values)
  func writesAsPythonDoes(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let options: [(template: String, text: String)] = [
    (
      "{{ user | tojson(indent=2) }}",
      "{\n  \"name\": \"Zoë\",\n  \"age\": 41,\n  \"tags\": [\n    \"x\",\n    \"y\"\n  ]\n}"
    ),
    ("{{ [[], {}, [1]] | tojson(indent=1) }}", "[\n [],\n {},\n [\n  1\n ]\n]"),
    ("{{ [1, [2]] | tojson(indent='--') }}", "[\n--1,\n--[\n----2\n--]\n]"),
    ("{{ [1] | tojson(indent=0) }}", "[\n1\n]"),
    ("{{ odd | tojson(ensure_ascii=true) }}", #""a\"b'c<d>&\u00e9\ud83d\ude00\\""#),
    ("{{ odd | tojson(true) }}", #""a\"b'c<d>&\u00e9\ud83d\ude00\\""#),
    (
      "{{ {'b': 1, 'a': {'d': 1, 'c': 2}} | tojson(sort_keys=true) }}",
      #"{"a": {"c": 2, "d": 1}, "b": 1}"#
    ),
    ("{{ [1, {'a': 2}] | tojson(separators=(',', ':')) }}", #"[1,{"a":2}]"#),
    (
      "{{ [1, {'a': 2}] | tojson(separators=(',', ':'), indent=2) }}",
      "[\n  1,\n  {\n    \"a\":2\n  }\n]"
    ),
  ]

  @Test(arguments: options)
  func takesOptions(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }

  static let dates: [(template: String, text: String)] = [
    ("{{ strftime_now('%Y-%m-%d') }}", "2024-07-25"),
    ("{{ strftime_now('%d %b %Y') }}", "25 Jul 2024"),
    ("{{ strftime_now('%-d %B %Y') }}", "25 July 2024"),
    ("{{ strftime_now('%A, %a') }}", "Thursday, Thu"),
    ("{{ strftime_now('%H:%M:%S') }}", "09:33:20"),
    ("{{ strftime_now('%I %p') }}", "09 AM"),
    ("{{ strftime_now('%y %j') }}", "24 207"),
    ("{{ strftime_now('%F %T') }}", "2024-07-25 09:33:20"),
    ("{{ strftime_now('100%%') }}", "100%"),
    ("{{ strftime_now('%e|%-m|%u|%w') }}", "25|7|4|4"),
    ("{% if strftime_now is defined %}{{ strftime_now('%d %b %Y') }}{% endif %}", "25 Jul 2024"),
  ]

  @Test(arguments: dates)
  func writesDates(template: String, text: String) throws {
    #expect(try TemplateSample.render(template) == text)
  }
}
