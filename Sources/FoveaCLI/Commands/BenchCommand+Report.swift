internal import Foundation
internal import Fovea
internal import FoveaLlama

extension BenchCommand {
  /// What a benchmark found, for people; as JSON and as a page in the files beside this one.
  struct Report {
    let files: ModelFiles
    let result: BenchmarkResult

    /// A line of a chart.
    struct Bar {
      let name: String
      /// What was measured.
      let detail: String
      /// In the unit of its chart.
      let samples: Samples
    }

    /// Bars of one scale.
    struct Chart {
      let title: String
      let unit: String
      let bars: [Bar]

      /// The longest that a bar with its deviation becomes.
      var most: Double {
        bars.map { max($0.samples.mean + $0.samples.deviation, $0.samples.values.max() ?? 0) }
          .max() ?? 0
      }
    }

    /// Mean and deviation, with as many digits as tell something.
    static func text(_ samples: Samples) -> String {
      let digits = samples.mean < 10 ? 2 : samples.mean < 1_000 ? 1 : 0
      let mean = decimal(samples.mean, digits)
      return samples.values.count > 1
        ? "\(mean) ± \(decimal(samples.deviation, digits))" : mean
    }

    /// A number with a point, the same in every country.
    static func decimal(_ number: Double, _ digits: Int) -> String {
      String(format: "%.\(digits)f", number)
    }
  }
}

extension BenchCommand.Report {
  // MARK: What there is to show

  /// All charts, in order.
  var charts: [Chart] {
    var charts = [
      Chart(
        title: "speed", unit: "tokens/s",
        bars: [
          Bar(
            name: "prefill", detail: "\(result.prefill.tokens) tokens", samples: result.prefill.rate
          ),
          Bar(
            name: "decode", detail: "\(result.decode.tokens) tokens", samples: result.decode.rate),
        ])
    ]
    if let image = result.image {
      func milliseconds(_ samples: Samples) -> Samples {
        Samples(samples.values.map { $0 * 1_000 })
      }
      charts.append(
        Chart(
          title: "picture", unit: "ms",
          bars: [
            Bar(
              name: "decode image", detail: "\(image.width) × \(image.height) pixels",
              samples: milliseconds(image.decoding)),
            Bar(
              name: "encode image", detail: "\(image.tokens) tokens",
              samples: milliseconds(image.encoding)),
            Bar(
              name: "first token", detail: "of a prompt of \(image.promptTokens)",
              samples: milliseconds(image.firstToken)),
          ]))
    }
    if let tuning = result.tuning {
      charts.append(Self.chart("tuning: prefill", tuning.prefill))
      charts.append(Self.chart("tuning: decode", tuning.decode))
    }
    return charts
  }

  private static func chart(_ title: String, _ trials: [Tuning.Trial]) -> Chart {
    Chart(
      title: title, unit: "tokens/s",
      bars: trials.map { trial in
        Bar(
          name: "\(trial.threads) thread\(trial.threads == 1 ? "" : "s")",
          detail:
            "batch \(trial.batchSize), flash attention \(trial.usesFlashAttention ? "on" : "off")",
          samples: trial.rate)
      })
  }

  /// What the model is and how it was computed.
  var facts: [(name: String, value: String)] {
    let plan = result.plan
    let adapts = plan.adaptsThreads.value ? ", fewer while that is faster" : ""
    var facts = [
      ("model", result.model.name), ("file", files.model),
      (
        "parameters",
        "\(ByteCount.decimal(Int(clamping: result.model.parameterCount), of: 1_000_000)) M"
      ),
      ("threads", "\(plan.threads.value), \(plan.batchThreads.value) for prompts\(adapts)"),
      ("batch", "\(plan.batchSize.value) tokens"),
      ("context", "\(result.model.contextSize) tokens"),
      ("attention", "\(plan.attention.value.rawValue), cache in \(plan.cacheType.value.rawValue)"),
      (
        "computed by",
        plan.devices.value.isEmpty ? "CPU" : plan.devices.value.joined(separator: ", ")
      ),
      ("runs", "\(result.repeats) of each test"),
    ]
    facts += [
      ("load time", "\(Self.decimal(result.loadSeconds, 2)) s"),
      ("peak memory", result.peakMemory.map(ByteCount.text) ?? "this system does not say"),
      ("energy", energy),
    ]
    return facts
  }

  private var energy: String {
    guard let prefill = result.prefill.joulesPerToken, let decode = result.decode.joulesPerToken
    else { return result.energyUnavailable ?? "this system does not say" }
    return "\(Self.decimal(prefill * 1_000, 1)) mJ a token of a prompt, "
      + "\(Self.decimal(decode * 1_000, 1)) mJ a token written (the whole processor)"
  }

  /// The options that tuning found.
  var bestOptions: String? {
    result.tuning.map { tuning in
      let best = tuning.best
      return "--threads \(best.threads) --batch-threads \(best.batchThreads) "
        + "--batch \(best.batchSize) --flash-attention \(best.usesFlashAttention ? "on" : "off")"
    }
  }

  // MARK: For a terminal

  /// A table with bars.
  var text: String {
    var lines = facts.map { "\(Self.padded($0.name, 13))\($0.value)" }
    for chart in charts {
      lines += ["", "\(chart.title) (\(chart.unit))"]
      let names = chart.bars.map(\.name.count).max() ?? 0
      let details = chart.bars.map(\.detail.count).max() ?? 0
      let numbers = chart.bars.map { Self.text($0.samples).count }.max() ?? 0
      for bar in chart.bars {
        let number = Self.text(bar.samples)
        lines.append(
          "  \(Self.padded(bar.name, names))  \(Self.padded(bar.detail, details))  "
            + String(repeating: " ", count: numbers - number.count) + number + "  "
            + Self.line(bar.samples.mean, of: chart.most))
      }
    }
    if let bestOptions {
      lines += ["", "the least time for prompt and text together:", "  \(bestOptions)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static let lineLength = 30

  /// A bar in eighths of a character.
  private static func line(_ value: Double, of most: Double) -> String {
    guard most > 0 else { return "" }
    let eighths = max(1, Int((value / most * Double(lineLength * 8)).rounded()))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  private static func padded(_ text: String, _ length: Int) -> String {
    text + String(repeating: " ", count: max(0, length - text.count))
  }
}
