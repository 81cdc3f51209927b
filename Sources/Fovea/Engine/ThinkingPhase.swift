/// A thought on its way: finds its end among the tokens that the model writes, and says what must be
/// written to close it.
///
///     closing  "\n" "</think>" "\n\n"         before, mark, behind
///     tokens   … │ Hmm. │ </ │ think │ >\n │   the mark may be split over tokens, and a token may
///                        └─ pending ─┘         hold more than its end
///
/// Bytes that may belong to the mark are held back until that is known, so that what is shown is the
/// thought alone.
package struct ThinkingPhase {
  /// What to do with a token that was chosen.
  package enum Step: Equatable {
    /// It belongs to the thought.
    case keep
    /// There is no thought: what became visible, and this token, belong to the answer.
    case noThought
    /// It ends the thought; these bytes must follow.
    case keepAndClose([UInt8])
    /// It goes on beyond the thought's end, or ends the text: these bytes are written in its place.
    case close([UInt8])
  }

  private let mark: [UInt8]
  private let before: [UInt8]
  private let behind: [UInt8]
  private let budget: Int
  /// What must be written first, when the model has to begin the thought itself.
  private var opening: [UInt8]
  /// What of it has been written.
  private var swallowed: [UInt8] = []
  /// Bytes that may be the beginning of the mark.
  private var pending: [UInt8] = []
  private var count = 0
  /// Blanks that were written last: they belong to the thought only if more of it follows.
  private var blanks: [UInt8] = []
  /// Bytes of the thought that were found since they were last taken.
  private var visible: [UInt8] = []

  /// Begins.
  ///
  /// - Parameter room: The most tokens that there is room for.
  package init(_ plan: ThinkingPlan, room: Int) {
    let closing = Array(plan.closing.utf8)
    let first = closing.firstIndex { !Self.blank.contains($0) } ?? 0
    let last = closing.lastIndex { !Self.blank.contains($0) }.map { $0 + 1 } ?? closing.count
    before = Array(closing[..<first])
    mark = Array(closing[first..<last])
    behind = Array(closing[last...])
    budget = max(0, min(plan.budget ?? room, room))
    opening = Array((plan.opening ?? "").utf8)
  }

  /// What closes the thought from here.
  package var closing: [UInt8] {
    if !pending.isEmpty { return mark[pending.count...] + behind }
    return (blanks.suffix(before.count).elementsEqual(before) ? [] : before) + mark + behind
  }

  /// Whether no token of a thought is allowed.
  package var isOverBudget: Bool { count >= budget }

  /// The bytes of the thought since the last call.
  package mutating func takeVisible() -> [UInt8] {
    defer { visible = [] }
    return visible
  }

  /// Looks at a token before it is evaluated.
  ///
  /// - Parameters:
  ///   - bytes: What the token writes, its spelling where it is a control token.
  ///   - endsText: Whether it ends the model's turn.
  package mutating func take(_ bytes: [UInt8], endsText: Bool) -> Step {
    if !opening.isEmpty {
      guard let rest = Self.matched(opening, by: bytes) else {
        visible = swallowed
        return .noThought
      }
      count += 1
      swallowed += bytes
      opening = rest.missing
      return opening.isEmpty ? step(after: rest.beyond, endsText: false) : .keep
    }
    count += 1
    return step(after: bytes, endsText: endsText)
  }

  private mutating func step(after bytes: [UInt8], endsText: Bool) -> Step {
    let candidate = pending + bytes
    if let start = Self.find(mark, in: candidate) {
      let beyond = Array(candidate[(start + mark.count)...])
      if behind.starts(with: beyond) {
        show(candidate[..<start])
        pending = []
        return .keepAndClose(Array(behind.dropFirst(beyond.count)))
      }
      // The token is not written: what of it belongs to the thought is lost with it.
      let written = min(start, pending.count)
      show(pending[..<written])
      pending.removeFirst(written)
      return .close(closing)
    }
    if endsText { return .close(closing) }
    let held = Self.heldBack(candidate, mark)
    show(candidate.dropLast(held))
    pending = Array(candidate.suffix(held))
    return isOverBudget ? .keepAndClose(closing) : .keep
  }

  private mutating func show(_ bytes: ArraySlice<UInt8>) {
    blanks += bytes
    let end = blanks.lastIndex { !Self.blank.contains($0) }.map { $0 + 1 } ?? 0
    visible += blanks[..<end]
    blanks.removeFirst(end)
  }

  private static let blank = Set("\n\r\t ".utf8)

  // MARK: Bytes

  private static func find(_ mark: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= mark.count else { return nil }
    return (0...(bytes.count - mark.count)).first {
      bytes[$0..<($0 + mark.count)].elementsEqual(mark)
    }
  }

  /// How many of the last bytes may be the beginning of the mark.
  private static func heldBack(_ bytes: [UInt8], _ mark: [UInt8]) -> Int {
    (0..<mark.count).reversed().first { length in
      length <= bytes.count && bytes.suffix(length).elementsEqual(mark.prefix(length))
    } ?? 0
  }

  /// What is missing of an opening behind these bytes, or what they have beyond it; nil when they do
  /// not belong to it.
  private static func matched(
    _ opening: [UInt8], by bytes: [UInt8]
  ) -> (missing: [UInt8], beyond: [UInt8])? {
    if bytes.isEmpty { return nil }
    if opening.starts(with: bytes) { return (Array(opening.dropFirst(bytes.count)), []) }
    if bytes.starts(with: opening) { return ([], Array(bytes.dropFirst(opening.count))) }
    return nil
  }
}
