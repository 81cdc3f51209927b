/// The formats of JSON Schema as patterns, each without anchors.
enum FormatPatterns {
  // MARK: Dates

  /// Days of 31, 30 and 28 days' months in any year, and 29 February in leap years.
  static let date: String = {
    let month31 = "(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    let month30 = "(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    let february = "02-(?:0[1-9]|1[0-9]|2[0-8])"
    let leapYear =
      "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
    return "(?!0000)(?:[0-9]{4}-(?:\(month31)|\(month30)|\(february))|\(leapYear)-02-29)"
  }()

  static let time =
    "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?"
    + "(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"

  static let duration: String = {
    let minutes = "[0-9]+M(?:[0-9]+S)?"
    let time = "T(?:[0-9]+H(?:\(minutes))?|\(minutes)|[0-9]+S)"
    let months = "[0-9]+M(?:[0-9]+D)?"
    let date = "(?:[0-9]+Y(?:\(months))?|\(months)|[0-9]+D)"
    return "P(?:[0-9]+W|\(date)(?:\(time))?|\(time))"
  }()

  // MARK: Internet addresses

  static let ipv4: String = {
    let number = "(?:[0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
    return "(?:\(number)\\.){3}\(number)"
  }()

  /// Eight groups, the last two perhaps as IPv4; `::` stands for at least one of them.
  static let ipv6 = addresses(leastGroupsOmitted: 1)

  /// `leastGroupsOmitted`: how many groups `::` stands for at least.
  private static func addresses(leastGroupsOmitted least: Int) -> String {
    let group = "[0-9A-Fa-f]{1,4}"
    let last = "(?:\(group):\(group)|\(ipv4))"
    var forms = ["(?:\(group):){6}\(last)"]
    for before in 0...8 - least {
      let head = before == 0 ? "::" : "\(group)(?::\(group)){\(before - 1)}::"
      let after = 8 - least - before
      // Up to so many groups behind, of which an IPv4 address is two.
      if after == 0 { forms.append(head) }
      if after > 0 { forms.append("\(head)(?:\(group)(?::\(group)){0,\(after - 1)})?") }
      if after > 1 { forms.append("\(head)(?:\(group):){0,\(after - 2)}\(ipv4)") }
    }
    return "(?:\(forms.joined(separator: "|")))"
  }

  /// An address in brackets, as mail has it; `::` stands for at least two groups there.
  static let addressLiteral = "\\[(?:\(ipv4)|IPv6:\(addresses(leastGroupsOmitted: 2)))\\]"

  private static let atom = "A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-"

  /// An RFC 5321 local part of at most 64 octets.
  static let localPart: String = {
    let plain = "(?=.{1,64}$)[\(atom)]+(?:\\.[\(atom)]+)*"
    let quoted = "[ !#-\\[\\]-~]"
    return "\(plain)|\"(?:\(quoted){1,62}|(?:\(quoted)|\\\\[ -~]){1,31})\""
  }()

  /// At most 16 characters of at most 4 octets.
  static let internationalLocalPart =
    "(?=.{1,16}$)[\(atom)\\u{80}-\\u{10FFFF}]+(?:\\.[\(atom)\\u{80}-\\u{10FFFF}]+)*"

  /// Letters that IDNA 2008 allows everywhere in a label: PVALID, no combining marks, no rules of
  /// context, stable under normalization, written from left to right.
  private static let letters =
    "\\u{DF}-\\u{F6}\\u{F8}-\\u{FF}\\u{3B1}-\\u{3C9}\\u{430}-\\u{44F}"
    + "\\u{3041}-\\u{3096}\\u{30A1}-\\u{30FA}\\u{4E00}-\\u{9FA5}\\u{AC00}-\\u{D7A3}"

  /// A label of eight letters is at most 60 octets of Punycode: `xn--` and, for each code point, at
  /// most seven digits.
  private static let internationalLabel =
    "(?:[a-z0-9\(letters)]{1,8}|(?!..--)[A-Za-z0-9](?:[A-Za-z0-9-]{0,18}[A-Za-z0-9])?)"

  /// Names of so many labels; each has at most 60 octets in ASCII form.
  static func internationalHostname(labels: Int) -> String {
    "(?:\(internationalLabel)\\.){0,\(labels - 1)}(?![0-9]+$)\(internationalLabel)"
  }

  // MARK: Identifiers

  /// The two kinds of identifiers in RFC 3986, or in RFC 3987.
  struct Identifiers {
    /// With a scheme.
    let absolute: String
    /// With a scheme or relative to something.
    let reference: String

    /// `more` are characters allowed like letters, `private` some that a query may have too.
    init(more: String, private: String) {
      let unreserved = "A-Za-z0-9._~\(more)\\-"
      let delimiters = "!$&'()*+,;="
      let percent = "%[0-9A-Fa-f]{2}"
      let character = "(?:[\(unreserved)\(delimiters):@]|\(percent))"
      let withoutColon = "(?:[\(unreserved)\(delimiters)@]|\(percent))"
      let future = "[Vv][0-9A-Fa-f]+\\.[A-Za-z0-9._~\(delimiters):-]+"
      let name = "(?:[\(unreserved)\(delimiters)]|\(percent))*"
      let host = "(?:\\[(?:\(ipv6)|\(future))\\]|\(name))"
      let user = "(?:(?:[\(unreserved)\(delimiters):]|\(percent))*@)?"
      let authority = "//\(user)\(host)(?::[0-9]*)?"
      let more = "(?:/\(character)*)*"
      let absolute = "/(?:\(character)+\(more))?"
      let query = "(?:\\?(?:[\(unreserved)\(delimiters):@/?\(`private`)]|\(percent))*)?"
      let fragment = "(?:#(?:[\(unreserved)\(delimiters):@/?]|\(percent))*)?"
      let end = "\(query)\(fragment)"
      self.absolute =
        "[A-Za-z][A-Za-z0-9+.-]*:"
        + "(?:\(authority)\(more)|\(absolute)|\(character)+\(more))?\(end)"
      let relative = "(?:\(authority)\(more)|\(absolute)|\(withoutColon)+\(more))?\(end)"
      reference = "\(self.absolute)|\(relative)"
    }
  }

  static let uri = Identifiers(more: "", private: "")
  static let iri = Identifiers(more: international, private: privateUse)

  private static let international: String = {
    let planes = (1...14).map { plane in
      let start = plane * 0x10000 + (plane == 14 ? 0x1000 : 0)
      return "\\u{\(String(start, radix: 16))}-\\u{\(String(plane * 0x10000 + 0xFFFD, radix: 16))}"
    }
    return "\\u{A0}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFEF}" + planes.joined()
  }()
  private static let privateUse =
    "\\u{E000}-\\u{F8FF}\\u{F0000}-\\u{FFFFD}\\u{100000}-\\u{10FFFD}"

  static let uriTemplate: String = {
    let percent = "%[0-9A-Fa-f]{2}"
    let literal =
      "(?:[!#$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z~\(international)\(privateUse)-]|\(percent))"
    let character = "(?:[A-Za-z0-9_]|\(percent))"
    let variable = "\(character)(?:\\.?\(character))*(?::[1-9][0-9]{0,3}|\\*)?"
    return "(?:\(literal)|\\{[+#./;?&]?\(variable)(?:,\(variable))*\\})*"
  }()

  // MARK: Texts of programs

  static let jsonPointer = "(?:/(?:[^~/]|~[01])*)*"

  static let regex: String = {
    let escape = "\\\\[dDwWsStnrvf^$\\\\.*+?()\\[\\]{}|/]"
    let member = "(?:[A-Za-z0-9 _.,:;@#%&=+*/!?'\"$<>~`|(){}]|a-z|A-Z|0-9|\(escape)|\\\\-)"
    let set = "\\[\\^?\(member)+\\]"
    let plain = "[A-Za-z0-9 _,:;@#%&='\"<>~`!-]"
    let repeated = "(?:[*+?]|\\{[0-9]{1,3},?\\})"
    func alternatives(_ atoms: [String]) -> String {
      let term = "(?:(?:\(atoms.joined(separator: "|")))(?:\(repeated)\\??)?|[$^]|\\\\[bB])"
      return "\(term)*(?:\\|\(term)*)*"
    }
    let atoms = [plain, "\\.", escape, set]
    let inner = "\\((?:\\?:)?\(alternatives(atoms))\\)"
    let outer = "\\((?:\\?:)?\(alternatives(atoms + [inner]))\\)"
    return alternatives(atoms + [outer])
  }()
}
