import Testing

@testable import FoveaLlama

/// What `/proc` and `/sys` say, from texts as machines and containers have them.
@Suite("Linux system")
struct LinuxSystemTests {
  private func group(_ files: [String: String]) -> ControlGroup {
    ControlGroup { files[$0] }
  }

  // MARK: Control groups

  private static let version2Mount =
    "29 23 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:4 - cgroup2 cgroup2 rw\n"

  @Test("version 2, a service with limits in its own group and above it")
  func version2() {
    let slice = "/sys/fs/cgroup/system.slice"
    let service = "\(slice)/fovea.service"
    var files = [
      "/proc/self/cgroup": "0::/system.slice/fovea.service\n",
      "/proc/self/mountinfo": Self.version2Mount,
      "\(service)/memory.max": "max\n",
      "\(service)/memory.current": "300000000\n",
      "\(service)/cpu.max": "max 100000\n",
      "\(slice)/memory.max": "2147483648\n",
      "\(slice)/memory.current": "1610612736\n",
      "\(slice)/memory.stat":
        "anon 800000000\nfile 810612736\ninactive_file 400000000\nactive_file 110612736\n",
      "\(slice)/cpu.max": "150000 100000\n",
    ]
    #expect(group(files).freeMemory == 2_147_483_648 - (1_610_612_736 - 510_612_736))
    #expect(group(files).processorQuota == 1.5)
    files["\(service)/memory.max"] = "500000000\n"
    files["\(service)/cpu.max"] = "50000 100000\n"
    #expect(group(files).freeMemory == 200_000_000, "the least counts")
    #expect(group(files).processorQuota == 0.5)
    files["\(service)/memory.current"] = "600000000\n"
    #expect(group(files).freeMemory == 0, "never less than nothing")
  }

  @Test("version 2 in a container, which sees its own group as the root")
  func container() {
    let files = [
      "/proc/self/cgroup": "0::/\n",
      "/proc/self/mountinfo":
        "1519 1518 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw,nsdelegate\n",
      "/sys/fs/cgroup/memory.max": "1073741824\n",
      "/sys/fs/cgroup/memory.current": "73741824\n",
      "/sys/fs/cgroup/cpu.max": "200000 100000\n",
    ]
    #expect(group(files).freeMemory == 1_000_000_000)
    #expect(group(files).processorQuota == 2)
  }

  @Test("version 1 in a container, whose mounts begin at its group")
  func version1() {
    let files = [
      "/proc/self/cgroup":
        "11:memory:/docker/0123abcd\n4:cpu,cpuacct:/docker/0123abcd\n1:name=systemd:/docker/0123abcd\n",
      "/proc/self/mountinfo": """
      1380 1371 0:33 /docker/0123abcd /sys/fs/cgroup/cpu,cpuacct ro,nosuid master:15 - cgroup cgroup rw,cpu,cpuacct
      1385 1371 0:38 /docker/0123abcd /sys/fs/cgroup/memory ro,nosuid master:20 - cgroup cgroup rw,memory
      """,
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "536870912\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "136870912\n",
      "/sys/fs/cgroup/memory/memory.stat":
        "inactive_file 1\ntotal_inactive_file 20000000\ntotal_active_file 16870912\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "75000\n",
      "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "50000\n",
    ]
    #expect(group(files).freeMemory == 436_870_912)
    #expect(group(files).processorQuota == 1.5)
  }

  @Test("no limits: version 1's largest number, a quota of -1, files that are not there")
  func unlimited() {
    let files = [
      "/proc/self/cgroup": "4:memory:/a/b\n1:cpu:/\n0::/\n",
      "/proc/self/mountinfo": """
      32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu
      35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
      41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
      """,
      "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
      "/sys/fs/cgroup/memory/memory.usage_in_bytes": "1\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
      "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ]
    #expect(group(files).freeMemory == nil)
    #expect(group(files).processorQuota == nil)
    var limited = files
    limited["/sys/fs/cgroup/memory/a/memory.limit_in_bytes"] = "5000\n"
    #expect(group(limited).freeMemory == 5_000, "a group above, and no use known")
    #expect(group([:]).freeMemory == nil)
    #expect(
      group(["/proc/self/cgroup": "::\n0:", "/proc/self/mountinfo": "- - -"]).freeMemory == nil)
  }

  // MARK: Processors

  private func processors(
    allowed: String, siblings: [Int: String] = [:], more: [String: String] = [:]
  ) -> ProcessorDescription {
    var files = more
    files["/proc/self/status"] = "Name:\tfovea\nCpus_allowed_list:\t\(allowed)\n"
    for (number, list) in siblings {
      files["/sys/devices/system/cpu/cpu\(number)/topology/thread_siblings_list"] = list + "\n"
    }
    return LinuxSystem { files[$0] }.processors
  }

  @Test("cores are counted once for all their threads, and only those that may be used")
  func cores() {
    let pairs = Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, "\($0 % 4),\($0 % 4 + 4)") })
    #expect(
      processors(allowed: "0-7", siblings: pairs) == ProcessorDescription(logical: 8, physical: 4))
    #expect(
      processors(allowed: "0,4-5", siblings: pairs) == ProcessorDescription(logical: 3, physical: 2)
    )
    #expect(processors(allowed: "0-1") == ProcessorDescription(logical: 2, physical: 2))
    #expect(LinuxSystem { _ in nil }.processors == ProcessorDescription(logical: 1, physical: 1))
  }

  @Test("fast cores: by the device of their kind, or by capacity")
  func fast() {
    let pairs = Dictionary(
      uniqueKeysWithValues: (0..<6).map {
        ($0, $0 < 4 ? "\($0 / 2 * 2)-\($0 / 2 * 2 + 1)" : "\($0)")
      })
    let hybrid = processors(
      allowed: "0-5", siblings: pairs, more: ["/sys/devices/cpu_core/cpus": "0-3\n"])
    #expect(hybrid == ProcessorDescription(logical: 6, physical: 4, performance: 2))
    let capacities = [
      0: "250", 1: "250", 2: "250", 3: "250", 4: "768", 5: "768", 6: "768", 7: "1024",
    ]
    let phone = processors(
      allowed: "0-7",
      more: Dictionary(
        uniqueKeysWithValues: capacities.map {
          ("/sys/devices/system/cpu/cpu\($0.key)/cpu_capacity", $0.value + "\n")
        }))
    #expect(phone == ProcessorDescription(logical: 8, physical: 8, performance: 4))
    let alike = processors(
      allowed: "0-1",
      more: [
        "/sys/devices/system/cpu/cpu0/cpu_capacity": "1024",
        "/sys/devices/system/cpu/cpu1/cpu_capacity": "1024",
      ])
    #expect(alike.performance == nil)
  }

  @Test("lists of processors")
  func lists() {
    #expect(LinuxSystem.list("0-3,8,10-11\n") == [0, 1, 2, 3, 8, 10, 11])
    #expect(LinuxSystem.list("") == [])
    #expect(LinuxSystem.list("3-1,x,-,999999999") == [])
  }

  // MARK: Memory

  @Test("free memory by the machine, the address space and the group")
  func memory() {
    var files = [
      "/proc/meminfo": "MemTotal:       24731708 kB\nMemFree: 1 kB\nMemAvailable:   23651140 kB\n",
      "/proc/self/status": "VmPeak:\t 9 kB\nVmSize:\t  358000 kB\n",
      "/proc/self/limits": """
      Limit                     Soft Limit           Hard Limit           Units
      Max cpu time              unlimited            unlimited            seconds
      Max address space         unlimited            unlimited            bytes
      """,
    ]
    var memory = LinuxSystem { files[$0] }.memory
    #expect(memory.total == 24_731_708 * 1_024)
    #expect(memory.limits == [.init(.machine, free: 23_651_140 * 1_024)])
    files["/proc/self/limits"] =
      "Max address space         409600000            unlimited            bytes\n"
    files["/proc/self/cgroup"] = "0::/\n"
    files["/proc/self/mountinfo"] = Self.version2Mount
    files["/sys/fs/cgroup/memory.max"] = "1000000000\n"
    memory = LinuxSystem { files[$0] }.memory
    #expect(memory.limits.map(\.kind) == [.machine, .controlGroup, .addressSpace])
    #expect(memory.tightest == .init(.addressSpace, free: 409_600_000 - 358_000 * 1_024))
  }

  @Test("this machine")
  func here() {
    let machine = SystemReading.machine()
    #expect(machine.processors.physical >= 1)
    #expect(machine.processors.logical >= machine.processors.physical)
    #expect(machine.memory.total > 100_000_000)
    #expect(machine.devices.contains { $0.kind == .cpu })
    #expect(machine.memory.tightest != nil)
  }
}
