internal import Foundation
internal import Fovea
internal import FoveaLlama

extension BenchCommand.Report {
  /// A page that stands alone: no scripts, nothing fetched, light and dark as the reader has it.
  var page: String {
    let title = "fovea bench: \(Self.escaped(result.model.name))"
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(charts.map(Self.section).joined(separator: "\n"))
      \(best)
      <h2>model and machine</h2>
      \(table)
      <p class="note">Bars are means, lines through their ends standard deviations, dots single runs.
      Prompts and texts are of random tokens, and nothing is sampled.</p>
      </main>
      </body>
      </html>

      """
  }

  private var best: String {
    guard let bestOptions else { return "" }
    return "<p>The least time for prompt and text together: <code>\(bestOptions)</code></p>"
  }

  private var table: String {
    let rows = facts.map { fact in
      "<tr><th scope=\"row\">\(Self.escaped(fact.name))</th><td>\(Self.escaped(fact.value))</td></tr>"
    }
    return "<table>\n<tbody>\n\(rows.joined(separator: "\n"))\n</tbody>\n</table>"
  }

  private static func section(_ chart: Chart) -> String {
    "<h2>\(escaped(chart.title)), \(escaped(chart.unit))</h2>\n\(svg(chart))"
  }

  // MARK: Charts

  /// The sizes of a chart, in its own units.
  private enum Layout {
    static let width = 760.0
    static let labels = 230.0
    static let numbers = 130.0
    static let row = 44.0
    static let bar = 18.0
    static var bars: Double { width - labels - numbers }
  }

  private static func svg(_ chart: Chart) -> String {
    let height = Layout.row * Double(chart.bars.count)
    let scale = chart.most > 0 ? Layout.bars / chart.most : 0
    let label =
      "\(chart.title) in \(chart.unit): "
      + chart.bars.map { "\($0.name), \($0.detail): \(text($0.samples))" }.joined(separator: "; ")
    let rows = chart.bars.enumerated().map { index, bar in
      row(bar, top: Layout.row * Double(index), scale: scale)
    }
    return """
      <svg viewBox="0 0 \(decimal(Layout.width, 0)) \(decimal(height, 0))" role="img" \
      aria-label="\(escaped(label))">
      \(rows.joined(separator: "\n"))
      </svg>
      """
  }

  private static func row(_ bar: Bar, top: Double, scale: Double) -> String {
    func point(_ value: Double) -> String { decimal(value, 1) }
    let middle = top + Layout.row / 2
    let end = Layout.labels + bar.samples.mean * scale
    let spread = bar.samples.deviation * scale
    var parts = [
      "<text x=\"0\" y=\"\(point(middle - 3))\">\(escaped(bar.name))</text>",
      "<text class=\"detail\" x=\"0\" y=\"\(point(middle + 13))\">\(escaped(bar.detail))</text>",
      "<rect x=\"\(point(Layout.labels))\" y=\"\(point(middle - Layout.bar / 2))\" "
        + "width=\"\(point(max(1, end - Layout.labels)))\" height=\"\(point(Layout.bar))\"/>",
    ]
    if bar.samples.values.count > 1 {
      parts.append(
        "<line x1=\"\(point(max(Layout.labels, end - spread)))\" y1=\"\(point(middle))\" "
          + "x2=\"\(point(end + spread))\" y2=\"\(point(middle))\"/>")
      parts += bar.samples.values.map { value in
        "<circle cx=\"\(point(Layout.labels + value * scale))\" cy=\"\(point(middle))\" r=\"2.5\"/>"
      }
    }
    parts.append(
      "<text class=\"number\" x=\"\(point(Layout.width))\" y=\"\(point(middle + 5))\">"
        + "\(escaped(text(bar.samples)))</text>")
    return parts.joined(separator: "\n")
  }

  // MARK: Markup

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private static let style = """

    :root { color-scheme: light dark; --ink: #1c2330; --quiet: #5c6675; --paper: #ffffff;
      --rule: #d9dee6; --bar: #3b74c4; --mark: #12294d; }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6eaf0; --quiet: #9aa5b5; --paper: #14181f; --rule: #303845;
        --bar: #4f86d6; --mark: #eaf1fb; }
    }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 16px/1.5 system-ui, sans-serif; }
    main { max-width: 50rem; margin: 0 auto; padding: 2rem 1rem; }
    h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
    svg { width: 100%; height: auto; }
    svg text { fill: var(--ink); font-size: 14px; }
    svg .detail { fill: var(--quiet); font-size: 12px; }
    svg .number { text-anchor: end; font-variant-numeric: tabular-nums; }
    svg rect { fill: var(--bar); } svg line { stroke: var(--mark); stroke-width: 2; }
    svg circle { fill: var(--mark); fill-opacity: .6; }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; vertical-align: top; padding: .3rem .5rem;
      border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; }
    th { font-weight: 600; white-space: nowrap; width: 9rem; }
    code { background: var(--rule); padding: .1rem .3rem; border-radius: .2rem; }
    .note { color: var(--quiet); font-size: .9rem; }

    """
}
