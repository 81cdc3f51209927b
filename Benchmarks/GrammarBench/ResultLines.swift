internal import Foundation

/// What the program writes: one line about the set-up, one for each schema, one about the end.
/// `peers/masks.py` writes the same lines for the other engines. Times are microseconds of the
/// thread's processor time, unless the name says something else.
enum ResultLines {
  struct Setup: Encodable {
    var engine = "fovea"
    var vocabulary: String
    var tokens: Int
    var matchers: String
    /// From nothing to an indexed vocabulary: thread's, process's and wall-clock milliseconds.
    var setupMs: Double
    var setupProcessMs: Double
    var setupWallMs: Double
    /// Reading the vocabulary's file, which is not in the set-up.
    var readMs: Double
    /// What measuring nothing takes.
    var emptyUs: Double
    /// What the index of the vocabulary adds to the heap.
    var indexKb: Int
  }

  struct SchemaResult: Encodable {
    var id: String
    var error: String?
    /// From the text of the schema to what matchers share, and to the first mask: the first time,
    /// and the best of the repetitions.
    var compileUs: Double?
    var firstMaskUs: Double?
    var bestCompileUs: Double?
    var bestFirstMaskUs: Double?
    /// What the compiled schema and one matcher, with the masks it keeps, have on the heap: the
    /// most at the end of an instance.
    var heldKb: Int?
    var runs: [RunResult]?
  }

  struct RunResult: Encodable {
    var valid: Bool
    var accepted = false
    /// How many tokens were accepted.
    var at = 0
    var error: String?
    var startUs = 0.0
    var maskUs: [Double] = []
    var acceptUs: [Double] = []
    /// How many tokens each mask allows.
    var density: [Int] = []
  }

  struct End: Encodable {
    /// The most memory the whole program had.
    var peakKb: Int
  }

  static func write(_ line: some Encodable, to file: FileHandle) throws {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = .withoutEscapingSlashes
    try file.write(contentsOf: encoder.encode(line) + Data("\n".utf8))
  }
}
