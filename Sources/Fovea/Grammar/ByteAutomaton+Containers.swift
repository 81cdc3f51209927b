extension ByteAutomaton {
  /// Steps from a point in a container.
  ///
  ///     {  "  key  "  :  value  ,  "  key  "  :  value  }
  ///      │  └─key─┘ │ │        │ │                     │
  ///      objectOpen colon      │ objectBlank           objectAfter of the parent
  ///                   value    objectAfter
  ///
  /// `objectBlank` and `objectClosing` also count the blanks of ``Grammar/Whitespace``.
  mutating func stepPlace(_ at: Configuration, _ byte: UInt8) -> Configuration {
    switch at.state {
    case Place.several:
      let members = sets[Int(at.count)]
      var next: [Configuration] = []
      next.reserveCapacity(members.count)
      for member in members {
        let one = step(member, byte)
        if !one.isDead { next.append(one) }
      }
      return join(next)
    case Place.value:
      return stepValue(at, byte)
    case Place.objectOpen:
      let frame = frames[Int(at.frame)]
      if byte == 0x7D { return frame.canClose ? finish(frame.key.parent, text: 0) : .dead }
      if !frame.canContinue { return .dead }
      return stepBlank(at, byte, of: frame, isFirst: true)
    case Place.objectBlank, Place.arrayBlank:
      return stepBlank(at, byte, of: frames[Int(at.frame)], isFirst: false)
    case Place.colon:
      if byte != 0x3A { return .dead }
      let next =
        grammar.whitespace.hasBlankAfterColon ? Place.colonBlank : Place.value
      return Configuration(state: next, count: at.count, frame: at.frame)
    case Place.colonBlank:
      if byte != 0x20 { return .dead }
      return Configuration(state: Place.value, count: at.count, frame: at.frame)
    case Place.objectAfter, Place.arrayAfter:
      return stepAfter(at, byte)
    case Place.objectClosing, Place.arrayClosing:
      return stepClosing(at, byte)
    case Place.arrayOpen:
      let frame = frames[Int(at.frame)]
      if byte == 0x5D { return frame.canClose ? finish(frame.key.parent, text: 0) : .dead }
      if !frame.canContinue { return .dead }
      return stepBlank(at, byte, of: frame, isFirst: true)
    default:
      return .dead
    }
  }

  /// After a value whose container is `frame`. `text` is the item itself where it must not come
  /// twice.
  mutating func finish(_ frame: UInt32, text: UInt32) -> Configuration {
    if frame == 0 { return Configuration(state: Place.end, frame: 0) }
    let key = frames[Int(frame)].key
    if key.kind == .object { return Configuration(state: Place.objectAfter, frame: frame) }
    if key.kind == .rule { return Configuration(state: key.shape, frame: key.parent) }
    if text == SpelledTexts.untracked {
      return Configuration(state: Place.arrayAfter, frame: frame)
    }
    endedTexts += 1
    if progress[Int(key.progress)].texts.contains(text) { return .dead }
    var next = key
    next.progress = progress(
      after: ProgressStep(from: key.progress, property: 0, text: text, shape: .max)
    ) {
      $0.insert(text: text)
    }
    return Configuration(state: Place.arrayAfter, frame: self.frame(next))
  }

  // MARK: Values

  private mutating func stepValue(_ at: Configuration, _ byte: UInt8) -> Configuration {
    // Nodes are looked at where they stand: copying one costs more than the step.
    let node = Int(at.count)
    switch byte {
    case 0x22:
      if grammar.nodes[node].strings.count == 1 {
        return stepQuote(at, grammar.nodes[node].strings[0])
      }
      return join(grammar.nodes[node].strings.map { stepQuote(at, $0) })
    case 0x7B:
      if grammar.nodes[node].objects.count == 1 {
        return open(grammar.nodes[node].objects[0], .object, Place.objectOpen, in: at.frame)
      }
      return join(
        grammar.nodes[node].objects.map { open($0, .object, Place.objectOpen, in: at.frame) })
    case 0x5B:
      if grammar.nodes[node].arrays.count == 1 {
        return open(grammar.nodes[node].arrays[0], .array, Place.arrayOpen, in: at.frame)
      }
      return join(
        grammar.nodes[node].arrays.map { open($0, .array, Place.arrayOpen, in: at.frame) })
    case 0x6E:
      return grammar.nodes[node].allowsNull ? begin(at, MachineTable.base.null, byte) : .dead
    case 0x74:
      return grammar.nodes[node].allowsTrue ? begin(at, MachineTable.base.true, byte) : .dead
    case 0x66:
      return grammar.nodes[node].allowsFalse ? begin(at, MachineTable.base.false, byte) : .dead
    default:
      let number = grammar.nodes[node].number
      if number == 0 { return .dead }
      let next = grammar.table.next(grammar.table.states[Int(number)], byte)
      if next == Place.dead { return .dead }
      return begin(at, next, byte)
    }
  }

  private mutating func begin(
    _ at: Configuration, _ state: UInt32, _ byte: UInt8
  ) -> Configuration {
    if at.text == SpelledTexts.untracked { return Configuration(state: state, frame: at.frame) }
    let text = child(at.text, byte, in: state)
    let words = grammar.table.words[Int(state)]
    let taken = progress[Int(frames[Int(at.frame)].key.progress)].texts
    if words != MachineTable.endless, texts.count(taken, from: text) >= words { return .dead }
    // `null` and its like are one text each, whose state does not say so.
    if state == MachineTable.base.null || state == MachineTable.base.true
      || state == MachineTable.base.false, texts.count(taken, from: text) > 0
    {
      return .dead
    }
    return Configuration(state: state, text: text, frame: at.frame)
  }

  private mutating func stepQuote(_ at: Configuration, _ state: UInt32) -> Configuration {
    begin(at, state, 0x22)
  }

  private mutating func open(
    _ shape: UInt32, _ kind: FrameKind, _ place: UInt32, in parent: UInt32
  ) -> Configuration {
    let frame = frame(
      FrameKey(kind: kind, shape: shape, position: 0, progress: 0, parent: parent))
    let outlook = frames[Int(frame)]
    // A shape that demands more than it allows is never entered.
    if !outlook.canClose, !outlook.canContinue { return .dead }
    return Configuration(state: place, frame: frame)
  }

  // MARK: Blanks and brackets

  /// In the blanks before a key or an item, and at its first byte.
  private mutating func stepBlank(
    _ at: Configuration, _ byte: UInt8, of frame: Frame, isFirst: Bool
  ) -> Configuration {
    let isObject = frame.key.kind == .object
    let place = isObject ? Place.objectBlank : Place.arrayBlank
    let wanted = grammar.whitespace.blankCount(depth: Int(frame.depth), isFirst: isFirst)
    let done = isFirst ? 0 : Int(at.count)
    if done < wanted {
      if byte != (done == 0 && grammar.whitespace != .spaced ? 0x0A : 0x20) { return .dead }
      return Configuration(state: place, count: UInt32(done + 1), frame: at.frame)
    }
    if isObject { return byte == 0x22 ? beginKey(at.frame) : .dead }
    let item = beginItem(at.frame)
    return item.isDead ? item : step(item, byte)
  }

  private mutating func stepAfter(_ at: Configuration, _ byte: UInt8) -> Configuration {
    let frame = frames[Int(at.frame)]
    let isObject = frame.key.kind == .object
    if byte == 0x2C {
      if !frame.canContinue { return .dead }
      return Configuration(state: isObject ? Place.objectBlank : Place.arrayBlank, frame: at.frame)
    }
    if !frame.canClose { return .dead }
    return stepClosing(
      Configuration(
        state: isObject ? Place.objectClosing : Place.arrayClosing, frame: at.frame), byte)
  }

  private mutating func stepClosing(_ at: Configuration, _ byte: UInt8) -> Configuration {
    let frame = frames[Int(at.frame)]
    if Int(at.count) < grammar.whitespace.closingCount(depth: Int(frame.depth)) {
      if byte != (at.count == 0 ? 0x0A : 0x20) { return .dead }
      return Configuration(state: at.state, count: at.count + 1, frame: at.frame)
    }
    if byte != (frame.key.kind == .object ? 0x7D : 0x5D) { return .dead }
    return finish(frame.key.parent, text: 0)
  }

  // MARK: Arrays

  func outlook(array key: FrameKey) -> (canContinue: Bool, canClose: Bool) {
    let shape = grammar.arrays[Int(key.shape)]
    let matched = progress[Int(key.progress)].count
    var canContinue = key.position < shape.maxItems && shape.node(at: key.position) != 0
    if shape.isUnique, shape.words != MachineTable.endless,
      progress[Int(key.progress)].texts.count >= shape.words
    {
      canContinue = false
    }
    return (canContinue, key.position >= shape.minItems && matched >= shape.minContains)
  }

  /// Before the first byte of the next item.
  mutating func beginItem(_ frame: UInt32) -> Configuration {
    let key = frames[Int(frame)].key
    let shape = grammar.arrays[Int(key.shape)]
    var next = key
    // Beyond everything that depends on it, the position stays where it is.
    let isSettled =
      shape.maxItems == CompiledArray.unlimited && key.position >= shape.minItems
      && Int(key.position) >= shape.prefix.count
    if !isSettled { next.position += 1 }
    let node = shape.node(at: key.position)
    if shape.isUnique {
      return Configuration(
        state: Place.value, count: node, text: SpelledTexts.root, frame: self.frame(next))
    }
    let matched = progress[Int(key.progress)].count
    let missing = shape.minContains - min(matched, shape.minContains)
    if missing == 0 {
      return Configuration(state: Place.value, count: node, frame: self.frame(next))
    }
    // Both readings of the item: as one that counts, and as one that does not.
    var readings: [Configuration] = []
    if shape.countable(from: key.position + 1) >= Int(missing), node != 0 {
      readings.append(Configuration(state: Place.value, count: node, frame: self.frame(next)))
    }
    let counting = shape.containsNode(at: key.position)
    if counting != 0 {
      next.progress = intern(ContainerProgress(count: matched + 1))
      readings.append(Configuration(state: Place.value, count: counting, frame: self.frame(next)))
    }
    return join(readings)
  }

  /// A position from which any `reach` bytes are allowed or forbidden exactly as from this one:
  /// they begin at most so many items, so a bound that is farther away cannot be felt.
  func canonicalPosition(_ key: FrameKey) -> UInt32 {
    let shape = grammar.arrays[Int(key.shape)]
    if shape.minContains > 0 { return key.position }
    let span = reach + 2
    let position = Int(key.position)
    if position < shape.prefix.count { return key.position }
    if shape.maxItems != CompiledArray.unlimited, Int(shape.maxItems) - position <= span {
      return key.position
    }
    let least = max(Int(shape.minItems), shape.prefix.count)
    if position >= least { return UInt32(least) }
    return least - position >= span ? UInt32(shape.prefix.count) : key.position
  }
}
