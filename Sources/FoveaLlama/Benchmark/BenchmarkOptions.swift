package import Fovea

/// What a benchmark measures.
package struct BenchmarkOptions: Sendable {
  /// Tokens of the prompt: what `llama-bench` calls `pp512`.
  package var promptTokens = 512
  /// Tokens that are written one by one: `tg128`.
  package var writtenTokens = 128
  /// How often each test is run; a run that is not counted comes first.
  package var repeats = 5
  /// A picture to look at; nil: none.
  package var image: ImageInput?
  /// Whether other numbers of threads, other batches and both kinds of attention are tried, too.
  package var tunes = false

  /// The standard benchmark.
  package init() {}

  /// - Throws: `.invalidArgument`.
  func validate() throws(FoveaError) {
    let counts = [
      ("promptTokens", promptTokens), ("writtenTokens", writtenTokens), ("repeats", repeats),
    ]
    for (name, value) in counts where !(1...1 << 20).contains(value) {
      throw FoveaError(.invalidArgument, "\(name) is \(value)", fix: "use a value of at least 1")
    }
  }
}
