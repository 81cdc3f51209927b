internal import Foundation
internal import Fovea
internal import FoveaTestSupport

/// Feeds the engine schemas that nobody would write, for a while; see CONTRIBUTING.md.
@main
struct Main {
  private static let usage = """
    usage: fovea-fuzz FOLDER SECONDS [SEED]      random cases; failing schemas go to FOLDER
           fovea-fuzz FOLDER --case SEED INDEX   one of them again
           fovea-fuzz FOLDER --schema FILE       100 runs of one schema
    """
  private static let mostFailures = 20

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    var run = try FuzzRun(folder: arguments.first ?? "")
    switch arguments.dropFirst().first {
    case "--case" where arguments.count == 4:
      guard let seed = UInt64(arguments[2]), let index = UInt64(arguments[3]) else {
        return leave()
      }
      run.runCase(seed: seed, index: index)
    case "--schema" where arguments.count == 3:
      let schema = try String(contentsOfFile: arguments[2], encoding: .utf8)
      for index in UInt64(0)..<100 { run.runCase(seed: 1, index: index, schema: schema) }
    case let seconds? where (2...3).contains(arguments.count):
      guard let seconds = Double(seconds),
        let seed = UInt64(arguments.count == 3 ? arguments[2] : "1")
      else { return leave() }
      let end = ContinuousClock.now + .seconds(seconds)
      var index: UInt64 = 0
      while ContinuousClock.now < end, run.failures < mostFailures {
        run.runCase(seed: seed, index: index)
        index += 1
      }
    default: return leave()
    }
    run.printSummary()
    exit(run.failures == 0 ? 0 : 1)
  }

  private static func leave() {
    print(usage)
    exit(2)
  }
}
