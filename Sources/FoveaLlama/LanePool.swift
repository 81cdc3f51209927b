internal import Fovea

/// The lanes of an engine, what their memories hold, and who is in them. Belongs to the engine's
/// actor.
final class LanePool {
  private struct Place {
    let lane: Lane
    /// How many more requests it can take.
    var free: Int
    /// What its sequences held when the last request left it.
    var records: [ContextRecord] = []
    /// When it was last given to a request.
    var lastUse = 0
  }

  private var places: [Place]
  private let gate: Gate
  /// Two that each had some of the room would wait for each other.
  private let turnForAll = Gate(1)
  private var uses = 0

  /// How many requests are in lanes at once.
  let capacity: Int
  /// How many tokens each request's sequence holds.
  let contextSize: Int
  /// The most tokens evaluated at once.
  let batchSize: Int

  /// Makes a pool of lanes that are alike; at least one.
  init(_ lanes: [Lane], context: ContextShape) {
    places = lanes.map { Place(lane: $0, free: context.sequenceCount) }
    capacity = lanes.count * context.sequenceCount
    contextSize = context.size
    batchSize = context.batchSize
    gate = Gate(capacity)
  }

  /// Waits for room in a lane: the one whose memory a prompt goes on from, else the least lately used.
  nonisolated(nonsending) func enter(
    for prompt: [ContextRecord.Item], _ request: RequestTicket
  ) async throws(FoveaError) -> Lane {
    try await gate.enter(request)
    let open = places.indices.filter { places[$0].free > 0 }
    let worths = open.map { index in
      (
        index: index, worth: places[index].records.map { $0.worth(for: prompt) }.max() ?? 0,
        age: uses - places[index].lastUse
      )
    }
    guard let best = worths.max(by: { ($0.worth, $0.age) < ($1.worth, $1.age) }) else {
      preconditionFailure("the gate lets nobody in without room")
    }
    uses += 1
    places[best.index].free -= 1
    places[best.index].lastUse = uses
    return places[best.index].lane
  }

  /// Leaves a lane.
  ///
  /// - Parameter records: What its sequences hold now.
  func leave(_ lane: Lane, records: [ContextRecord]) {
    guard let index = places.firstIndex(where: { $0.lane === lane }) else { return }
    places[index].free += 1
    places[index].records = records
    gate.leave()
  }

  /// Whether the memory of some sequence begins with these entries, as far as is known.
  func holds(_ beginning: ArraySlice<ContextRecord.Item>) -> Bool {
    places.contains { $0.records.contains { $0.begins(with: beginning) } }
  }

  /// Whether each lane has a sequence that begins with these entries, as far as is known.
  func allHold(_ beginning: [ContextRecord.Item]) -> Bool {
    places.allSatisfy { $0.records.contains { $0.begins(with: beginning[...]) } }
  }

  /// Waits until nobody is in a lane, and keeps everybody out.
  ///
  /// - Returns: A lane to use.
  nonisolated(nonsending) func enterAlone(
    _ request: RequestTicket
  ) async throws(FoveaError) -> Lane {
    try await turnForAll.enter(request)
    for count in 0..<capacity {
      do throws(FoveaError) {
        try await gate.enter(request)
      } catch {
        leaveAlone(holding: count)
        throw error
      }
    }
    return places[0].lane
  }

  /// Lets the others in again.
  ///
  /// - Parameter records: What the sequences of each lane hold now; nothing of a lane that is not there.
  func leaveAlone(records: [[ContextRecord]] = []) {
    for index in places.indices {
      places[index].records = index < records.count ? records[index] : []
    }
    leaveAlone(holding: capacity)
  }

  private func leaveAlone(holding count: Int) {
    for _ in 0..<count { gate.leave() }
    turnForAll.leave()
  }

  /// Sends a request away that waits.
  func drop(_ request: RequestTicket.ID) {
    gate.drop(request)
    turnForAll.drop(request)
  }

  /// All lanes.
  var lanes: [Lane] { places.map(\.lane) }
}

/// The size of a lane's context, as llama.cpp made it.
struct ContextShape: Sendable {
  var size: Int
  var batchSize: Int
  var sequenceCount: Int
}
