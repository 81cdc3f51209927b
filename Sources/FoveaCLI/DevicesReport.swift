internal import Fovea
internal import FoveaLlama

/// What `fovea devices` says, for people and as JSON.
struct DevicesReport {
  let machine: MachineDescription
  var load: LoadPlan?

  // MARK: For people

  /// Lines of a name, a value and a reason.
  var text: String {
    var lines = ["machine"]
    lines += rows(machineRows)
    if let load {
      lines +=
        ["", "choices"] + rows(Self.choices(load.plan).map { ($0.name, $0.text, $0.reason) })
      lines += ["", "memory (\(Self.source(load.estimate)))"] + rows(memoryRows(load))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func rows(_ rows: [(name: String, value: String, reason: String)]) -> [String] {
    rows.map { row in
      let start = "  " + row.name.padded(to: 16) + row.value
      return row.reason.isEmpty ? start : start.padded(to: 32) + "  " + row.reason
    }
  }

  private var machineRows: [(String, String, String)] {
    let processors = machine.processors
    var cores = "\(processors.physical) cores"
    if let fast = processors.performance { cores += ", \(fast) of them fast" }
    if let quota = processors.quota { cores += ", a quota of \(quota) processors" }
    var rows = [
      ("system", machine.platform.rawValue, ""),
      ("processors", "\(processors.logical)", cores),
      ("memory", ByteCount.text(machine.memory.total), ""),
    ]
    rows += machine.memory.limits.map {
      ("free", ByteCount.text($0.free), "by the \($0.kind.rawValue)")
    }
    rows += machine.devices.map { device in
      let memory =
        device.totalMemory > 0
        ? ", \(ByteCount.text(device.freeMemory)) of \(ByteCount.text(device.totalMemory)) free"
        : ""
      return (device.kind.rawValue, device.name, device.description + memory)
    }
    return rows
  }

  private func memoryRows(_ load: LoadPlan) -> [(String, String, String)] {
    var rows: [(String, String, String)] = []
    func add(_ name: String, _ bytes: Int, _ reason: String) {
      if bytes > 0 { rows.append((name, ByteCount.text(bytes), reason)) }
    }
    for (place, part) in Self.parts(load.estimate) {
      let place = place == "host" ? "" : "on \(place): "
      add("mapped weights", part.mappedWeights, place + "read from the file as they are")
      add("weights", part.weights, place + "copied into memory")
      let requests = load.plan.parallelRequests.value
      add(
        "cache", part.cache,
        place
          + "for \(requests == 1 ? "" : "\(requests) times ")\(load.plan.contextSize.value) tokens")
      let contexts = load.plan.contextCount
      add(
        "compute", part.compute,
        place + "for \(contexts == 1 ? "a batch" : "\(contexts) batches") of "
          + "\(load.plan.batchSize.value) tokens")
      add("projector", part.projector, place + "weights, and work on the largest picture")
    }
    add(
      "vocabulary", load.estimate.vocabulary,
      "texts and index of \(load.model.vocabularySize) tokens")
    add("program", load.estimate.program, "grammars, pictures, threads")
    add("in all", load.estimate.total, load.refusal == nil ? "fits" : "does not fit")
    return rows
  }

  private static func source(_ estimate: MemoryEstimate) -> String {
    switch estimate.source {
    case .dryRun: "as llama.cpp lays it out"
    case .header: "roughly, from the file's header"
    }
  }

  // MARK: Both

  private static func choices(
    _ plan: DevicePlan
  ) -> [(name: String, key: String, value: JSONValue, text: String, reason: String)] {
    func entry<Value>(
      _ name: String, _ key: String, _ choice: DevicePlan.Choice<Value>, _ value: JSONValue,
      _ text: String? = nil
    ) -> (String, String, JSONValue, String, String) {
      (name, key, value, text ?? "\(choice.value)", choice.reason)
    }
    func number(_ value: Int) -> JSONValue { .number("\(value)") }
    let devices = plan.devices.value
    return [
      entry(
        "devices", "devices", plan.devices, .array(devices.map { .string($0) }),
        devices.isEmpty ? "CPU" : devices.joined(separator: ", ")),
      entry(
        "layers on GPU", "gpu_layers", plan.gpuLayers, number(plan.gpuLayers.value),
        plan.gpuLayers.value < 0 ? "all" : nil),
      entry(
        "device list", "names_devices", plan.namesDevices, .boolean(plan.namesDevices.value),
        plan.namesDevices.value ? "given" : "llama.cpp's own"),
      entry("context", "context", plan.contextSize, number(plan.contextSize.value)),
      entry("batch", "batch", plan.batchSize, number(plan.batchSize.value)),
      entry("attention", "attention", plan.attention, .string(plan.attention.value.rawValue)),
      entry("cache", "kv_cache", plan.cacheType, .string(plan.cacheType.value.rawValue)),
      entry("threads", "threads", plan.threads, number(plan.threads.value)),
      entry(
        "adapting", "adapts_threads", plan.adaptsThreads, .boolean(plan.adaptsThreads.value),
        plan.adaptsThreads.value ? "yes" : "no"),
      entry(
        "batch threads", "batch_threads", plan.batchThreads, number(plan.batchThreads.value)),
      entry("requests", "parallel", plan.parallelRequests, number(plan.parallelRequests.value)),
      entry(
        "contexts", "evaluates_apart", plan.evaluatesApart, .boolean(plan.evaluatesApart.value),
        plan.evaluatesApart.value ? "one each" : "one for all"),
      entry(
        "pictures", "encodes_beside", plan.encodesBeside, .boolean(plan.encodesBeside.value),
        plan.encodesBeside.value ? "beside" : "in turn"),
    ]
  }

  /// The parts of an estimate, the host's first.
  private static func parts(_ estimate: MemoryEstimate) -> [(String, MemoryEstimate.Part)] {
    [("host", estimate.host)]
      + estimate.devices.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  // MARK: As JSON

  /// Sizes are in bytes.
  var json: JSONValue {
    var members: [JSONValue.Member] = [.init("machine", machineJSON)]
    if let load {
      members.append(
        .init(
          "choices",
          .object(
            Self.choices(load.plan).map { choice in
              .init(
                choice.key,
                .object([.init("value", choice.value), .init("reason", .string(choice.reason))]))
            })))
      members.append(.init("memory", Self.json(load.estimate)))
      members.append(.init("fits", .boolean(load.refusal == nil)))
    }
    return .object(members)
  }

  private var machineJSON: JSONValue {
    func number(_ value: Int?) -> JSONValue { value.map { .number("\($0)") } ?? .null }
    return .object([
      .init("system", .string(machine.platform.rawValue)),
      .init("processors", number(machine.processors.logical)),
      .init("cores", number(machine.processors.physical)),
      .init("fast_cores", number(machine.processors.performance)),
      .init("processor_quota", machine.processors.quota.map { .number("\($0)") } ?? .null),
      .init("memory", number(machine.memory.total)),
      .init(
        "free",
        .object(
          machine.memory.limits.map {
            .init($0.kind.rawValue.replacing(" ", with: "_"), number($0.free))
          })),
      .init("devices", .array(machine.devices.map(Self.json))),
    ])
  }

  private static func json(_ device: ComputeDevice) -> JSONValue {
    .object([
      .init("name", .string(device.name)), .init("description", .string(device.description)),
      .init("kind", .string(device.kind.rawValue)),
      .init("free", .number("\(device.freeMemory)")),
      .init("total", .number("\(device.totalMemory)")),
    ])
  }

  private static func json(_ estimate: MemoryEstimate) -> JSONValue {
    func number(_ value: Int) -> JSONValue { .number("\(value)") }
    return .object([
      .init("source", .string(estimate.source.rawValue)),
      .init(
        "places",
        .object(
          parts(estimate).map { place, part in
            .init(
              place,
              .object([
                .init("mapped_weights", number(part.mappedWeights)),
                .init("weights", number(part.weights)), .init("cache", number(part.cache)),
                .init("compute", number(part.compute)), .init("projector", number(part.projector)),
              ]))
          })),
      .init("vocabulary", number(estimate.vocabulary)),
      .init("program", number(estimate.program)), .init("total", number(estimate.total)),
    ])
  }
}

extension String {
  /// The text with blanks behind it, at least so long.
  fileprivate func padded(to length: Int) -> String {
    self + String(repeating: " ", count: max(0, length - count))
  }
}
