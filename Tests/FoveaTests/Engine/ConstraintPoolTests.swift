import Fovea
import Testing

@Suite("Constraint pool")
struct ConstraintPoolTests {
  /// Counts its generations.
  private final class Constraint: TokenConstraint {
    var resets = 0
    var isReusable = true
    let isFinished = false
    let isComplete = false
    let isTruncatedByBudget = false
    let shortestCompletion = 1
    func allowedTokens() throws(FoveaError) -> TokenMask { TokenMask(count: 1) }
    func accept(_ token: TokenID) throws(FoveaError) {}
    func forcedTokens(
      after previous: [TokenID], tokenize: ([UInt8]) throws(FoveaError) -> [TokenID]
    ) throws(FoveaError) -> [TokenID] { [] }
    func forcedBytes(behind bytes: [UInt8]) -> [UInt8] { [] }
    func allowedPrefix(of bytes: [UInt8]) -> Int { 0 }
    func limit(toTokens count: Int) {}
    func reset() { resets += 1 }
  }

  private static func maker() -> ConstraintMaker {
    ConstraintMaker(shortestLength: 1, longestPiece: 1) { () throws(FoveaError) in Constraint() }
  }

  private static func take(
    from maker: ConstraintMaker, of pool: inout ConstraintPool
  ) throws -> Constraint { try #require(try pool.take(from: maker) as? Constraint) }

  @Test("a constraint comes back reset, to its own maker only, and to one at a time")
  func reuse() throws {
    var pool = ConstraintPool()
    let (one, other) = (Self.maker(), Self.maker())
    let first = try Self.take(from: one, of: &pool)
    pool.giveBack(first, to: one)
    #expect(first.resets == 1)
    #expect(try Self.take(from: other, of: &pool) !== first)
    #expect(try Self.take(from: one, of: &pool) === first)
    #expect(try Self.take(from: one, of: &pool) !== first)
    #expect(pool.count == 0)
  }

  @Test("the least lately used one goes when there are too many")
  func capacity() throws {
    var pool = ConstraintPool()
    let makers = (0...pool.capacity).map { _ in Self.maker() }
    var kept: [Constraint] = []
    for maker in makers {
      kept.append(try Self.take(from: maker, of: &pool))
      pool.giveBack(kept[kept.count - 1], to: maker)
    }
    #expect(pool.count == pool.capacity)
    #expect(try Self.take(from: makers[0], of: &pool) !== kept[0])
    for (maker, constraint) in zip(makers, kept).dropFirst() {
      #expect(try Self.take(from: maker, of: &pool) === constraint)
    }
  }

  @Test("what is not worth its memory is not kept")
  func wornOut() throws {
    var pool = ConstraintPool()
    let maker = Self.maker()
    let constraint = try Self.take(from: maker, of: &pool)
    constraint.isReusable = false
    pool.giveBack(constraint, to: maker)
    #expect(pool.count == 0)
  }

  @Test("the bounds of a limit, and what is refused")
  func limits() throws {
    for (length, piece, least) in [(1, 1, 1), (10, 3, 4), (9, 3, 3), (5, 100, 1), (7, 0, 7)] {
      let maker = ConstraintMaker(shortestLength: length, longestPiece: piece) {
        () throws(FoveaError) in Constraint()
      }
      #expect(maker.leastTokens == least)
      #expect(maker.enoughTokens == length)
      for limit in 1..<20 where limit >= least { try maker.check(maxTokens: limit) }
      for limit in 1..<max(least, 1) {
        #expect(throws: FoveaError.self) { try maker.check(maxTokens: limit) }
      }
    }
  }
}
