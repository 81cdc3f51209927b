import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaLlama

/// The arithmetic of benchmarks, on made-up numbers; the real program is tested by `BenchTests`.
@Suite("Benchmarks")
struct BenchmarkTests {
  @Test("mean, deviation and median")
  func samples() {
    let samples = Samples([2, 4, 4, 10])
    #expect(samples.mean == 5)
    #expect(samples.median == 4)
    #expect(samples.deviation == 12.0.squareRoot(), "(9 + 1 + 1 + 25) / 3")
    #expect(Samples([1, 9, 2]).median == 2)
    #expect(Samples([3]).deviation == 0)
  }

  // MARK: Energy

  private final class Files {
    var texts: [String: String] = [:]
    func zone(_ number: Int, name: String, energy: Int?, range: Int = 1_000_000_000) {
      let path = "/sys/class/powercap/intel-rapl:\(number)"
      texts["\(path)/name"] = "\(name)\n"
      texts["\(path)/energy_uj"] = energy.map { "\($0)\n" }
      texts["\(path)/max_energy_range_uj"] = "\(range)\n"
    }

    func counter() -> EnergyCounter { EnergyCounter { self.texts[$0] } }
  }

  @Test("energy is summed over processors, over the end of a counter, too")
  func energy() {
    let files = Files()
    files.zone(0, name: "package-0", energy: 999_000_000)
    files.zone(1, name: "package-1", energy: 5_000_000)
    files.zone(2, name: "psys", energy: 0)
    let counter = files.counter()
    #expect(counter.unavailable == nil)
    let start = counter.read()
    files.zone(0, name: "package-0", energy: 2_000_000)
    files.zone(1, name: "package-1", energy: 9_500_000)
    files.zone(2, name: "psys", energy: 700_000_000)
    #expect(counter.joules(since: start) == 3 + 4.5)
  }

  @Test("without a counter it is told why")
  func noEnergy() {
    let files = Files()
    #expect(files.counter().unavailable?.contains("shows no energy counter") == true)
    #expect(files.counter().read() == nil)
    #expect(files.counter().joules(since: nil) == nil)
    files.zone(0, name: "package-0", energy: nil)
    #expect(files.counter().unavailable?.contains("administrator") == true)
    // Half of the processors would be half of the energy.
    files.zone(1, name: "package-1", energy: 7)
    #expect(files.counter().read() == nil)
  }

  // MARK: Tuning

  private func trial(_ threads: Int, _ batch: Int, _ flash: Bool, _ rate: Double) -> Tuning.Trial {
    Tuning.Trial(
      threads: threads, batchSize: batch, usesFlashAttention: flash, rate: Samples([rate]))
  }

  @Test("the best options have the least time for prompt and text together")
  func best() throws {
    let prefill = [
      trial(1, 512, false, 100), trial(2, 512, false, 150), trial(2, 256, false, 160),
      trial(1, 512, true, 200), trial(2, 512, true, 180),
    ]
    let decode = [
      trial(1, 512, false, 40), trial(2, 512, false, 30),
      trial(1, 512, true, 10), trial(2, 512, true, 20),
    ]
    func best(promptTokens: Int, writtenTokens: Int) throws -> Tuning.Choice {
      try #require(
        Tuning(
          prefill: prefill, decode: decode, promptTokens: promptTokens,
          writtenTokens: writtenTokens)
      ).best
    }
    // 4,000 / 160 + 10 / 40 against 4,000 / 200 + 10 / 20 seconds.
    #expect(
      try best(promptTokens: 4_000, writtenTokens: 10)
        == Tuning.Choice(threads: 2, batchThreads: 1, batchSize: 512, usesFlashAttention: true))
    // 160 / 160 + 400 / 40 against 160 / 200 + 400 / 20 seconds.
    #expect(
      try best(promptTokens: 160, writtenTokens: 400)
        == Tuning.Choice(threads: 1, batchThreads: 2, batchSize: 256, usesFlashAttention: false))
    #expect(Tuning(prefill: [], decode: decode, promptTokens: 1, writtenTokens: 1) == nil)
  }

  @Test("numbers of threads that are tried")
  func threadCounts() {
    func counts(_ logical: Int, _ physical: Int, planned: Int) -> [Int] {
      Tuner.threadCounts(
        ProcessorDescription(logical: logical, physical: physical), planned: planned)
    }
    #expect(counts(1, 1, planned: 1) == [1])
    #expect(counts(2, 2, planned: 1) == [1, 2])
    #expect(counts(12, 6, planned: 6) == [1, 2, 4, 6, 8, 12])
    #expect(counts(4, 8, planned: 3) == [1, 2, 3, 4], "fewer may be used than there are cores")
  }

  @Test(
    "numbers that measure nothing are refused before anything is loaded",
    arguments: [\BenchmarkOptions.promptTokens, \.writtenTokens, \.repeats])
  func refused(_ number: any WritableKeyPath<BenchmarkOptions, Int> & Sendable) async {
    var options = BenchmarkOptions()
    options[keyPath: number] = 0
    let wrong = options
    let error = await #expect(throws: FoveaError.self) {
      try await LlamaBenchmark.load(.gguf("/nowhere.gguf"), options: wrong)
    }
    #expect(error?.code == .invalidArgument)
  }
}
