/// A chat template in the language of Jinja, as model files carry it.
///
/// The template is read once and rendered as often as needed. All that Hugging Face's transformers
/// library sets up is here: blanks around statements go as with `trim_blocks` and `lstrip_blocks`,
/// `tojson` writes as Python does, `raise_exception` refuses messages, and values cannot be changed
/// from within a template but for namespaces.
///
/// What the template says and what messages say stay apart: each character of the result knows
/// where it comes from.
package struct ChatTemplate: Sendable {
  private let body: TemplateBlock
  /// The names that the template uses.
  let names: [String]
  private let source: String

  /// Reads a template.
  ///
  /// - Throws: ``FoveaError/Code/invalidTemplate`` with the line and column where it is malformed,
  ///   or uses what Fovea does not have.
  package init(_ source: String) throws(FoveaError) {
    self.source = source
    do {
      var parser = try TemplateParser(source)
      body = try parser.parse()
      names = parser.names
    } catch {
      throw Self.error(error, in: source)
    }
  }

  /// Renders the template.
  ///
  /// - Parameters:
  ///   - context: What the template's names stand for, an object.
  ///   - now: Seconds since 1970 in local time, for templates that ask for the date.
  ///   - isTrusted: Which texts of the context are as trustworthy as the template, by the path to
  ///     them: `["bos_token"]`, `["messages", "role"]`; places in lists are left out.
  /// - Throws: ``FoveaError/Code/invalidTemplate`` when the template refuses the context, fails, or
  ///   does more than any real template does.
  package func render(
    _ context: JSONValue, now: Int64, isTrusted: ([String]) -> Bool = { _ in false }
  ) throws(FoveaError) -> RenderedTemplate {
    try render(context, now: now, limits: TemplateLimits(), isTrusted: isTrusted)
  }

  /// - Parameter limits: How much the template may do.
  func render(
    _ context: JSONValue, now: Int64, limits: TemplateLimits, isTrusted: ([String]) -> Bool
  ) throws(FoveaError) -> RenderedTemplate {
    guard case .object(let members) = context else {
      return try render(now: now, limits: limits) { _ in nil }
    }
    return try render(now: now, limits: limits) { name throws(TemplateFailure) in
      guard let member = members.last(where: { $0.name == name }) else { return nil }
      var reader = TemplateContextReader(path: [name])
      return try reader.value(of: member.value, isTrusted: isTrusted)
    }
  }

  /// Renders the template with the values that names stand for.
  func render(
    now: Int64, limits: TemplateLimits = TemplateLimits(),
    value: (String) throws(TemplateFailure) -> TemplateValue?
  ) throws(FoveaError) -> RenderedTemplate {
    do {
      var globals: [TemplateValue?] = []
      globals.reserveCapacity(names.count)
      for name in names {
        globals.append(
          try value(name)
            ?? TemplateFunction(rawValue: name).map { .object(TemplateFunctionValue($0)) })
      }
      let run = TemplateRun(names: names, globals: globals, now: now, limits: limits)
      return RenderedTemplate(try run.run(body))
    } catch {
      throw Self.error(error, in: source)
    }
  }

  private static func error(_ failure: TemplateFailure, in source: String) -> FoveaError {
    let place = failure.offset.map { TemplatePlace(offset: $0, in: source) }
    let at = place.map { " at line \($0.line), column \($0.column)" } ?? ""
    switch failure.kind {
    case .invalid:
      return FoveaError(
        .invalidTemplate, "the chat template fails\(at): \(failure.message)",
        fix: "use a template that is meant for Hugging Face's transformers library",
        cause: place?.excerpt)
    case .unsupported:
      return FoveaError(
        .invalidTemplate,
        "the chat template uses what Fovea does not support\(at): \(failure.message)",
        fix: "use a template without it", cause: place?.excerpt)
    case .refused:
      return FoveaError(
        .invalidTemplate, "the chat template refuses these messages: \(failure.message)",
        fix: "send messages in the order that the model was made for", cause: place?.excerpt)
    case .tooLong:
      return FoveaError(
        .invalidTemplate, "the chat template does too much\(at): \(failure.message)",
        fix: "use a template that ends", cause: place?.excerpt)
    }
  }
}

/// What a template was rendered to.
package struct RenderedTemplate: Sendable {
  let content: TemplateText

  init(_ content: TemplateText) { self.content = content }

  /// The whole text.
  package var text: String { content.string }

  /// The text in pieces: from the template, and from what it was given.
  package var segments: [(text: String, isTrusted: Bool)] {
    var result: [(text: String, isTrusted: Bool)] = []
    content.forEachRun { low, high, isTrusted in
      if low < high { result.append((content[low..<high].string, isTrusted)) }
    }
    return result
  }
}

/// A place in a template's source.
struct TemplatePlace {
  /// The first is 1.
  let line: Int
  /// The first is 1.
  let column: Int
  /// The line's text around the place.
  let excerpt: String

  /// - Parameter offset: In code points, with a line end counted as one.
  init(offset: Int, in source: String) {
    var line: [Unicode.Scalar] = []
    var number = 1
    var column = 0
    var seen = 0
    var isAfterReturn = false
    for scalar in source.unicodeScalars {
      defer { isAfterReturn = scalar == "\r" }
      if scalar == "\n", isAfterReturn { continue }
      let isEnd = scalar == "\n" || scalar == "\r"
      if seen >= offset {
        if isEnd || line.count > column + 40 { break }
        line.append(scalar)
      } else if isEnd {
        number += 1
        line = []
        column = 0
      } else {
        line.append(scalar)
        column += 1
      }
      seen += 1
    }
    self.line = number
    self.column = column + 1
    var text = String.UnicodeScalarView()
    text.append(contentsOf: line.dropFirst(max(0, column - 40)))
    excerpt = String(text)
  }
}
