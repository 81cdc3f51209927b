/// Where a loop is.
final class TemplateLoopState: TemplateObject {
  let loop: TemplateLoop
  /// The names around a recursive loop.
  let scope: TemplateScope?
  /// How many loops of a recursive one are around.
  let depth0: Int
  private var source: TemplateLoopSource
  private var upcoming: TemplateValue?
  private var isExhausted = false
  private(set) var index0 = -1
  private(set) var previous: TemplateValue?
  private(set) var current: TemplateValue?
  /// What `loop.changed` saw last.
  var latest: [TemplateValue]?

  override var typeName: String { "LoopContext" }
  override var depth: Int { ownDepth }
  private let ownDepth: Int

  init(
    _ loop: TemplateLoop, _ source: TemplateLoopSource, in scope: TemplateScope, depth0: Int,
    depth: Int
  ) {
    self.loop = loop
    self.source = source
    self.scope = loop.isRecursive ? scope : nil
    self.depth0 = depth0
    ownDepth = depth
  }

  /// Goes on to the next item.
  func advance() throws(TemplateFailure) -> TemplateValue? {
    let item = try peek()
    upcoming = nil
    guard let item else { return nil }
    index0 += 1
    previous = current
    current = item
    return item
  }

  /// The next item, which stays the next.
  func peek() throws(TemplateFailure) -> TemplateValue? {
    if let upcoming { return upcoming }
    if isExhausted { return nil }
    upcoming = try source.next()
    isExhausted = upcoming == nil
    return upcoming
  }

  func length() throws(TemplateFailure) -> Int {
    try source.countRest() + (upcoming == nil ? 0 : 1) + index0 + 1
  }
}

/// The items of a loop, of which a condition may leave some out.
struct TemplateLoopSource {
  private var items: [TemplateValue]
  private var position = 0
  /// Whether an item takes part; nil when all do.
  private var condition: ((TemplateValue) throws(TemplateFailure) -> Bool)?

  init(
    _ items: [TemplateValue],
    condition: ((TemplateValue) throws(TemplateFailure) -> Bool)? = nil
  ) {
    self.items = items
    self.condition = condition
  }

  mutating func next() throws(TemplateFailure) -> TemplateValue? {
    while position < items.count {
      let item = items[position]
      position += 1
      guard let condition else { return item }
      if try condition(item) { return item }
    }
    return nil
  }

  /// How many items there still are.
  mutating func countRest() throws(TemplateFailure) -> Int {
    guard condition != nil else { return items.count - position }
    var rest: [TemplateValue] = []
    while let item = try next() { rest.append(item) }
    items = rest
    position = 0
    condition = nil
    return rest.count
  }
}
