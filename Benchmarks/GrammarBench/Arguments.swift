internal import Foundation

/// The command line, read.
struct Arguments {
  struct Wrong: Error {
    let message: String
  }

  static let usage = """
    usage: grammar-bench --vocabulary FILE --tasks FILE [what to do]

      --out FILE            times every mask and writes result lines (the default; to standard output)
      --matchers fresh      a new matcher for each instance (the default), or
      --matchers reset      one for all instances of a schema, reset between them
      --budget N            each text may have so many tokens, so that closing it in time is looked after
      --repetitions N       how often each schema is compiled (3)
      --allocations         counts allocations once everything was seen before
      --check FILE          with --allocations: fails above the thresholds in the file
      --worst N             lists the N slowest masks
      --profile ID          repeats one schema, for perf; --times N (200), --compile for compiling it
      --masks-at FILE       writes single masks, in hexadecimal, for lines of "id<tab>run<tab>step"
    """

  var vocabulary = ""
  var tasks = ""
  var out: String?
  var matchers = Timing.Matchers.fresh
  var budget: Int?
  var repetitions = 3
  var countsAllocations = false
  var thresholds: String?
  var worst: Int?
  var profile: String?
  var times = 200
  var compiles = false
  var masksAt: String?

  init(_ words: [String]) throws {
    var rest = words[...]
    while let name = rest.popFirst() {
      func value() throws -> String {
        guard let value = rest.popFirst() else { throw Wrong(message: "\(name) needs a value") }
        return value
      }
      func number() throws -> Int {
        let text = try value()
        guard let number = Int(text), number >= 0 else {
          throw Wrong(message: "\(name) needs a number, not '\(text)'")
        }
        return number
      }
      switch name {
      case "--vocabulary": vocabulary = try value()
      case "--tasks": tasks = try value()
      case "--out": out = try value()
      case "--matchers":
        let text = try value()
        guard let found = Timing.Matchers(rawValue: text) else {
          throw Wrong(message: "--matchers is 'fresh' or 'reset', not '\(text)'")
        }
        matchers = found
      case "--budget": budget = try number()
      case "--repetitions": repetitions = try number()
      case "--allocations": countsAllocations = true
      case "--check": thresholds = try value()
      case "--worst": worst = try number()
      case "--profile": profile = try value()
      case "--times": times = try number()
      case "--compile": compiles = true
      case "--masks-at": masksAt = try value()
      default: throw Wrong(message: "unknown argument '\(name)'")
      }
    }
    if vocabulary.isEmpty || tasks.isEmpty {
      throw Wrong(message: "--vocabulary and --tasks are needed")
    }
  }
}
