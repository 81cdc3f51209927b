/// Something that computes, as a backend of llama.cpp offers it.
package struct ComputeDevice: Sendable, Hashable {
  /// The kinds of devices.
  package enum Kind: String, Sendable {
    case cpu
    case gpu
    /// A GPU that works in the machine's own memory.
    case integratedGPU = "integrated GPU"
    /// A library or unit that helps the CPU, for example with matrices.
    case accelerator
  }

  /// What llama.cpp calls it, for example `CUDA0`.
  package var name: String
  /// What its maker calls it.
  package var description: String
  /// What kind of device it is.
  package var kind: Kind
  /// Bytes that are free; 0: the backend does not say.
  package var freeMemory: Int
  /// Bytes in all; 0: the backend does not say.
  package var totalMemory: Int
  /// Whether an Apple GPU multiplies matrices in its SIMD groups (A14, M1 and later); nil: it is no
  /// Apple GPU.
  package var multipliesMatrices: Bool?

  /// Makes a description of a device.
  package init(
    name: String, description: String, kind: Kind, freeMemory: Int = 0, totalMemory: Int = 0,
    multipliesMatrices: Bool? = nil
  ) {
    self.name = name
    self.description = description
    self.kind = kind
    self.freeMemory = freeMemory
    self.totalMemory = totalMemory
    self.multipliesMatrices = multipliesMatrices
  }

  /// Whether layers of a model can be put on it.
  package var isGPU: Bool { kind == .gpu || kind == .integratedGPU }
  /// Whether its memory is the machine's. Apple's GPUs share it, but are no "integrated" ones.
  package var sharesMemory: Bool { kind != .gpu || multipliesMatrices != nil }
}
