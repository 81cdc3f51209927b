extension String {
  /// The text as one step of a JSON pointer.
  var escapedForPointer: String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
      return self
    }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "~": text += "~0"
      case "/": text += "~1"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
