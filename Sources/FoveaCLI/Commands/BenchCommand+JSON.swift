internal import Fovea
internal import FoveaLlama

extension BenchCommand.Report {
  /// The result as one object. Times are in seconds, memory in bytes, energy in joules.
  var json: JSONValue {
    .object([
      .init("model", model), .init("settings", settings),
      .init("repeat", Self.number(result.repeats)),
      .init("load_seconds", Self.number(result.loadSeconds)),
      .init("prefill", Self.evaluation(result.prefill)),
      .init("decode", Self.evaluation(result.decode)),
      .init("image", result.image.map(Self.image) ?? .null),
      .init("peak_memory_bytes", result.peakMemory.map(Self.number) ?? .null),
      .init("energy_unavailable", result.energyUnavailable.map { .string($0) } ?? .null),
      .init("tuning", result.tuning.map(tuning) ?? .null),
    ])
  }

  private var model: JSONValue {
    .object([
      .init("name", .string(result.model.name)), .init("file", .string(files.model)),
      .init("projector", files.projector.map { .string($0) } ?? .null),
      .init("architecture", .string(result.model.architecture)),
      .init("parameters", .number("\(result.model.parameterCount)")),
    ])
  }

  private var settings: JSONValue {
    let plan = result.plan
    return .object([
      .init("threads", Self.number(plan.threads.value)),
      .init("batch_threads", Self.number(plan.batchThreads.value)),
      .init("adapts_threads", .boolean(plan.adaptsThreads.value)),
      .init("batch", Self.number(plan.batchSize.value)),
      .init("context", Self.number(result.model.contextSize)),
      .init("attention", .string(plan.attention.value.rawValue)),
      .init("kv_cache", .string(plan.cacheType.value.rawValue)),
      .init("devices", .array(plan.devices.value.map { .string($0) })),
      .init("gpu_layers", Self.number(plan.gpuLayers.value)),
    ])
  }

  private static func evaluation(_ test: BenchmarkResult.Evaluation) -> JSONValue {
    .object([
      .init("tokens", number(test.tokens)), .init("tokens_per_second", samples(test.rate)),
      .init("joules_per_token", test.joulesPerToken.map(number) ?? .null),
    ])
  }

  private static func image(_ image: BenchmarkResult.Image) -> JSONValue {
    .object([
      .init("file", .string(image.name)), .init("width", number(image.width)),
      .init("height", number(image.height)), .init("tokens", number(image.tokens)),
      .init("prompt_tokens", number(image.promptTokens)),
      .init("decode_seconds", samples(image.decoding)),
      .init("encode_seconds", samples(image.encoding)),
      .init("first_token_seconds", samples(image.firstToken)),
    ])
  }

  private func tuning(_ tuning: Tuning) -> JSONValue {
    func trials(_ trials: [Tuning.Trial]) -> JSONValue {
      .array(
        trials.map { trial in
          .object([
            .init("threads", Self.number(trial.threads)),
            .init("batch", Self.number(trial.batchSize)),
            .init("flash_attention", .boolean(trial.usesFlashAttention)),
            .init("tokens_per_second", Self.samples(trial.rate)),
          ])
        })
    }
    let best = tuning.best
    return .object([
      .init("prefill", trials(tuning.prefill)), .init("decode", trials(tuning.decode)),
      .init(
        "best",
        .object([
          .init("threads", Self.number(best.threads)),
          .init("batch_threads", Self.number(best.batchThreads)),
          .init("batch", Self.number(best.batchSize)),
          .init("flash_attention", .boolean(best.usesFlashAttention)),
        ])),
      .init("options", .string(bestOptions ?? "")),
    ])
  }

  private static func samples(_ samples: Samples) -> JSONValue {
    .object([
      .init("mean", number(samples.mean)), .init("deviation", number(samples.deviation)),
      .init("median", number(samples.median)), .init("values", .array(samples.values.map(number))),
    ])
  }

  private static func number(_ value: Int) -> JSONValue { .number("\(value)") }

  private static func number(_ value: Double) -> JSONValue { .number(decimal(value, 6)) }
}
