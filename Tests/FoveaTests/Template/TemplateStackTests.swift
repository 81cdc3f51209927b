import Foundation
import Testing

@testable import Fovea

/// Templates that go deep, on as little stack as a secondary thread of Apple's systems has.
///
/// Stacks are 256 KB here, half of that: what calls Fovea needs some of it too. An overflow ends the
/// tests with a signal.
@Suite("How deep templates go", .serialized)
struct TemplateStackTests {
  static let deepSources: [TemplateProgram] = [
    .nested(3_000, "(", "1", ")", within: "{{ # }}"),
    .nested(3_000, "[", "1", "]", within: "{{ # }}"),
    .nested(3_000, "{1:", "1", "}", within: "{{ # }}"),
    .nested(3_000, "-", "1", "", within: "{{ # }}"),
    .nested(3_000, "not ", "1", "", within: "{{ # }}"),
    .nested(3_000, "f(", "1", ")", within: "{{ # }}"),
    .nested(3_000, "x[", "1", "]", within: "{{ # }}"),
    .nested(3_000, "x|d(", "1", ")", within: "{{ # }}"),
    .nested(3_000, "1 if x else ", "1", "", within: "{{ # }}"),
    .nested(3_000, "x is eq [", "1", "]", within: "{{ # }}"),
    .nested(3_000, "", "x", ".a", within: "{{ # }}"),
    .nested(3_000, "", "x", "[1]", within: "{{ # }}"),
    .nested(3_000, "", "x", "()", within: "{{ # }}"),
    .nested(3_000, "", "x", "|d", within: "{{ # }}"),
    .nested(3_000, "", "1", " - 1", within: "{{ # }}"),
    .nested(3_000, "", "1", " * 1", within: "{{ # }}"),
    .nested(3_000, "", "1", " ** 1", within: "{{ # }}"),
    .nested(3_000, "", "1", " if x", within: "{{ # }}"),
    .nested(3_000, "(", "x", ")", within: "{% set # = 1 %}"),
    .nested(2_000, "{% if x %}", "", "{% endif %}", within: "#"),
    .nested(2_000, "{% for x in y %}", "", "{% endfor %}", within: "#"),
    .nested(2_000, "{% if x %}{% else %}", "", "{% endif %}", within: "#"),
    .nested(2_000, "{% set x %}", "", "{% endset %}", within: "#"),
    .nested(2_000, "{% macro m() %}", "", "{% endmacro %}", within: "#"),
    .nested(2_000, "{% call m() %}", "", "{% endcall %}", within: "#"),
    .nested(2_000, "{% filter upper %}", "", "{% endfilter %}", within: "#"),
    .nested(2_000, "{% with %}", "", "{% endwith %}", within: "#"),
    .nested(3_000, "(", "", "", within: "{{ # }}"),
    .nested(3_000, "{% if x %}", "", "", within: "#"),
  ]

  @Test(arguments: deepSources)
  func refusesDeepSources(template: TemplateProgram) async throws {
    let error = try #require(
      try await Self.onSmallStack { try TemplateSample.error(template.source) })
    #expect(error.code == .invalidTemplate)
  }

  /// Chains that are long but not deep.
  static let longSources: [TemplateProgram] = [
    .nested(2_000, "", "1", " + 1", within: "{{ # }}"),
    .nested(2_000, "", "1", " ~ 1", within: "{{ # }}"),
    .nested(2_000, "", "1", " and 1", within: "{{ # }}"),
    .nested(2_000, "", "0", " or 0", within: "{{ # }}"),
    .nested(2_000, "", "1", " < 2", within: "{{ # }}"),
    .nested(2_000, "1, ", "1", "", within: "{{ # }}"),
    .nested(2_000, "", "", "{% elif no %}x", within: "{% if no %}#{% endif %}"),
    .nested(2_000, "", "", "{% if yes %}{% endif %}", within: "#"),
  ]

  @Test(arguments: longSources)
  func readsLongSources(template: TemplateProgram) async throws {
    #expect(try await Self.onSmallStack { try TemplateSample.error(template.source) } == nil)
  }

  @Test(arguments: TemplateLimitTests.tooMuch.prefix(7))
  func endsRecursion(template: TemplateProgram) async throws {
    let error = try #require(
      try await Self.onSmallStack { try TemplateSample.error(template.source) })
    #expect(error.message.contains("nested too deeply"))
  }

  /// Ways from one call of a macro to the next, which is `m(…)`.
  static let ways = [
    "{{ # }}", "{{ # | upper }}", "{{ # ~ # }}", "{{ 'a' + # }}", "{{ [#] }}", "{{ {'a': #} }}",
    "{{ '%s' % # }}", "{{ x.get(#) }}", "{{ # if # else # }}", "{{ # is eq # }}", "{{ -(#) }}",
    "{{ ((# ~ 1) | trim) + 'a' }}", "{{ [[[[[[[[#]]]]]]]] }}", "{{ f(g(#)) }}", "{{ x[#:#] }}",
    "{% if # %}{% endif %}", "{% if yes %}{% if yes %}{{ # }}{% endif %}{% endif %}",
    "{% for y in [1] %}{{ # }}{% endfor %}", "{% for y in [#] %}{% endfor %}",
    "{% for y in [1] if # %}{% endfor %}", "{% set y = # %}", "{% set y %}{{ # }}{% endset %}",
    "{% with y = # %}{% endwith %}", "{% with %}{{ # }}{% endwith %}",
    "{% filter upper %}{{ # }}{% endfilter %}", "{% generation %}{{ # }}{% endgeneration %}",
    "{% call # %}{% endcall %}", "{% call n() %}{{ # }}{% endcall %}",
    "{% macro k() %}{{ # }}{% endmacro %}{{ k() }}",
    "{% for y in [1] recursive %}{{ # }}{% endfor %}",
  ]

  @Test(arguments: ways)
  func endsRecursionOnEveryWay(way: String) async throws {
    let body = way.replacing("#", with: "m(x)")
    let template =
      "{% macro n() %}{{ caller() }}{% endmacro %}{% macro m(x) %}\(body){% endmacro %}{{ m({}) }}"
    let error = try await Self.onSmallStack { try TemplateSample.error(template) }
    #expect(error?.code == .invalidTemplate)
  }

  /// Values as deep as they may be, and what goes through them.
  @Test(arguments: [
    "{{ ns.x }}", "{{ ns.x | tojson }}", "{{ ns.x | tojson(indent=2) }}", "{{ ns.x == ns.y }}",
    "{{ ns.x < ns.y }}", "{{ ns.x in [ns.y] }}", "{{ {ns.x: 1} }}",
    "{{ [ns.x, ns.y] | unique | list }}",
    "{{ [ns.x, ns.y] | sort }}", "{{ '%s' % ns.x }}", "{{ ns.x ~ '' }}",
  ])
  func goesThroughDeepValues(use: String) async throws {
    for step in ["[#]", "(#,)", "{'a': #}"] {
      for depth in [10, 50, 90, 100, 120, 150, 180, 198, 200, 250] {
        let template =
          "{% set ns = namespace(x=1, y=1) %}{% for i in range(\(depth)) %}"
          + "{% set ns.x = \(step.replacing("#", with: "ns.x")) %}"
          + "{% set ns.y = \(step.replacing("#", with: "ns.y")) %}{% endfor %}" + use
        let error = try await Self.onSmallStack { try TemplateSample.error(template) }
        #expect(error == nil || error?.code == .invalidTemplate)
      }
    }
  }

  @Test func rendersADeepContext() async throws {
    for depth in [10, 50, 100, 200, 500] {
      let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let error = try await Self.onSmallStack {
        try TemplateSample.error("{{ x | tojson }}{{ x }}{{ x == x }}", "{\"x\": \(value)}")
      }
      #expect(error == nil || error?.code == .invalidTemplate)
    }
  }

  /// Runs on a thread with a stack of 256 KB.
  static func onSmallStack<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let thread = Thread { continuation.resume(with: Result(catching: body)) }
      thread.stackSize = 256 * 1024
      thread.start()
    }
  }
}
