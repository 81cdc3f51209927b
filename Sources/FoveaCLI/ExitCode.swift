internal import Fovea

/// What the process returns to its caller.
enum ExitCode: Int32 {
  case ok = 0
  /// `fovea schema --check`: the value does not match the schema.
  case invalid = 1
  /// The command line makes no sense.
  case usage = 2
  /// An input, schema or output file is at fault.
  case input = 3
  /// The model or its projector is at fault.
  case model = 4
  /// The model ran, but gave no value.
  case generation = 5
  /// Ctrl-C.
  case interrupted = 130

  /// The code for an error.
  init(_ error: FoveaError) {
    self =
      switch error.code {
      case .invalidArgument: .usage
      case .fileNotReadable, .fileNotWritable, .invalidImage, .unsupportedImageFormat,
        .passwordRequired,
        .unsupportedType, .invalidSchema, .unsupportedSchema, .schemaTooComplex:
        .input
      case .invalidTemplate, .invalidModel, .invalidProjector, .unsupportedByModel,
        .insufficientMemory:
        .model
      case .promptTooLong, .tokenLimitReached, .engineFailed, .decodingFailed: .generation
      case .cancelled: .interrupted
      }
  }
}
