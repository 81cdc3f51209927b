/// What went wrong, with which input, and how to put it right.
///
/// Every throwing function of Fovea throws this type. ``code`` says what kind of failure it is,
/// ``message`` names the input that failed, ``fix`` says what to do about it, and ``cause`` holds
/// the error or the native library's own words beneath it.
///
///     do {
///       let receipt = try await model.predict(image: .file(path), prompt: "Extract the total.", as: Receipt.self)
///     } catch let error as FoveaError where error.code == .tokenLimitReached {
///       print(error.partialText ?? "")     // what was written before the limit
///     }
public struct FoveaError: Error, Sendable, Equatable {
  /// The kinds of failure.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The caller asked for something that makes no sense.
    case invalidArgument
    /// A file that does not exist or cannot be read.
    case fileNotReadable
    /// A file that cannot be written.
    case fileNotWritable
    /// Bytes that are not an image, or an image that is damaged.
    case invalidImage
    /// An image in a format that this build cannot decode.
    case unsupportedImageFormat
    /// An encrypted document, without its password or with a wrong one.
    case passwordRequired
    /// A Swift type whose schema cannot be derived.
    case unsupportedType
    /// A JSON Schema, regular expression or grammar that is malformed.
    case invalidSchema
    /// A JSON Schema, regular expression or grammar that uses what Fovea cannot enforce.
    case unsupportedSchema
    /// A chat template that is malformed, uses what Fovea does not support, or refuses the messages.
    case invalidTemplate
    /// A file that is not a model, or a damaged model.
    case invalidModel
    /// A projector that is missing, damaged, or of another model.
    case invalidProjector
    /// A model that cannot do what was asked, for example see images.
    case unsupportedByModel
    /// Not enough memory for the model or its context.
    case insufficientMemory
    /// A prompt that does not fit the model's context.
    case promptTooLong
    /// The token limit, or the context, is too small for an answer; ``FoveaError/partialText`` holds
    /// what was written, if anything was.
    case tokenLimitReached
    /// A schema, pattern or grammar that would take more time or memory than Fovea spends on one.
    case schemaTooComplex
    /// The native engine failed while it evaluated tokens.
    case engineFailed
    /// The model wrote something that does not decode as the requested type.
    case decodingFailed
    /// The task was cancelled.
    case cancelled
  }

  /// What kind of failure it is.
  public let code: Code
  /// One sentence: what failed, and with which input.
  public let message: String
  /// One sentence: what the reader can do about it.
  public let fix: String?
  /// The native library's or the system's own words.
  public let cause: String?
  /// What the model had written before the failure, for ``Code/tokenLimitReached`` and
  /// ``Code/decodingFailed``.
  public let partialText: String?
  /// How much memory is missing, for ``Code/insufficientMemory`` found before anything was loaded.
  public let memory: MemoryShortage?

  /// Memory that something takes and that there is.
  public struct MemoryShortage: Sendable, Hashable {
    /// Bytes that are needed.
    public let needed: Int
    /// Bytes that are free.
    public let free: Int

    /// Makes a shortage.
    public init(needed: Int, free: Int) {
      self.needed = needed
      self.free = free
    }
  }

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, fix: String? = nil, cause: String? = nil,
    partialText: String? = nil, memory: MemoryShortage? = nil
  ) {
    self.code = code
    self.message = message
    self.fix = fix
    self.cause = cause
    self.partialText = partialText
    self.memory = memory
  }
}

extension FoveaError {
  /// The same error with the text that was written before it, unless it has some already.
  package func withPartialText(_ text: String) -> FoveaError {
    guard partialText == nil, !text.isEmpty else { return self }
    return FoveaError(code, message, fix: fix, cause: cause, partialText: text, memory: memory)
  }
}

extension FoveaError: CustomStringConvertible {
  /// The message, its cause and its fix in one line.
  public var description: String {
    var text = message
    if let cause, !cause.isEmpty { text += " (\(cause))" }
    if let fix { text += "; \(fix)" }
    return text
  }
}
