internal import Foundation

/// A number for bytes that is the same in every process, in the manner of FNV-1a but eight bytes at a
/// time. It tells damage and difference, not malice.
struct StableHash {
  private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func combine(_ data: Data) {
    data.withUnsafeBytes { bytes in
      let words = bytes.count / 8
      for index in 0..<words {
        combine(
          UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)))
      }
      var rest: UInt64 = 0
      for byte in bytes[(8 * words)...] { rest = rest << 8 | UInt64(byte) }
      combine(rest)
    }
    combine(UInt64(data.count))
  }

  private mutating func combine(_ word: UInt64) {
    value = (value ^ word) &* 0x0000_0100_0000_01B3
    value ^= value >> 29
  }
}
