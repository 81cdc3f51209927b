/// Constraints of generations that are over, kept for the next ones: they know masks already.
///
///     generation ──giveBack──▶ │ receipts │ invoices │ … │ ──take──▶ next generation
///                              └ least lately used, goes first
///
/// There are as many constraints for a maker as requests were evaluated together. The pool belongs to
/// the engine's thread, as its constraints do; that is why it needs no lock.
package struct ConstraintPool {
  /// How many constraints are kept for other schemas than the last. Each may hold some ten megabytes
  /// of masks, and few programs take turns among more schemas.
  private static let others = 3

  /// How many constraints are kept.
  package let capacity: Int

  private var idle: [(maker: ConstraintMaker, constraint: any TokenConstraint)] = []

  /// Makes an empty pool for an engine that evaluates so many requests together.
  package init(parallelRequests: Int = 1) { capacity = Self.others + parallelRequests }

  /// How many constraints are kept now.
  package var count: Int { idle.count }

  /// A constraint at the beginning of its text.
  ///
  /// - Throws: What `maker` throws.
  package mutating func take(
    from maker: ConstraintMaker
  ) throws(FoveaError) -> any TokenConstraint {
    guard let index = idle.lastIndex(where: { $0.maker === maker }) else {
      return try maker.make()
    }
    return idle.remove(at: index).constraint
  }

  /// Keeps a constraint that is no longer used, whatever became of its text.
  package mutating func giveBack(_ constraint: any TokenConstraint, to maker: ConstraintMaker) {
    guard constraint.isReusable else { return }
    constraint.reset()
    idle.append((maker, constraint))
    if idle.count > capacity { idle.removeFirst() }
  }
}

/// A pool is used from one thread at a time.
@available(*, unavailable)
extension ConstraintPool: Sendable {}
