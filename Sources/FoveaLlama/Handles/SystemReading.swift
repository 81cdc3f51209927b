internal import Foundation

#if canImport(Darwin)
  internal import Darwin
  internal import os
#endif

/// Reads what this machine is. The thin part: what is done with it are plain functions elsewhere.
enum SystemReading {
  /// The machine as it is now; memory changes, so nothing is kept.
  static func machine() -> MachineDescription {
    #if canImport(Darwin)
      MachineDescription(
        platform: .apple, processors: darwinProcessors(), devices: BackendDevices.descriptions,
        memory: darwinMemory())
    #else
      let system = LinuxSystem { path in
        // A file that is not there is an answer, too.
        try? String(contentsOfFile: path, encoding: .utf8)
      }
      return MachineDescription(
        platform: .linux, processors: system.processors, devices: BackendDevices.descriptions,
        memory: system.memory)
    #endif
  }

  #if canImport(Darwin)
    private static func darwinProcessors() -> ProcessorDescription {
      ProcessorDescription(
        logical: number("hw.logicalcpu") ?? ProcessInfo.processInfo.activeProcessorCount,
        physical: number("hw.physicalcpu") ?? ProcessInfo.processInfo.activeProcessorCount,
        performance: number("hw.perflevel0.physicalcpu"))
    }

    private static func darwinMemory() -> MemoryBudget {
      let total = Int(clamping: ProcessInfo.processInfo.physicalMemory)
      #if os(macOS)
        // macOS swaps and compresses instead of ending programs; what is not free now can become so.
        return MemoryBudget(total: total, limits: [.init(.machine, free: macFreeMemory() ?? total)])
      #else
        return MemoryBudget(total: total, limits: [.init(.app, free: os_proc_available_memory())])
      #endif
    }

    #if os(macOS)
      /// Free pages and those that give way without being written: files, and what may be thrown away.
      private static func macFreeMemory() -> Int? {
        var statistics = vm_statistics64()
        var count = mach_msg_type_number_t(
          MemoryLayout<vm_statistics64>.size / MemoryLayout<integer_t>.size)
        let code = withUnsafeMutablePointer(to: &statistics) { pointer in
          pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
            host_statistics64(mach_host_self(), HOST_VM_INFO64, $0, &count)
          }
        }
        guard code == KERN_SUCCESS, let page = number("hw.pagesize") else { return nil }
        let pages =
          Int(statistics.free_count) + Int(statistics.external_page_count)
          + Int(statistics.purgeable_count)
        return pages * page
      }
    #endif

    private static func number(_ name: String) -> Int? {
      var value: Int64 = 0
      var size = MemoryLayout<Int64>.size
      guard sysctlbyname(name, &value, &size, nil, 0) == 0 else { return nil }
      // Shorter values fill the lower bytes, which come first on these processors.
      return Int(value)
    }
  #endif
}
