/// What Linux tells about the machine in `/proc` and `/sys`.
struct LinuxSystem {
  /// The processors that the process may run on.
  let processors: ProcessorDescription
  /// The memory that it may use.
  let memory: MemoryBudget

  /// Reads the files.
  ///
  /// - Parameter file: The text of a file; nil where it does not exist.
  init(reading file: (String) -> String?) {
    let group = ControlGroup(reading: file)
    let status = Self.fields(file("/proc/self/status") ?? "")
    processors = Self.processors(status, quota: group.processorQuota, file)
    memory = Self.memory(status, group: group.freeMemory, file)
  }

  // MARK: Processors

  private static func processors(
    _ status: [Substring: Substring], quota: Double?, _ file: (String) -> String?
  ) -> ProcessorDescription {
    let folder = "/sys/devices/system/cpu"
    let allowed = Set(
      list(status["Cpus_allowed_list"].map(String.init) ?? file("\(folder)/online") ?? "0"))
    /// Cores are told apart by the list of the logical processors that share them.
    func cores(_ processors: Set<Int>) -> Int {
      Set(
        processors.map { number in
          file("\(folder)/cpu\(number)/topology/thread_siblings_list")
            .map { $0.filter { !$0.isWhitespace } } ?? "\(number)"
        }
      ).count
    }
    return ProcessorDescription(
      logical: max(1, allowed.count), physical: max(1, cores(allowed)),
      performance: fastProcessors(among: allowed, file).map(cores), quota: quota)
  }

  /// The fast ones of different processors; nil where all are alike.
  private static func fastProcessors(
    among allowed: Set<Int>, _ file: (String) -> String?
  ) -> Set<Int>? {
    // Processors with two kinds of cores announce a device for each kind.
    if let text = file("/sys/devices/cpu_core/cpus") {
      let fast = allowed.intersection(list(text))
      return fast.isEmpty || fast == allowed ? nil : fast
    }
    var capacities: [Int: Int] = [:]
    for number in allowed {
      capacities[number] = file("/sys/devices/system/cpu/cpu\(number)/cpu_capacity")
        .flatMap { Int($0.filter { !$0.isWhitespace }) }
    }
    guard let most = capacities.values.max() else { return nil }
    let fast = allowed.filter { (capacities[$0] ?? 0) * 2 >= most }
    return fast == allowed ? nil : fast
  }

  /// Reads `0-3,8,10-11`.
  static func list(_ text: String) -> [Int] {
    text.filter { !$0.isWhitespace }.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last, last < 1 << 16 else {
        return []
      }
      return Array(first...last)
    }
  }

  // MARK: Memory

  private static func memory(
    _ status: [Substring: Substring], group: Int?, _ file: (String) -> String?
  ) -> MemoryBudget {
    let machine = fields(file("/proc/meminfo") ?? "")
    var limits: [MemoryBudget.Limit] = []
    if let available = bytes(machine["MemAvailable"]) {
      limits.append(.init(.machine, free: available))
    }
    if let group { limits.append(.init(.controlGroup, free: group)) }
    if let space = addressSpace(file("/proc/self/limits") ?? "") {
      limits.append(.init(.addressSpace, free: space - (bytes(status["VmSize"]) ?? 0)))
    }
    return MemoryBudget(total: bytes(machine["MemTotal"]) ?? 0, limits: limits)
  }

  /// The soft limit of a line such as `Max address space   4294967296   unlimited   bytes`.
  private static func addressSpace(_ text: String) -> Int? {
    let name = "Max address space"
    return text.split(separator: "\n").first { $0.hasPrefix(name) }
      .flatMap { $0.dropFirst(name.count).split(separator: " ").first }
      .flatMap { Int($0) }
  }

  /// Lines such as `VmSize:    1234 kB`.
  private static func fields(_ text: String) -> [Substring: Substring] {
    var fields: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon]] = line[line.index(after: colon)...]
    }
    return fields
  }

  private static func bytes(_ field: Substring?) -> Int? {
    field?.split { $0.isWhitespace }.first.flatMap { Int($0) }.map { $0 * 1_024 }
  }
}
