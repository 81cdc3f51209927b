internal import Fovea
internal import FoveaTestSupport

/// Where Fovea deliberately says something else than a corpus, and why. What stands here is counted
/// apart: a value that is rejected for any other reason is not documented.
struct Restriction {
  /// The beginning of the corpus's name.
  let corpus: String
  /// What the entry's name, a colon and the value's description contain.
  let place: String
  /// The reason.
  let why: String

  static let all = [
    Restriction(
      corpus: "suite/", place: "only an annotation by default",
      why: "formats are enforced, also in dialects that make them annotations"),
    Restriction(
      corpus: "suite/draft4/optional", place: "zeroTerminatedFloats",
      why: "1.0 counts as whole in every dialect, and the grammar never writes it"),
    Restriction(
      corpus: "suite/", place: "bignum.json",
      why: "numbers have at most 38 digits before the point"),
    Restriction(
      corpus: "suite/", place: "leap second",
      why: "a minute has the seconds 0 to 59: Foundation reads no others"),
    Restriction(
      corpus: "suite/", place: "case-insensitive",
      why: "dates and times have one spelling: T and Z are capitals"),
    Restriction(
      corpus: "suite/", place: "second fraction of fifteen nines",
      why: "a fraction of a second has at most 9 digits"),
    Restriction(
      corpus: "suite/", place: "float-overflow.json",
      why: "numbers have at most 38 digits before the point"),
    Restriction(
      corpus: "suite/", place: "format/ecmascript-regex.json",
      why: "a regex is one that Fovea reads itself, without named groups and look-behind"),
    Restriction(
      corpus: "suite/", place: "format/regex.json",
      why: "a regex is one that Fovea reads itself, without named groups and look-behind"),
    Restriction(
      corpus: "suite/", place: "A-label (punycode)",
      why: "Punycode is valid or not by what it decodes to, so it is left out"),
    Restriction(
      corpus: "suite/draft4/optional", place: "format/hostname.json",
      why: "Punycode, and two hyphens where Punycode has them, are left out"),
    Restriction(
      corpus: "suite/", place: "format/idn-hostname.json",
      why: "letters that are valid only beside certain others, Punycode, and other full stops"),
    Restriction(
      corpus: "suite/", place: "format/idn-email.json",
      why: "quoted local parts are ASCII, and domains are composed characters"),
    Restriction(
      corpus: "suite/", place: "custom metaschema with with no validation vocabulary",
      why: "keywords restrict whatever the metaschema says"),
  ]

  static let numberSpelling = "a number has one spelling: no exponent, no needless zero, no -0"

  /// The documented reason to judge a value other than the corpus does; nil where there is none.
  static func reason(
    _ corpus: Corpus, _ entry: Corpus.Entry, _ instance: Corpus.Instance
  ) -> String? {
    let place = "\(entry.name): \(instance.description)"
    return all.first { corpus.name.hasPrefix($0.corpus) && place.contains($0.place) }?.why
  }
}
