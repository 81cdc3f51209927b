extension Schema.StringRule {
  /// Whether no text is long, or short, enough for the format.
  var isEmpty: Bool {
    if let maxLength, maxLength < minLength { return true }
    let shortest =
      switch format {
      case nil, .duration, .uri, .email, .hostname, .base64: 0
      case .date: "2026-11-30".count
      case .time: "09:41:00Z".count
      case .dateTime: "2026-11-30T09:41:00Z".count
      case .uuid: 36
      case .ipv4: "1.1.1.1".count
      case .ipv6: "::".count
      }
    if let maxLength, maxLength < shortest { return true }
    // Fractions of seconds make a time as long as one likes.
    return (format == .date || format == .uuid) && minLength > shortest
  }
}
