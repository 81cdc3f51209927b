extension DevicePlan {
  /// More threads than this write no faster: each token reads all weights, and a few cores read as
  /// fast as the memory gives.
  static let mostThreads = 8
  /// A prompt is bound by arithmetic and uses more cores, until waiting for each other costs more.
  static let mostBatchThreads = 16

  static func threads(
    _ processors: ProcessorDescription, _ model: ModelFacts, _ options: LlamaOptions
  ) -> Choice<Int> {
    if let asked = options.threadCount { return Choice(asked, "as asked for") }
    if model.parameterCount < smallestModelForThreads {
      return Choice(
        1,
        "threads would wait for each other longer than they compute \(count(model.parameterCount)) "
          + "parameters")
    }
    let usable = usableCores(processors)
    return usable.value > mostThreads
      ? Choice(mostThreads, "more than \(mostThreads) read the weights no faster") : usable
  }

  static func batchThreads(
    _ processors: ProcessorDescription, _ model: ModelFacts, _ options: LlamaOptions,
    threads: Choice<Int>
  ) -> Choice<Int> {
    if let asked = options.batchThreadCount { return Choice(asked, "as asked for") }
    if options.threadCount != nil || model.parameterCount < smallestModelForThreads {
      return threads
    }
    let usable = usableCores(processors)
    return usable.value > mostBatchThreads
      ? Choice(mostBatchThreads, "more than \(mostBatchThreads) wait for each other too long")
      : usable
  }

  static func adaptsThreads(
    _ options: LlamaOptions, threads: Int, attention: Attention
  ) -> Choice<Bool> {
    if threads == 1 { return Choice(false, "there is only one") }
    if options.threadCount != nil { return Choice(false, "the number was asked for") }
    if attention != .plain {
      return Choice(false, "flash attention sums in another order for each number of threads")
    }
    return Choice(true, "the text does not depend on the number")
  }

  /// Two requests that one thread each computes take no longer than one. Threads that compute one request
  /// together wait for each other, so with several contexts they would have to be fewer than cores.
  static func evaluatesApart(
    _ processors: ProcessorDescription, _ options: LlamaOptions, usesGPU: Bool, threads: Int,
    batchThreads: Int
  ) -> Choice<Bool> {
    if let asked = options.evaluatesApart { return Choice(asked, "as asked for") }
    if usesGPU { return Choice(false, "the GPU does one thing at a time") }
    if max(threads, batchThreads) > 1 {
      return Choice(false, "all cores compute one batch")
    }
    return usableCores(processors).value > 1
      ? Choice(true, "one thread computes a request, and there are more cores")
      : Choice(false, "there is only one core")
  }

  /// Threads of both would wait for each other where there are more of them than cores.
  static func encodesBeside(
    _ processors: ProcessorDescription, usesGPU: Bool, threads: Int, batchThreads: Int
  ) -> Choice<Bool> {
    if usesGPU { return Choice(false, "the GPU does one thing at a time") }
    let cores = usableCores(processors).value
    return threads + batchThreads <= cores
      ? Choice(true, "\(cores) cores are more than the text needs")
      : Choice(false, "the text needs all \(cores) cores")
  }

  /// Two threads on one core take turns, slow cores make fast ones wait, and a process that has used
  /// up its quota stands still while its threads wait for each other.
  static func usableCores(_ processors: ProcessorDescription) -> Choice<Int> {
    var usable = Choice(processors.physical, "one for each core")
    if let fast = processors.performance, fast < usable.value {
      usable = Choice(max(1, fast), "one for each fast core")
    }
    if processors.logical < usable.value {
      usable = Choice(processors.logical, "one for each processor that the process may use")
    }
    if let quota = processors.quota, Int(quota.rounded(.down)) < usable.value {
      usable = Choice(
        max(1, Int(quota.rounded(.down))),
        "the control group grants \(ByteCount.decimal(Int(quota * 10), of: 10)) processors")
    }
    return usable
  }
}
