extension TextLanguage {
  /// The strings of a JSON Schema format; nil for a name that is not known.
  ///
  /// A language never has a text that the format's standard forbids. Where it leaves out texts
  /// that are valid, the list says which:
  ///
  /// - `date`: RFC 3339 full-date, only days that exist; without the year 0000.
  /// - `time`, `date-time`: RFC 3339; without leap seconds, fractions of more than nine digits,
  ///   and `t` and `z` in lower case, all of which Swift's decoders refuse.
  /// - `duration`: RFC 3339 appendix A; all.
  /// - `email`: an RFC 5321 mailbox; its local part has at most 64 octets, its domain is one of
  ///   `hostname` whose sum is at most 128, so that the whole fits into 254. Without empty quoted
  ///   local parts, quoted ones with escapes and more than 31 characters, and address
  ///   literals other than IPv4 and IPv6.
  /// - `idn-email`: like `email`, and with the domains of `idn-hostname` of up to three labels; an unquoted local part of
  ///   at most 16 characters may have some beyond ASCII.
  /// - `hostname`: RFC 1123; each label, of at most 63 octets, is rounded up with its dot to a
  ///   multiple of 16 octets, and the sum is at most 240 (all names of up to fifteen labels of up
  ///   to fifteen octets, for example). Without labels that have `--` at their third place, such
  ///   as Punycode, whose validity depends on what it decodes to, and without names whose last
  ///   label is a number.
  /// - `idn-hostname`: `hostname`, and names of at most four labels, each either an ASCII label of
  ///   at most 20 octets or one to eight lower-case letters (Latin-1, Greek, Cyrillic, kana, Han,
  ///   Hangul, ASCII) and digits.
  /// - `ipv4`: four numbers without leading zeros; all. `ipv6`: RFC 4291 with embedded IPv4,
  ///   without zones; all.
  /// - `uuid`: all of RFC 4122's form, in either case.
  /// - `uri`, `uri-reference`: RFC 3986; `iri`, `iri-reference`: RFC 3987; all.
  /// - `uri-template`: RFC 6570; without the operators reserved for extensions.
  /// - `json-pointer`: RFC 6901; all. `relative-json-pointer`: the draft without index
  ///   manipulation.
  /// - `regex`: ECMA-262 with groups at most two deep; no look-around, no back-references, no
  ///   escapes of code points, in classes only the ranges `a-z`, `A-Z` and `0-9`.
  /// - `byte`, `base64`: RFC 4648 section 4, padded, with zeros for the bits that no octet has.
  /// - `binary`, `password`: every text; these names say what a text is for.
  package static func format(_ name: String) -> DFA? {
    switch name {
    case "date": date
    case "time": time
    case "date-time": dateTime
    case "duration": duration
    case "email": email
    case "idn-email": internationalEmail
    case "hostname": hostname
    case "idn-hostname": internationalHostname
    case "ipv4": ipv4
    case "ipv6": ipv6
    case "uuid": uuid
    case "uri": uri
    case "uri-reference": uriReference
    case "iri": iri
    case "iri-reference": iriReference
    case "uri-template": uriTemplate
    case "json-pointer": jsonPointer
    case "relative-json-pointer": relativeJSONPointer
    case "regex": regex
    case "byte", "base64": base64
    case "binary", "password": all
    default: nil
    }
  }

  private static let date = whole(FormatPatterns.date)
  private static let time = whole(FormatPatterns.time)
  private static let dateTime = whole("\(FormatPatterns.date)T\(FormatPatterns.time)")
  private static let duration = whole(FormatPatterns.duration)
  private static let ipv4 = whole(FormatPatterns.ipv4)
  private static let ipv6 = whole(FormatPatterns.ipv6)
  private static let uuid = whole("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
  private static let uri = whole(FormatPatterns.uri.absolute)
  private static let uriReference = whole(FormatPatterns.uri.reference)
  private static let iri = whole(FormatPatterns.iri.absolute)
  private static let iriReference = whole(FormatPatterns.iri.reference)
  private static let uriTemplate = whole(FormatPatterns.uriTemplate)
  private static let jsonPointer = whole(FormatPatterns.jsonPointer)
  private static let relativeJSONPointer = whole(
    "(?:0|[1-9][0-9]*)(?:#|\(FormatPatterns.jsonPointer))")
  private static let regex = whole(FormatPatterns.regex)
  private static let base64 = whole(
    "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?")

  private static let hostname = built { try host(units: 15) }
  private static let internationalHostname = built {
    let names = try pattern("^(?:\(FormatPatterns.internationalHostname(labels: 4)))$")
    return try host(units: 15).union(names)
  }
  private static let email = built {
    try mailbox(local: pattern("^(?:\(FormatPatterns.localPart))$"), domain: host(units: 8))
  }
  private static let internationalEmail = built {
    let locals = "\(FormatPatterns.localPart)|\(FormatPatterns.internationalLocalPart)"
    let names = try pattern("^(?:\(FormatPatterns.internationalHostname(labels: 3)))$")
    return try mailbox(
      local: pattern("^(?:\(locals))$"), domain: host(units: 8).union(names))
  }

  /// The texts that a pattern matches as a whole.
  private static func whole(_ pattern: String) -> DFA? {
    built { try self.pattern("^(?:\(pattern))$") }
  }

  /// An automaton of ours. All of them are far from the limits; a format that did not compile
  /// would be unknown, not free.
  private static func built(_ make: () throws -> DFA) -> DFA? {
    // Tests see that none is nil.
    try? make()
  }

  /// A local part, `@`, and a domain or an address. No local part can go on with `@` where it is
  /// complete, and no domain begins with `[`, so the automata are simply joined.
  private static func mailbox(local: DFA, domain: DFA) throws -> DFA {
    let address = try pattern("^\(FormatPatterns.addressLiteral)$")
    var builder = DFA.Builder()
    let first = try builder.copy(local, isAccepting: false)
    let second = try builder.copy(domain, isAccepting: true)
    let third = try builder.copy(address, isAccepting: true)
    let start = second + domain.start
    builder.connect(
      start, builder.edges[Int(start)] + builder.edges[Int(third + address.start)])
    for state in 1..<local.stateCount where local.labels[state] != 0 {
      builder.connect(first + DFA.State(state), 0x40, 0x40, to: start)
    }
    return builder.finish(start: first + local.start)
  }
}

extension DFA.Builder {
  /// Adds the states of an automaton; its state `n` becomes the result plus `n`.
  fileprivate mutating func copy(
    _ dfa: DFA, isAccepting: Bool
  ) throws(AutomatonTooLarge) -> DFA.State {
    let offset = DFA.State(labels.count) - 1
    for state in 1..<dfa.stateCount {
      var edges: [Edge] = []
      for byte in 0...255 as ClosedRange<UInt8> {
        let target = dfa.next(DFA.State(state), byte)
        if target == DFA.dead { continue }
        if let last = edges.last, last.target == target + offset, Int(last.high) + 1 == Int(byte) {
          edges[edges.count - 1].high = byte
        } else {
          edges.append(Edge(low: byte, high: byte, target: target + offset))
        }
      }
      _ = try add(label: isAccepting ? dfa.labels[state] : 0, edges)
    }
    return offset
  }
}
