internal import Foundation
internal import Fovea

/// Renders one case after another, and times them when asked to.
struct TemplateRun {
  /// How often each case is timed; nil when it is not.
  let count: Int?
  /// The latest template: the cases of one template follow each other.
  private var latest: (source: String, template: Result<ChatTemplate, FoveaError>)?
  private var cases = 0
  private var total = Duration.zero

  init(count: Int?) { self.count = count }

  /// Renders the case of a line and writes what came of it.
  mutating func render(_ line: String) throws {
    let input = try Input(line)
    let template = template(input.template)
    var answer: JSONValue.Member
    do throws(FoveaError) {
      let text = try template.get().render(input.context, now: input.now).text
      answer = .init("text", .string(text))
      if let count { try time(template.get(), input, count: count) }
    } catch {
      answer = .init("error", .string(error.message))
    }
    print(JSONValue.object([answer]).text)
    // A later crash must not take this line along.
    fflush(nil)
  }

  /// The mean over all cases, to standard error.
  func printTimes() {
    guard count != nil, cases > 0 else { return }
    let mean = total / .microseconds(1) / Double(cases)
    tell("\(cases) cases, mean \(String(format: "%.1f", mean)) µs")
  }

  private mutating func template(_ source: String) -> Result<ChatTemplate, FoveaError> {
    if let latest, latest.source.utf8.elementsEqual(source.utf8) { return latest.template }
    let template = Result { () throws(FoveaError) in try ChatTemplate(source) }
    latest = (source, template)
    return template
  }

  private mutating func time(
    _ template: ChatTemplate, _ input: Input, count: Int
  ) throws(FoveaError) {
    let start = ContinuousClock.now
    for _ in 0..<count { _ = try template.render(input.context, now: input.now).text }
    let mean = (ContinuousClock.now - start) / count
    cases += 1
    total += mean
    tell("\(cases): \(String(format: "%.1f", mean / .microseconds(1))) µs")
  }

  private func tell(_ text: String) {
    FileHandle.standardError.write(Data("templates: \(text)\n".utf8))
  }
}

/// A line of the input.
private struct Input {
  struct Malformed: Error {
    var line: String
  }

  let template: String
  let context: JSONValue
  let now: Int64

  init(_ line: String) throws {
    let value = try JSONValue(parsing: line)
    guard case .string(let template)? = value[name: "template"],
      case .number(let digits)? = value[name: "now"], let now = Int64(digits),
      let context = value[name: "context"]
    else { throw Malformed(line: line) }
    self.template = template
    self.context = context
    self.now = now
  }
}
