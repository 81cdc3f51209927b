/// What a GGUF file's table says about a tensor.
struct TensorEntry {
  var name: String
  /// Its lengths, the one of neighbours in memory first; 1 where it has fewer than 4.
  var shape: [Int]
  /// The name of its numbers' type in GGUF, such as "f16".
  var typeName: String
  /// Whether it can be a matrix of weights.
  var canBeMultiplied: Bool
  /// Where it ends in the file.
  var end: UInt64
}
