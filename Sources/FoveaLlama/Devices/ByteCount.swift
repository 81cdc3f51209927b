/// Numbers of bytes as people read them.
package enum ByteCount {
  /// `912 kB`, `98.1 MB`, `5.1 GB`: with powers of 1,000, the same in every country.
  package static func text(_ bytes: Int) -> String {
    switch bytes {
    case ..<1_000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1_000) kB"
    case ..<999_950_000: "\(decimal(bytes, of: 1_000_000)) MB"
    default: "\(decimal(bytes, of: 1_000_000_000)) GB"
    }
  }

  /// A number of units with one digit behind the point.
  package static func decimal(_ number: Int, of unit: Int) -> String {
    let tenths = number / unit * 10 + (number % unit * 10 + unit / 2) / unit
    return "\(tenths / 10).\(tenths % 10)"
  }
}
