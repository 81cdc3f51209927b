import Testing

@testable import Fovea

/// Templates come with model files, and nobody reads them before they run.
@Suite("Templates that do too much", .serialized)
struct TemplateLimitTests {
  static let tooMuch: [TemplateProgram] = [
    // Recursion without an end
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
    "{% macro m() %}{{ caller }}{% call m() %}{% endcall %}{% endmacro %}{{ m() }}",
    "{% macro m() %}{% set x %}{{ m() }}{% endset %}{% endmacro %}{{ m() }}",
    "{% macro m(f) %}{{ f(f) }}{% endmacro %}{{ m(m) }}",
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% macro m(x) %}{% for y in x %}{{ m([x]) }}{% endfor %}{% endmacro %}{{ m([1]) }}",
    // Loops in loops
    .nested(6, "{% for x in range(100000) %}", "x", "{% endfor %}"),
    .nested(6, "{% for x in range(100000) %}", "", "{% endfor %}"),
    .nested(6, "{% for x in range(100000) if x >= 0 %}", "", "{% endfor %}"),
    // Texts that grow
    "{% set x = 'ab' %}" + .repeated(80, "{% set x = x ~ x %}"),
    "{% set x = 'ab' %}" + .repeated(80, "{% set x = x + x %}"),
    "{% set x = 'ab' %}" + .repeated(80, "{% set x %}{{ x }}{{ x }}{% endset %}"),
    "{% set x = 'ab' %}" + .repeated(80, "{% set x = '%s%s' % (x, x) %}"),
    "{% set x = 'ab' %}" + .repeated(80, "{% set x = '{0}{0}'.format(x) %}"),
    "{% set x = 'ab' %}" + .repeated(80, "{% set x = x | replace('a', x) %}"),
    "{% set x = 'ab' %}" + .repeated(80, "{% set x = x.join([x, x]) %}"),
    "{{ 'a' * 10 ** 12 }}", "{{ 10 ** 12 * 'a' }}", "{{ 'ab' * 9223372036854775807 }}",
    "{{ ('a' * 10000000) | replace('a', 'aaaaaaaaaa') }}",
    "{{ ('a' * 10000000) | replace('', 'aaaaaaaaaa') }}",
    "{{ ('a' * 10000000).replace('a', 'a' * 10000000) }}",
    "{{ (['a'] * 1000000) | join('b' * 100000) }}", "{{ ('a' * 10000) | center(10 ** 12) }}",
    "{{ 'a'.ljust(10 ** 12) }}", "{{ 'a'.zfill(10 ** 12) }}", "{{ '%1000000000d' % 1 }}",
    "{{ '%.1000000000f' % 1 }}", "{{ '%*d' % (1000000000, 1) }}", "{{ '{:1000000000}'.format(1) }}",
    "{{ '{:.1000000000f}'.format(1.5) }}", "{{ 'a' | indent(10 ** 12, true) }}",
    "{{ ('\n' * 100000) | indent('b' * 100000, blank=true) }}",
    "{{ {'a': [1]} | tojson(indent=10 ** 12) }}",
    // Lists that grow
    "{{ range(10 ** 9) }}", "{{ ([1] * 10 ** 9) | length }}", "{{ ((1,) * 10 ** 9) | length }}",
    "{% set x = [1] %}" + .repeated(80, "{% set x = x + x %}"),
    "{{ 'a' | slice(10 ** 9) | list }}", "{{ [1] | batch(10 ** 9, 0) | list }}",
    // Long texts that are looked through again and again
    looking("{{ x | length }}"), looking("{{ 'b' in x }}"), looking("{{ x | upper | length }}"),
    looking("{{ x[-1] }}"), looking("{{ x.find('b') }}"), looking("{{ x.split('b') | length }}"),
    looking("{{ x.strip('a') }}"), looking("{{ x == x }}"), looking("{{ x.isalpha() }}"),
    "{{ ('a' * 50000 ~ 'b') in ('a' * 100000) }}", "{{ ('a' * 100000).strip('b' * 100000) }}",
    "{{ ('a' * 100000).count('a' * 50000 ~ 'b') }}",
    // Values that are small, but hold one another again and again
    "{% set x = [1] %}" + .repeated(60, "{% set x = [x, x] %}") + "{{ x }}",
    "{% set x = [1] %}" + .repeated(60, "{% set x = [x, x] %}") + "{{ x | tojson }}",
    "{% set x = [1] %}{% set y = [1] %}" + .repeated(60, "{% set x = [x, x] %}{% set y = [y, y] %}")
      + "{{ x == y }}",
    "{% set x = 1 %}" + .repeated(60, "{% set x = (x, x) %}") + "{{ {x: 1}[x] }}",
    "{% set x = {'a': 1} %}" + .repeated(60, "{% set x = {'a': x, 'b': x} %}") + "{{ x in [x, 1] }}"
      + "{{ x | tojson }}",
    // Values within themselves
    "{% set ns = namespace() %}{% set ns.x = ns %}{{ ns }}",
    "{% set ns = namespace() %}{% set ns.x = {'a': [ns]} %}{{ ns.x }}",
    "{% set a = namespace() %}{% set b = namespace(a={'k': a}) %}{% set a.b = {'k': b} %}{{ a }}",
  ]

  private static func looking(_ look: String) -> TemplateProgram {
    TemplateProgram(
      "{% set x = 'a' * 100000 %}{% for i in range(100000) %}\(look){% endfor %}")
  }

  @Test(arguments: tooMuch)
  func endsWithAnError(template: TemplateProgram) throws {
    let error = try #require(try Self.error(template.source))
    #expect(error.code == .invalidTemplate)
  }

  /// What ends for another reason than its depth: chains of values, a hundred thousand long.
  static let chains: [TemplateProgram] = [
    "{% set ns.x = [ns.x] %}", "{% set ns.x = {'a': ns.x} %}", "{% set ns.x = (ns.x,) %}",
    "{% set ns.x = joiner(ns.x) %}", "{% set ns.x = cycler(ns.x) %}",
    "{% set ns.x = cycler(ns.x).next %}", "{% set ns.x = {'a': ns.x}.items %}",
    "{% set ns.x = {'a': ns.x}.items() %}", "{% set ns.x = [ns.x] | map('default') %}",
    "{% set ns.x = dict(a=ns.x) %}", "{% set ns.x = namespace(x=ns.x) %}",
    "{% set ns.x = {'a': namespace(x=ns.x)} %}",
    "{% for j in [ns.x] %}{% set ns.x = loop %}{% endfor %}",
    "{% for j in [1] %}{% set seen = loop.changed(ns.x) %}{% set ns.x = loop %}{% endfor %}",
    "{% set old = ns.x %}{% for j in [1] %}{% set ns.x = loop %}{% endfor %}",
    "{% set old = ns.x %}{% for j in [1] recursive %}{% set ns.x = loop %}{% endfor %}",
    "{% set old = ns.x %}{% for j in [1] if old is defined %}{% set ns.x = loop %}{% endfor %}",
    "{% set old = ns.x %}{% macro m() %}{{ old }}{% endmacro %}{% set ns.x = m %}",
    "{% set old = ns.x %}{% call keep() %}{{ old }}{% endcall %}",
    "{% call keep() %}{% endcall %}", "{{ hold(a=ns.x) }}", "{{ rest(ns.x) }}",
  ]

  @Test(arguments: chains)
  func letsGoOfLongChains(step: TemplateProgram) throws {
    let template =
      "{% set ns = namespace(x=1) %}{% macro keep() %}{% set ns.x = caller %}{% endmacro %}"
      + "{% macro hold() %}{% set ns.x = kwargs %}{% endmacro %}"
      + "{% macro rest() %}{% set ns.x = varargs %}{% endmacro %}"
      + "{% for i in range(100000) %}\(step.source){% endfor %}x"
    if let error = try Self.error(template, steps: 2_000_000) {
      #expect(error.code == .invalidTemplate)
    }
  }

  /// The largest and smallest numbers, wherever a number can be given.
  static let numbers = [
    "{{ 'abc'[N:] }}", "{{ 'abc'[:N] }}", "{{ 'abc'[::N] }}", "{{ 'abc'[N] }}", "{{ xs[N:N:N] }}",
    "{{ range(9)[N:N:N] }}", "{{ range(N, N, N) | list | length }}", "{{ range(0, N, N)[::2] }}",
    "{{ range(N - 1 if N > 0 else N, N, N)[1:] }}", "{{ 5 in range(N, 7, N) }}",
    "{{ 'a' | center(N) }}", "{{ 'a'.rjust(N) }}", "{{ 'a'.zfill(N) }}", "{{ 'a' * N }}",
    "{{ 'abc'.find('c', N) }}", "{{ 'abc'.count('', 1, N) }}", "{{ 'abc'.startswith('a', N) }}",
    "{{ 'a b c'.split(' ', N) }}", "{{ 'a b c'.split(none, N) }}", "{{ 'a b'.rsplit(' ', N) }}",
    "{{ 'abc' | replace('b', 'x', N) }}", "{{ 'abc' | truncate(N) }}",
    "{{ 'abc' | truncate(3, leeway=N) }}", "{{ 'a' | indent(N) }}", "{{ [1] | tojson(indent=N) }}",
    "{{ xs | batch(N) | list }}", "{{ xs | slice(N) | list }}", "{{ 1.5 | round(N) }}",
    "{{ 15 | round(N) }}", "{{ N | abs }}", "{{ -N }}", "{{ N // -1 }}", "{{ N % -1 }}",
    "{{ N * N }}", "{{ 2 ** N }}", "{{ N ** 2 }}", "{{ 1.5 ** N }}", "{{ N | round(-18) }}",
    "{{ '%d %x %5d' % (N, N, N) }}", "{{ '%*d' % (N, 1) }}", "{{ '%.*f' % (N, 1) }}",
    "{{ '{:d} {:,} {:x}'.format(N, N, N) }}", "{{ N | int }}", "{{ N | float | int }}",
    "{{ '7' | int(base=N) }}", "{{ xs.index(1, N) }}", "{{ xs[N] }}", "{{ 'abc'[N::-1] }}",
    "{{ N / 3 }}", "{{ N is divisibleby 3 }}", "{{ xs | sum(start=N) }}", "{{ N - 1 }}",
    "{{ N + 1 }}", "{{ '%c' % N }}", "{{ N | tojson }}",
  ]

  @Test(arguments: numbers, ["9223372036854775807", "(-9223372036854775807 - 1)"])
  func survivesTheLargestNumbers(template: String, number: String) throws {
    let text = template.replacing("N", with: number)
    if let error = try TemplateSample.error(text) { #expect(error.code == .invalidTemplate) }
  }

  /// The error under limits that a build without optimisation reaches quickly.
  private static func error(_ template: String, steps: Int = 100_000) throws -> FoveaError? {
    let limits = TemplateLimits(steps: steps, characters: 2_000_000)
    let context = try JSONValue(parsing: TemplateSample.context)
    do throws(FoveaError) {
      let template = try ChatTemplate(template)
      _ = try template.render(context, now: 0, limits: limits, isTrusted: { _ in false })
      return nil
    } catch {
      return error
    }
  }
}
