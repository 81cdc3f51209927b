extension Grammar {
  /// An instance of the least number of bytes, as far as ``shortestLength`` is exact: where keys
  /// are invented to make up a number of them, it is not longer than that. Where several bytes do,
  /// letters come before digits and digits before signs.
  package func shortestInstance() -> [UInt8] {
    var writer = InstanceWriter(self)
    writer.close()
    return writer.text
  }

  /// An instance made by chance: a walk through the grammar's bytes.
  ///
  ///     var generator = SystemRandomNumberGenerator()
  ///     let text = grammar.randomInstance(using: &generator)     // {"name":"oq dvk","age":41}
  ///
  /// It is meant to be read: free texts are words of ASCII letters, declared keys come before
  /// invented ones. So it does not reach all instances.
  ///
  /// - Parameter patience: After this many bytes the walk takes the shortest way to the end.
  package func randomInstance(
    patience: Int = 160, using generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    var writer = InstanceWriter(self)
    while writer.text.count < patience, writer.append(using: &generator) {}
    writer.close()
    return writer.text
  }
}
