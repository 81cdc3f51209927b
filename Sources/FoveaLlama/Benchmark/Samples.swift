/// What several runs of one test gave.
package struct Samples: Sendable, Hashable {
  /// One value for each run, in their order; never empty.
  package let values: [Double]

  /// Takes the values of runs.
  ///
  /// - Precondition: There is at least one.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a test is run at least once")
    self.values = values
  }

  /// The average.
  package var mean: Double { values.reduce(0, +) / Double(values.count) }

  /// The standard deviation of a sample, as `llama-bench` has it; 0 for a single run.
  package var deviation: Double {
    guard values.count > 1 else { return 0 }
    let mean = mean
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(values.count - 1)).squareRoot()
  }

  /// The value in the middle: what one run that something else disturbed does not change.
  package var median: Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}
