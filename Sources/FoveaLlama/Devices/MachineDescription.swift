/// What decides on this machine how a model is computed. A plain value: tests make up machines.
package struct MachineDescription: Sendable, Hashable {
  /// The kinds of systems.
  package enum Platform: String, Sendable {
    case linux = "Linux"
    case apple = "Apple"
  }

  /// The kind of system.
  package var platform: Platform
  /// The processors that this process may run on.
  package var processors: ProcessorDescription
  /// What llama.cpp can compute with.
  package var devices: [ComputeDevice]
  /// How much memory there is.
  package var memory: MemoryBudget

  /// Makes a description of a machine.
  package init(
    platform: Platform, processors: ProcessorDescription, devices: [ComputeDevice],
    memory: MemoryBudget
  ) {
    self.platform = platform
    self.processors = processors
    self.devices = devices
    self.memory = memory
  }

  /// The GPUs that llama.cpp would use: integrated ones only where there is no other.
  package var gpus: [ComputeDevice] {
    let separate = devices.filter { $0.kind == .gpu }
    return separate.isEmpty ? devices.filter { $0.kind == .integratedGPU } : separate
  }
}

/// The processors that this process may run on.
package struct ProcessorDescription: Sendable, Hashable {
  /// What the scheduler sees.
  package var logical: Int
  /// Cores; two logical processors may share one.
  package var physical: Int
  /// The fast cores, where there are fast and slow ones.
  package var performance: Int?
  /// How many processors' time the process may use, by the control group's quota; nil: no limit.
  package var quota: Double?

  /// Makes a description of processors.
  package init(logical: Int, physical: Int, performance: Int? = nil, quota: Double? = nil) {
    self.logical = logical
    self.physical = physical
    self.performance = performance
    self.quota = quota
  }
}
