/// How much memory is free, by everything that limits it.
package struct MemoryBudget: Sendable, Hashable {
  /// One thing that limits the memory.
  package struct Limit: Sendable, Hashable {
    /// What it is.
    package var kind: Kind
    /// Bytes that are left.
    package var free: Int

    /// Makes a limit.
    package init(_ kind: Kind, free: Int) {
      self.kind = kind
      self.free = max(0, free)
    }
  }

  /// What can limit memory.
  package enum Kind: String, Sendable {
    /// The machine's memory.
    case machine
    /// The control group's limit, as containers have it.
    case controlGroup = "control group"
    /// The process's address space (`ulimit -v`).
    case addressSpace = "address space"
    /// What the system grants an app before it ends it.
    case app

    /// Whether pages of a mapped file count. Apple's systems do not count clean ones against an app.
    /// Elsewhere they can be thrown away and read again, but a model's are needed for every token:
    /// a model that does not fit would read its file from the disk for each.
    package var countsMappedFiles: Bool { self != .app }
  }

  /// The machine's memory, in bytes.
  package var total: Int
  /// What limits the memory; empty: nothing is known.
  package var limits: [Limit]

  /// Makes a budget.
  package init(total: Int, limits: [Limit]) {
    self.total = total
    self.limits = limits
  }

  /// The limit that leaves least.
  package var tightest: Limit? { limits.min { $0.free < $1.free } }
}
