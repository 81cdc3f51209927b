package import Fovea

/// What a benchmark found.
package struct BenchmarkResult: Sendable {
  /// A test of evaluation.
  package struct Evaluation: Sendable {
    /// Tokens in each run.
    package let tokens: Int
    /// Tokens a second, for each run.
    package let rate: Samples
    /// Joules for each token, for the whole processor; nil: the system does not say.
    package let joulesPerToken: Double?
  }

  /// The way of a picture into an answer.
  package struct Image: Sendable {
    /// What the picture is called.
    package let name: String
    /// The size in pixels as the model sees it.
    package let width: Int
    /// The size in pixels as the model sees it.
    package let height: Int
    /// Tokens of the picture.
    package let tokens: Int
    /// Tokens of the prompt with the picture.
    package let promptTokens: Int
    /// Seconds to read, decode and fit the file.
    package let decoding: Samples
    /// Seconds from pixels to embeddings.
    package let encoding: Samples
    /// Seconds from the file to the first token of an answer, all included.
    package let firstToken: Samples
  }

  /// The model as it says of itself.
  package let model: ModelDescription
  /// How it is computed.
  package let plan: DevicePlan
  /// How often each test was run.
  package let repeats: Int
  /// Seconds until the model could be used, its projector included. The system's cache of files
  /// decides over most of it.
  package let loadSeconds: Double
  /// Evaluation of a prompt.
  package let prefill: Evaluation
  /// Writing.
  package let decode: Evaluation
  /// Nil: no picture was given.
  package let image: Image?
  /// Nil: nothing else was tried.
  package let tuning: Tuning?
  /// Bytes of resident memory at most, before other ways to compute were tried; nil: the system does
  /// not say.
  package let peakMemory: Int?
  /// Why there is no energy; nil: there is.
  package let energyUnavailable: String?
}
