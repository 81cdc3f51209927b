extension ByteAutomaton {
  // MARK: What may come

  func outlook(object key: FrameKey) -> (canContinue: Bool, canClose: Bool) {
    let shape = grammar.objects[Int(key.shape)]
    let count = UInt32(shape.properties.count)
    if !shape.tracksSeen, !shape.isCounted {
      let isDone = shape.nextRequired[Int(key.position)] == count
      return (shape.available[Int(key.position)] > 0 || (isDone && hasFreeKey(key, shape)), isDone)
    }
    let progress = self.progress[Int(key.progress)]
    var canContinue = allowsFree(key, shape) && hasFreeKey(key, shape)
    if !canContinue {
      canContinue = (0..<count).contains { allows($0, key, shape) }
    }
    let canClose =
      isSatisfied(key, shape) && (!shape.isCounted || progress.count >= shape.minProperties)
    return (canContinue, canClose)
  }

  /// Whether everything that is required, or demanded by what is there, is there.
  private func isSatisfied(_ key: FrameKey, _ shape: CompiledObject) -> Bool {
    if !shape.tracksSeen {
      return Int(shape.nextRequired[Int(key.position)]) == shape.properties.count
    }
    let progress = self.progress[Int(key.progress)]
    for (index, property) in shape.properties.enumerated() {
      if progress.contains(index) {
        if property.consequences.contains(where: { !progress.contains(Int($0)) }) { return false }
      } else if property.isRequired {
        return false
      }
    }
    return true
  }

  /// Whether some undeclared key is left.
  private func hasFreeKey(_ key: FrameKey, _ shape: CompiledObject) -> Bool {
    if shape.freeKeys == 0 || shape.freeKeys == MachineTable.endless { return shape.freeKeys > 0 }
    return progress[Int(key.progress)].texts.count < shape.freeKeys
  }

  /// Whether an undeclared key may come next: not while a required one is missing, unless in any
  /// order.
  func allowsFree(_ key: FrameKey, _ shape: CompiledObject) -> Bool {
    if shape.freeKeys == 0 { return false }
    if !shape.isAnyOrder, Int(nextDemanded(key, shape)) < shape.properties.count { return false }
    return fitsCount(key, shape, taking: nil)
  }

  /// Whether this property may come next.
  func allows(_ property: UInt32, _ key: FrameKey, _ shape: CompiledObject) -> Bool {
    let index = Int(property)
    if shape.properties[index].node == 0 { return false }
    if !shape.tracksSeen {
      guard property >= key.position, property <= shape.nextRequired[Int(key.position)] else {
        return false
      }
      return fitsCount(key, shape, taking: property)
    }
    let progress = self.progress[Int(key.progress)]
    if progress.contains(index) { return false }
    if !shape.isAnyOrder {
      guard property >= key.position, property <= nextDemanded(key, shape) else { return false }
      // What it demands must be there already or still be able to come.
      let isTooLate = shape.properties[index].consequences.contains {
        $0 < property && !progress.contains(Int($0))
      }
      if isTooLate { return false }
    }
    return fitsCount(key, shape, taking: property)
  }

  /// The first property from the position on that is required, or demanded by one that is there.
  private func nextDemanded(_ key: FrameKey, _ shape: CompiledObject) -> UInt32 {
    let required = shape.nextRequired[Int(key.position)]
    if !shape.tracksSeen { return required }
    let progress = self.progress[Int(key.progress)]
    var least = required
    for (index, property) in shape.properties.enumerated() where progress.contains(index) {
      for consequence in property.consequences
      where consequence < least && consequence >= key.position
        && !progress.contains(Int(consequence))
      {
        least = consequence
      }
    }
    return least
  }

  /// Whether the number of properties can still be right after one more.
  private func fitsCount(
    _ key: FrameKey, _ shape: CompiledObject, taking property: UInt32?
  ) -> Bool {
    if !shape.isCounted { return true }
    let progress = self.progress[Int(key.progress)]
    let count = progress.count + 1
    if shape.maxProperties != .max {
      var demanded: UInt32 = 0
      for (index, other) in shape.properties.enumerated() {
        if isPresent(index, key, progress, shape) || index == property.map(Int.init) { continue }
        let isDemanded =
          other.isRequired
          || property.map { shape.properties[Int($0)].consequences.contains(UInt32(index)) }
            ?? false
          || shape.properties.indices.contains {
            progress.contains($0)
              && shape.properties[$0].consequences.contains(UInt32(index))
          }
        if isDemanded { demanded += 1 }
      }
      if count + demanded > shape.maxProperties { return false }
    }
    if count >= shape.minProperties || shape.freeKeys == MachineTable.endless { return true }
    var left = UInt64(shape.freeKeys) - UInt64(progress.texts.count)
    if property == nil { left -= 1 }
    if shape.isAnyOrder {
      for index in shape.properties.indices
      where shape.properties[index].node != 0 && !progress.contains(index)
        && index != property.map(Int.init)
      {
        left += 1
      }
    } else if shape.tracksSeen {
      let start = property.map { Int($0) + 1 } ?? Int(key.position)
      for index in start..<max(start, shape.properties.count)
      where shape.properties[index].node != 0 {
        let isTooLate = shape.properties[index].consequences.contains {
          $0 < start && !progress.contains(Int($0)) && $0 != property
        }
        if !isTooLate { left += 1 }
      }
    } else {
      left += UInt64(shape.available[property.map { Int($0) + 1 } ?? Int(key.position)])
    }
    return UInt64(count) + left >= UInt64(shape.minProperties)
  }

  /// Whether a required property is behind: in declared order the position tells.
  private func isPresent(
    _ index: Int, _ key: FrameKey, _ progress: ContainerProgress, _ shape: CompiledObject
  ) -> Bool {
    shape.tracksSeen ? progress.contains(index) : index < key.position
  }

  // MARK: Steps

  /// After a key's opening quote.
  mutating func beginKey(_ frame: UInt32) -> Configuration {
    let key = frames[Int(frame)].key
    let shape = grammar.objects[Int(key.shape)]
    let isTracked = allowsFree(key, shape)
    return Configuration(
      state: shape.keyStart, text: isTracked ? SpelledTexts.root : SpelledTexts.untracked,
      frame: frame)
  }

  /// A key with a tracked text may become an undeclared one; any other only a declared one.
  ///
  /// Shapes are looked at only where they decide: copying one costs more than the step.
  mutating func stepKey(
    _ at: Configuration, _ state: MachineTable.State, _ byte: UInt8
  ) -> Configuration {
    switch state.role {
    case .keyName: return stepName(at, state, byte)
    default: return stepUndeclared(at, state, byte)
    }
  }

  /// In a key that can be no declared one any more.
  private mutating func stepUndeclared(
    _ at: Configuration, _ state: MachineTable.State, _ byte: UInt8
  ) -> Configuration {
    let target = grammar.table.next(state, byte)
    if target == Place.end { return endUndeclared(at, state) }
    if target == Place.dead { return .dead }
    let text = child(at.text, byte, in: target)
    if !grammar.isFreeForever(target), !hasFree(target, text, frames[Int(at.frame)].key) {
      return .dead
    }
    return Configuration(state: target, text: text, frame: at.frame)
  }

  private mutating func stepName(
    _ at: Configuration, _ state: MachineTable.State, _ byte: UInt8
  ) -> Configuration {
    let isFree = at.text != SpelledTexts.untracked
    let node = grammar.keyNodes[Int(state.detail)]
    // A quote that is part of a name has a backslash before it.
    if byte == 0x22, !node.isInEscape {
      if node.label != 0 {
        let shape = frames[Int(at.frame)].key.shape
        return endKey(at, label: node.label, grammar.objects[Int(shape)])
      }
      guard isFree, node.fallback != 0 else { return .dead }
      return endUndeclared(at, grammar.table.states[Int(node.fallback)])
    }
    for index in node.edges where grammar.keyEdges[Int(index)].byte == byte {
      let target = grammar.keyEdges[Int(index)].target
      let next = grammar.keyNodes[Int(grammar.table.states[Int(target)].detail)]
      let text = child(at.text, byte, in: next.fallback)
      let canLeave = isFree && next.fallback != 0
      if !canLeave || !grammar.isFreeForever(next.fallback) {
        let key = frames[Int(at.frame)].key
        guard
          canLeave && hasFree(next.fallback, text, key)
            || hasTarget(next, key, grammar.objects[Int(key.shape)])
        else { return .dead }
      }
      return Configuration(state: target, text: text, frame: at.frame)
    }
    if !isFree || node.fallback == 0 { return .dead }
    return stepUndeclared(at, grammar.table.states[Int(node.fallback)], byte)
  }

  /// After the closing quote of an undeclared key; `state` is that of the undeclared keys' own
  /// automaton before it.
  private mutating func endUndeclared(
    _ at: Configuration, _ state: MachineTable.State
  ) -> Configuration {
    let shape = grammar.objects[Int(frames[Int(at.frame)].key.shape)]
    if state.role == .keyPattern {
      return endKey(at, label: grammar.keyNodes[Int(state.detail)].label, shape)
    }
    return state.isBoundary
      ? endKey(at, label: UInt32(shape.properties.count) + 1, shape) : .dead
  }

  /// Whether an undeclared key that was not there before can still come of these bytes.
  private func hasFree(_ state: UInt32, _ text: UInt32, _ key: FrameKey) -> Bool {
    let words = grammar.table.words[Int(state)]
    if words == MachineTable.endless { return true }
    return texts.count(progress[Int(key.progress)].texts, from: text) < words
  }

  /// Whether a declared key that may come next can still come of these bytes.
  private func hasTarget(_ node: KeyNode, _ key: FrameKey, _ shape: CompiledObject) -> Bool {
    if shape.tracksSeen || shape.isCounted {
      return node.targets.contains { allows(grammar.keyTargets[Int($0)], key, shape) }
    }
    // The first one from the position on is the likeliest to be allowed.
    var low = Int(node.targets.lowerBound)
    var high = Int(node.targets.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if grammar.keyTargets[middle] < key.position { low = middle + 1 } else { high = middle }
    }
    guard low < node.targets.upperBound else { return false }
    return grammar.keyTargets[low] <= shape.nextRequired[Int(key.position)]
  }

  /// After a key's closing quote.
  mutating func endKey(
    _ at: Configuration, label: UInt32, _ shape: CompiledObject
  ) -> Configuration {
    if label == 0 { return .dead }
    var key = frames[Int(at.frame)].key
    let count = UInt32(shape.properties.count)
    let node: UInt32
    if label <= count {
      let property = label - 1
      guard allows(property, key, shape) else { return .dead }
      node = shape.properties[Int(property)].node
      if !shape.isAnyOrder { key.position = label }
    } else {
      endedTexts += 1
      guard at.text != SpelledTexts.untracked,
        !progress[Int(key.progress)].texts.contains(at.text)
      else { return .dead }
      node = label == count + 1 ? shape.additional : shape.patterns[Int(label - count) - 2]
      if node == 0 { return .dead }
    }
    if label > count || shape.tracksSeen || shape.isCounted {
      let taken = ProgressStep(
        from: key.progress, property: label <= count ? label : 0,
        text: label <= count ? SpelledTexts.untracked : at.text, shape: key.shape)
      key.progress = progress(after: taken) { progress in
        if taken.property == 0 {
          progress.insert(text: taken.text)
        } else if shape.tracksSeen {
          progress.insert(Int(taken.property) - 1)
        }
        if shape.isCounted {
          // Beyond all bounds the number no longer matters.
          progress.count += 1
          if shape.maxProperties == .max {
            progress.count = min(progress.count, shape.minProperties)
          }
        }
      }
    }
    return Configuration(state: Place.colon, count: node, frame: frame(key))
  }
}
