import Foundation
import Fovea
import FoveaTestSupport
import Testing

/// `fovea devices`, as a person runs it, and models that do not fit into memory.
@Suite("The devices command")
struct DevicesTests {
  private static let model = [Material.model, "--projector", Material.projector]

  /// The JSON that the command writes.
  private struct Report: Decodable {
    struct Machine: Decodable {
      let system: String
      let processors, cores, memory: Int
      let free: [String: Int]
    }

    struct Choice<Value: Decodable>: Decodable {
      let value: Value
      let reason: String
    }

    struct Choices: Decodable {
      let devices: Choice<[String]>
      let context, batch, threads, parallel: Choice<Int>
      let attention: Choice<String>
    }

    struct Memory: Decodable {
      let source: String
      let places: [String: [String: Int]]
      let vocabulary, program, total: Int
    }

    let machine: Machine
    let choices: Choices?
    let memory: Memory?
    let fits: Bool?
  }

  private func report(_ arguments: [String], addressSpace: Int? = nil) throws -> Report {
    let outcome = try Program.run(["devices", "--json"] + arguments, addressSpace: addressSpace)
    #expect(outcome.output.hasSuffix("}\n"))
    return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
  }

  @Test("shows the machine")
  func machine() throws {
    let outcome = try Program.run(["devices"])
    #expect(outcome.code == 0)
    #expect(outcome.output.hasPrefix("machine\n  system"))
    #expect(!outcome.output.contains("choices"))
    let report = try report([])
    #expect(report.machine.processors >= report.machine.cores)
    #expect(report.machine.memory > 0)
    #expect(report.choices == nil)
  }

  @Test("shows what is chosen for a model, why, and what it takes")
  func choices() throws {
    let outcome = try Program.run(["devices"] + Self.model + ["--parallel", "4"])
    #expect(outcome.code == 0)
    for words in [
      "contexts", "context         2048", "what the model was trained for", "fits\n", "lays it out",
      "requests        4", "for 4 times 2048 tokens",
    ] {
      #expect(outcome.output.contains(words), "\(words)")
    }
    let report = try report(Self.model + ["--context", "512", "--threads", "3"])
    #expect(report.choices?.context.value == 512)
    #expect(report.choices?.threads.value == 3)
    #expect(report.choices?.threads.reason == "as asked for")
    #expect(report.memory?.source == "dry run")
    // 512 tokens, 4 layers, 5 heads, keys and values of 32 numbers of 2 bytes, for 4 requests.
    #expect(report.choices?.parallel.value == 4)
    #expect(report.memory?.places["host"]?["cache"] == 4 * 512 * 4 * 5 * 64 * 2)
    #expect(report.fits == true)
    let parts = report.memory?.places.values.flatMap(\.values).reduce(0, +) ?? 0
    let others = (report.memory?.vocabulary ?? 0) + (report.memory?.program ?? 0)
    #expect(report.memory?.total == parts + others)
  }

  @Test("what is no model is told as elsewhere")
  func errors() throws {
    #expect(try Program.run(["devices", Material.projector]).code == 4)
    #expect(try Program.run(["devices", "/nowhere.gguf"]).code == 4)
    #expect(try Program.run(["devices", "a", "b"]).code == 2)
    #expect(try Program.run(["devices", "--projector", Material.projector]).code == 2)
    #expect(try Program.run(["devices", Material.model, "--kv-cache", "q3"]).code == 2)
    let device = try Program.run(["devices", Material.model, "--device", "GPU9"])
    #expect(device.code == 4)
    #expect(device.error.contains("finds no GPU called 'GPU9'"))
    #expect(try Program.run(["devices", Material.model, "--device", "none"]).code == 0)
  }

  #if os(Linux)
    /// Kilobytes of address space that leave so many megabytes beside the program itself.
    private func space(leaving megabytes: Int) throws -> Int {
      let much = 8_000_000
      let free = try #require(
        try report([], addressSpace: much).machine.free["address_space"])
      return much - free / 1_024 + megabytes * 1_000_000 / 1_024
    }

    @Test("a model that does not fit is refused with both numbers and what would fit")
    func refused() throws {
      let space = try space(leaving: 700)
      let picture = try #require(try Material.pictures().first).path
      for arguments in [
        ["extract", picture, "--model", Material.model, "--projector", Material.projector],
        ["chat", "--model", Material.model, "Hello"],
        ["devices", Material.model],
      ] {
        let outcome = try Program.run(
          arguments + ["--context", "262144"], addressSpace: space)
        #expect(outcome.code == 4, "no signal has ended it: \(outcome.error)")
        let line = outcome.error
        #expect(
          line.contains(
            #/with a context of 262144 tokens needs [0-9.]+ GB, [0-9.]+ MB are free \(address space\)/#
          ))
        #expect(line.contains("use a context of at most"))
        #expect(outcome.errorLines.count == 1)
      }
    }

    @Test(
      "a context that nobody asked for becomes smaller, and the model works in it",
      .enabled(
        if: Material.smolLM2 != nil,
        "needs SmolLM2 (`scripts/fetch-models smollm2`); `make test` fetches it"))
    func shrunk() throws {
      let model = try #require(Material.smolLM2)
      // Threads reserve addresses, and a program that answers has more of them than one that reports; how
      // many differs from run to run. So the limit is the first one, from above, that is felt.
      var megabytes = 460
      var space = try space(leaving: megabytes)
      var context = try #require(try report([model], addressSpace: space).choices?.context)
      while context.value == 8_192, megabytes > 300 {
        megabytes -= 20
        space = try self.space(leaving: megabytes)
        context = try #require(try report([model], addressSpace: space).choices?.context)
      }
      #expect((512..<8_192).contains(context.value))
      #expect(context.reason == "the most that fits into memory")
      let outcome = try Program.run(
        ["chat", "--model", model, "--max-tokens", "3", "Hello"], addressSpace: space)
      #expect(outcome.code == 0 || outcome.code == 5, "\(outcome.error)")
    }

    @Test("without the check it is llama.cpp that fails, with the same kind of error")
    func unchecked() throws {
      let outcome = try Program.run(
        ["chat", "--model", Material.model, "--context", "262144", "--no-memory-check", "Hello"],
        addressSpace: try space(leaving: 300))
      #expect(outcome.code == 4, "\(outcome.error)")
      #expect(outcome.error.contains("llama.cpp cannot make a context"))
    }
  #endif
}
