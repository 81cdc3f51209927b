/// `a + b + c`: texts mostly, which are put together at once.
final class TemplateSum: TemplateExpression {
  let parts: [any TemplateExpression]
  let depth: Int
  /// For each part, its text where that stands in the template.
  private let texts: [TemplateText?]

  init(_ parts: [any TemplateExpression]) {
    self.parts = parts
    depth = parts.depth
    texts = parts.map { ($0 as? TemplateConstant)?.text }
  }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    let first = try parts[0].value(run, scope)
    guard case .text(let text) = first else { return try sum(first, from: 1, run, scope) }
    var builder = TemplateTextBuilder()
    builder.append(text)
    for index in 1..<parts.count {
      if let text = texts[index] {
        try run.spend(text.byteCount)
        builder.append(text)
        continue
      }
      let value = try parts[index].value(run, scope)
      guard case .text(let text) = value else {
        let sum = try run.combine(.add, .text(builder.text), value)
        return try self.sum(sum, from: index + 1, run, scope)
      }
      try run.spend(text.byteCount)
      builder.append(text)
    }
    try run.spend(text.byteCount)
    return .text(builder.text)
  }

  func write(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) {
    let start = run.output.bytes.count
    if let text = texts[0] {
      try run.write(text)
    } else {
      let first = try parts[0].value(run, scope)
      guard case .text(let text) = first else {
        return try run.write(sum(first, from: 1, run, scope))
      }
      try run.write(text)
    }
    for index in 1..<parts.count {
      if let text = texts[index] {
        try run.write(text)
        continue
      }
      let value = try parts[index].value(run, scope)
      guard case .text(let text) = value else {
        // What was written so far is no text of its own after all.
        let sum = try run.combine(.add, .text(run.output.take(from: start)), value)
        return try run.write(self.sum(sum, from: index + 1, run, scope))
      }
      try run.write(text)
    }
  }

  private func sum(
    _ first: TemplateValue, from next: Int, _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    var sum = first
    for index in next..<parts.count {
      sum = try run.combine(.add, sum, parts[index].value(run, scope))
    }
    return sum
  }
}

/// `a ~ b ~ c`.
final class TemplateJoin: TemplateExpression {
  let parts: [any TemplateExpression]
  let depth: Int

  init(_ parts: [any TemplateExpression]) {
    self.parts = parts
    depth = parts.depth
  }

  func value(
    _ run: TemplateRun, _ scope: TemplateScope
  ) throws(TemplateFailure) -> TemplateValue {
    var builder = TemplateTextBuilder()
    for part in parts {
      let text = try run.text(of: part.value(run, scope))
      try run.spend(text.byteCount)
      builder.append(text)
    }
    return .text(builder.text)
  }

  func write(_ run: TemplateRun, _ scope: TemplateScope) throws(TemplateFailure) {
    for part in parts { try part.write(run, scope) }
  }
}
