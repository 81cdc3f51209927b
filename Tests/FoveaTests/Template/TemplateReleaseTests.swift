import Testing

@testable import Fovea

/// Values may hold themselves, but not beyond a run.
@Suite("What is left of a template's run")
struct TemplateReleaseTests {
  static let templates = [
    "{{ probe is defined }}",
    "{% set ns = namespace(p=probe) %}{% set ns.me = ns %}",
    "{% set ns = namespace(p=probe) %}{% set ns.me = {'a': [ns]} %}",
    "{% set a = namespace(p=probe) %}{% set b = namespace(a=a) %}{% set a.b = b %}",
    "{% macro m() %}{{ p }}{% endmacro %}{% set p = probe %}{{ m }}",
    "{% for i in [1] %}{% set p = probe %}{% macro m() %}{{ p }}{% endmacro %}{% endfor %}",
    "{% macro m() %}{% set p = probe %}{% macro n() %}{{ p }}{% endmacro %}{% endmacro %}{{ m() }}",
    "{% set ns = namespace() %}{% macro m() %}{% set ns.c = caller %}{% endmacro %}"
      + "{% for i in [1] %}{% set p = probe %}{% call m() %}{{ p }}{% endcall %}{% endfor %}",
    "{% for i in [probe] recursive %}{% set me = loop %}{{ loop.changed(loop) }}{% endfor %}",
    "{% for i in [probe] %}{% set me = loop %}{{ loop.changed(me, probe) }}{% endfor %}",
    "{% for i in [1] %}{% set p = probe %}{% for j in [p] if p is defined %}{% set q = loop %}"
      + "{% endfor %}{% endfor %}",
    "{% set ns = namespace(p=probe) %}{% set ns.me = ns %}{{ 1 / 0 }}",
    "{% for i in [1] %}{% macro m() %}{{ probe.x.y }}{% endmacro %}{{ m() }}{% endfor %}",
  ]

  @Test(arguments: templates)
  func isNothing(template: String) throws {
    weak var probe: TemplateJoiner?
    do {
      let made = TemplateJoiner(.none)
      probe = made
      var parser = try TemplateParser(template)
      let body = try parser.parse()
      let functions = ["namespace": TemplateFunction.namespace]
      let globals: [TemplateValue?] = parser.names.map { name in
        if name == "probe" { return .object(made) }
        return functions[name].map { .object(TemplateFunctionValue($0)) }
      }
      let run = TemplateRun(
        names: parser.names, globals: globals, now: 0, limits: TemplateLimits())
      _ = try? run.run(body)
      #expect(probe != nil)
    }
    #expect(probe == nil)
  }
}
