/// Where a text stops being JSON, and why.
package struct JSONSyntaxError: Error, Sendable, Equatable {
  /// Line of the fault, from 1.
  package let line: Int
  /// Column of the fault in Unicode code points, from 1.
  package let column: Int
  /// What was wrong or missing there.
  package let reason: String

  /// Places `reason` at a byte offset of `bytes`.
  init(at offset: Int, of bytes: [UInt8], _ reason: String) {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    self.line = line
    self.column = column
    self.reason = reason
  }
}

extension JSONSyntaxError: CustomStringConvertible {
  /// For example `line 3, column 7: a colon is missing after the key`.
  package var description: String { "line \(line), column \(column): \(reason)" }
}
