/// The classes of the bytes that ranges do not tell apart, in ascending order.
///
///     ranges   a-f  d-z      class   0 │ 1   │ 2   │ 3   │ 4
///                            bytes   … │ a-c │ d-f │ g-z │ …
struct ByteClasses {
  /// The class of each byte.
  private(set) var classes = [UInt8](repeating: 0, count: 256)
  /// How many classes there are.
  private(set) var count: Int

  /// Finds the classes of some ranges.
  init(_ ranges: some Sequence<ClosedRange<UInt8>>) {
    var cuts = [Bool](repeating: false, count: 257)
    for range in ranges {
      cuts[Int(range.lowerBound)] = true
      cuts[Int(range.upperBound) + 1] = true
    }
    var current = 0
    for byte in 1..<256 {
      if cuts[byte] { current += 1 }
      classes[byte] = UInt8(current)
    }
    count = current + 1
  }
}
