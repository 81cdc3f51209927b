/// The numbers that a context's keys and values are kept in.
public enum CacheType: String, Sendable, Hashable, CaseIterable {
  /// 16 bits each: what models are evaluated with.
  case f16
  /// 8.5 bits each: about half the memory for nearly the same text. Needs flash attention.
  case q8_0

  /// Bytes a number; `q8_0` has one scale of 16 bits for 32 numbers.
  var bytesPerNumber: Double {
    switch self {
    case .f16: 2
    case .q8_0: 34.0 / 32
    }
  }
}
