internal import Foundation
internal import Fovea
internal import FoveaTestSupport

/// Runs cases and counts what comes of them.
struct FuzzRun {
  private let folder: URL
  /// The case that is being run: on disk before it runs, so that a crash leaves it behind.
  private let current: FileHandle
  private let mutator: SchemaMutator
  private let vocabulary = Vocabulary.awkward
  private let trie = TokenTrie(.awkward)
  private let watchdog = Watchdog(limit: .seconds(60))
  private var cases = 0
  private var compiled = 0
  private var texts = 0
  private var unclosed = 0
  private var refusals: [FoveaError.Code: Int] = [:]
  private var slowest = (duration: Duration.zero, name: "none")
  /// How many cases went wrong.
  private(set) var failures = 0

  /// Failing schemas, and the case that is being run (`current.txt`: seed and number in the first
  /// line, then the schema), go to the folder.
  init(folder: String) throws {
    self.folder = URL(fileURLWithPath: folder, isDirectory: true)
    try FileManager.default.createDirectory(
      at: self.folder, withIntermediateDirectories: true)
    let file = self.folder.appendingPathComponent("current.txt")
    try Data().write(to: file)
    current = try FileHandle(forWritingTo: file)
    let schemas = try Corpus.all().flatMap(\.entries).map(\.schema)
    mutator = SchemaMutator(
      originals: schemas.map { (schema: $0, length: $0.text.utf8.count) }
        .filter { $0.length < 20_000 }.sorted { $0.length < $1.length }.map(\.schema))
  }

  /// Runs the case that belongs to a seed and a number, or a given schema.
  mutating func runCase(seed: UInt64, index: UInt64, schema given: String? = nil) {
    var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ index)
    let schema = given ?? mutator.makeSchema(using: &generator)
    let name = "seed \(seed), case \(index)"
    keep("\(seed) \(index)\n\(schema)")
    watchdog.begin("\(name): \(schema.prefix(4_000))")
    do {
      let outcome = try FuzzCase(schema: schema, vocabulary: vocabulary, trie: trie)
        .run(using: &generator)
      switch outcome {
      case .refused(let error): refusals[error.code, default: 0] += 1
      case .walked(let texts, let unclosed):
        compiled += 1
        self.texts += texts
        self.unclosed += unclosed
      }
    } catch {
      failures += 1
      let file = "failure-\(seed)-\(index).json"
      write(schema, to: file)
      let what =
        switch error {
        case let failure as FuzzCase.Failure: failure.what
        case let error as FoveaError: "\(error.code.rawValue): \(error.message)"
        default: "an error of another type: \(error)"
        }
      print("fuzz: FAILURE: \(name), \(file): \(what.prefix(1_500))")
      // A later crash must not take this line along.
      fflush(nil)
    }
    let duration = watchdog.end()
    cases += 1
    if duration > slowest.duration { slowest = (duration, name) }
  }

  func printSummary() {
    let codes = refusals.sorted { $0.value > $1.value }.map { "\($0.key.rawValue) \($0.value)" }
    print(
      "fuzz: cases=\(cases) compiled=\(compiled) texts=\(texts) unclosed=\(unclosed) "
        + "failures=\(failures)")
    print("fuzz: refused: \(codes.joined(separator: ", "))")
    print("fuzz: slowest: \(slowest.duration / .milliseconds(1)) ms, \(slowest.name)")
  }

  /// Written over what stands there: emptying the file first would wait for the disk.
  private func keep(_ text: String) {
    let data = Data(text.utf8)
    do {
      try current.seek(toOffset: 0)
      try current.write(contentsOf: data)
      try current.truncate(atOffset: UInt64(data.count))
    } catch {
      print("fuzz: cannot write the case into \(folder.path): \(error)")
    }
  }

  private func write(_ text: String, to name: String) {
    let file = folder.appendingPathComponent(name)
    do {
      try text.write(to: file, atomically: false, encoding: .utf8)
    } catch {
      print("fuzz: cannot write \(file.path): \(error)")
    }
  }
}
