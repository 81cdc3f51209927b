/// Why a template cannot be read or run, before it is known where.
struct TemplateFailure: Error {
  /// What kind of failure it is.
  enum Kind {
    /// The template is malformed, or does what its language does not allow.
    case invalid
    /// The template uses a part of the language that Fovea does not have.
    case unsupported
    /// The template itself refuses the messages: `raise_exception`.
    case refused
    /// The run takes too long or writes too much.
    case tooLong
  }

  var kind = Kind.invalid
  var message: String
  /// Where in the source, in code points, when that is known.
  var offset: Int?

  init(_ message: String, _ kind: Kind = .invalid, at offset: Int? = nil) {
    self.message = message
    self.kind = kind
    self.offset = offset
  }
}
