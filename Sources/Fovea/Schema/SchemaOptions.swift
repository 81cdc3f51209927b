/// What to do with the parts of a JSON Schema that leave a choice.
///
/// The defaults never accept a value that the schema forbids: what cannot be enforced is refused.
/// Each other choice gives up one promise, and says so in the warnings.
///
///     var options = SchemaOptions()
///     options.unknownFormats = .annotate     // "format": "country-code" allows any text
public struct SchemaOptions: Sendable, Hashable {
  /// What to do with a `format` that is not known.
  public enum UnknownFormats: Sendable, Hashable {
    /// The schema is refused.
    case refuse
    /// It restricts nothing, as the standard allows, and is reported.
    case annotate
  }

  /// What to do with a `oneOf` whose branches overlap in a way that cannot be excluded.
  public enum OverlappingOneOf: Sendable, Hashable {
    /// The schema is refused.
    case refuse
    /// It is read as `anyOf`, and reported.
    case asAnyOf
  }

  /// What to do with `uniqueItems` where items can be lists or objects.
  public enum UniqueContainers: Sendable, Hashable {
    /// The schema is refused.
    case refuse
    /// Such items may be equal; that is reported.
    case ignoreAndReport
  }

  /// What to do with an unknown `format`.
  public var unknownFormats: UnknownFormats
  /// What to do with a `oneOf` that cannot be made exact.
  public var overlappingOneOf: OverlappingOneOf
  /// What to do with `uniqueItems` on lists of lists or objects.
  public var uniqueContainers: UniqueContainers
  /// Whether a name that is no keyword of the dialect is refused instead of reported. Names that
  /// begin with `x-` are annotations in either case.
  public var isStrict: Bool

  /// Makes options; every one has the safe choice as its default.
  public init(
    unknownFormats: UnknownFormats = .refuse, overlappingOneOf: OverlappingOneOf = .refuse,
    uniqueContainers: UniqueContainers = .refuse, isStrict: Bool = false
  ) {
    self.unknownFormats = unknownFormats
    self.overlappingOneOf = overlappingOneOf
    self.uniqueContainers = uniqueContainers
    self.isStrict = isStrict
  }
}
