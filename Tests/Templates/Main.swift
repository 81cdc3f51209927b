internal import Foundation
internal import Fovea

/// Renders chat templates for comparison with jinja2; see CONTRIBUTING.md.
///
/// Each line of standard input is an object with `template`, `context` and `now` (seconds since
/// 1970); each line of standard output is `{"text": …}` or `{"error": …}`, in the same order.
@main
struct Main {
  private static let usage = """
    usage: fovea-templates [--time COUNT] < CASES
           --time COUNT    renders each case COUNT times; the mean goes to standard error
    """

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var count: Int?
    if arguments.count == 2, arguments[0] == "--time", let number = Int(arguments[1]), number > 0 {
      count = number
    } else if !arguments.isEmpty {
      print(usage)
      exit(2)
    }
    var run = TemplateRun(count: count)
    while let line = readLine() { try run.render(line) }
    run.printTimes()
  }
}
