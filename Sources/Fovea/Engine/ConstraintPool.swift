/// Constraints of generations that are over, kept for the next ones: they know masks already.
///
///     generation ──giveBack──▶ │ receipts │ invoices │ … │ ──take──▶ next generation
///                              └ least lately used, goes first
///
/// An engine evaluates one request at a time, so one constraint for each maker is all there ever
/// is. The pool belongs to the engine's thread, as its constraints do; that is why it needs no
/// lock.
package struct ConstraintPool {
  /// How many constraints are kept. Each may hold some ten megabytes of masks, and few programs
  /// take turns among more schemas.
  package static let capacity = 4

  private var idle: [(maker: ConstraintMaker, constraint: any TokenConstraint)] = []

  /// Makes an empty pool.
  package init() {}

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
    if idle.count > Self.capacity { idle.removeFirst() }
  }
}

/// A pool is used from one thread at a time.
@available(*, unavailable)
extension ConstraintPool: Sendable {}
