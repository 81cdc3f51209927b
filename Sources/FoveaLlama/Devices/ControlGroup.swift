/// What Linux's control groups allow a process: containers and services run in such groups.
///
/// Groups are folders, and a process is bound by the limits of its own and of all above it. Version 1
/// has a tree for each resource, version 2 one tree for all; a machine can have both at once.
///
///     /proc/self/cgroup       which group the process is in
///     /proc/self/mountinfo    where the trees are, and which part of them is seen here
///     …/memory.max, cpu.max   the limits, in version 2
struct ControlGroup {
  /// Bytes that may still be used; nil: no limit.
  private(set) var freeMemory: Int?
  /// How many processors' time may be used; nil: no limit.
  private(set) var processorQuota: Double?

  /// Reads the limits of this process.
  ///
  /// - Parameter file: The text of a file; nil where it does not exist.
  init(reading file: (String) -> String?) {
    let mounts = Mount.parse(file("/proc/self/mountinfo") ?? "")
    for (controllers, path) in Self.memberships(file("/proc/self/cgroup") ?? "") {
      for mount in mounts where mount.holds(controllers) {
        for folder in mount.folders(of: path) {
          func number(_ name: String) -> Int? { file("\(folder)/\(name)").flatMap(Self.number) }
          func lower(_ free: Int?) { freeMemory = Self.least(freeMemory, free) }
          lower(Self.free(version2: folder, file, number))
          lower(Self.free(version1: folder, file, number))
          let quota =
            file("\(folder)/cpu.max").flatMap(Self.quota)
            ?? Self.quota(number("cpu.cfs_quota_us"), period: number("cpu.cfs_period_us"))
          processorQuota = Self.least(processorQuota, quota)
        }
      }
    }
  }

  private static func least<Number: Comparable>(_ a: Number?, _ b: Number?) -> Number? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  // MARK: Where the groups are

  /// A tree of groups as it is mounted.
  private struct Mount {
    /// Which folder of the tree is seen at `point`.
    let root: String
    let point: String
    /// What version 1 limits here; empty for version 2.
    let controllers: Set<Substring>

    static func parse(_ text: String) -> [Mount] {
      text.split(separator: "\n").compactMap { line in
        // 35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:7 - cgroup cgroup rw,memory
        let fields = line.split(separator: " ")
        guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 3 else {
          return nil
        }
        switch fields[dash + 1] {
        case "cgroup2": return Mount(root: "\(fields[3])", point: "\(fields[4])", controllers: [])
        case "cgroup":
          return Mount(
            root: "\(fields[3])", point: "\(fields[4])",
            controllers: Set(fields[dash + 3].split(separator: ",")))
        default: return nil
        }
      }
    }

    func holds(_ wanted: [Substring]) -> Bool {
      wanted.isEmpty ? controllers.isEmpty : wanted.contains { controllers.contains($0) }
    }

    /// The folder of a group and those above it, as far as they are seen here.
    func folders(of path: String) -> [String] {
      var rest = path.split(separator: "/")
      let top = root.split(separator: "/")
      // A group outside of what is mounted: a container sees its own group as the root.
      rest = rest.starts(with: top) ? Array(rest.dropFirst(top.count)) : []
      return (0...rest.count).map { length in
        ([Substring(point)] + rest.prefix(length)).joined(separator: "/")
      }
    }
  }

  /// The groups that the process is in: `4:memory:/a/b` of version 1, `0::/a/b` of version 2.
  private static func memberships(_ text: String) -> [(controllers: [Substring], path: String)] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return nil }
      return (fields[1].split(separator: ","), String(fields[2]))
    }
  }

  // MARK: What they say

  /// Version 1 writes a number near the largest for "no limit", version 2 "max".
  private static let unlimited = 1 << 60

  private static func number(_ text: String) -> Int? {
    Int(text.prefix { !$0.isWhitespace })
  }

  private static func free(
    version2 folder: String, _ file: (String) -> String?, _ number: (String) -> Int?
  ) -> Int? {
    guard let limit = number("memory.max"), limit < unlimited else { return nil }
    let cached = fileCache(file("\(folder)/memory.stat"), prefix: "")
    return max(0, limit - max(0, (number("memory.current") ?? 0) - cached))
  }

  private static func free(
    version1 folder: String, _ file: (String) -> String?, _ number: (String) -> Int?
  ) -> Int? {
    guard let limit = number("memory.limit_in_bytes"), limit < unlimited else { return nil }
    let cached = fileCache(file("\(folder)/memory.stat"), prefix: "total_")
    return max(0, limit - max(0, (number("memory.usage_in_bytes") ?? 0) - cached))
  }

  /// Pages of files count as used, but give way when memory is asked for.
  private static func fileCache(_ stat: String?, prefix: String) -> Int {
    var sum = 0
    for line in (stat ?? "").split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count == 2,
        fields[0] == "\(prefix)active_file" || fields[0] == "\(prefix)inactive_file"
      else { continue }
      sum += Int(fields[1]) ?? 0
    }
    return sum
  }

  /// Version 2's `cpu.max`: microseconds in each period, or "max".
  private static func quota(_ text: String) -> Double? {
    let fields = text.split { $0.isWhitespace }
    guard fields.count == 2 else { return nil }
    return quota(Int(fields[0]), period: Int(fields[1]))
  }

  private static func quota(_ time: Int?, period: Int?) -> Double? {
    guard let time, let period, time > 0, period > 0 else { return nil }
    return Double(time) / Double(period)
  }
}
