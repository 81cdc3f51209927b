/// The last answers about images, to guess from when the same images come again.
struct AnswerCache {
  private static let mostAnswers = 8
  private static let longestAnswer = 1 << 16

  private var entries: [(images: [String], answer: [UInt8])] = []

  /// The last answer about exactly these images; nil: there is none, or there are no images.
  func find(_ images: [String]) -> [UInt8]? {
    images.isEmpty ? nil : entries.last { $0.images == images }?.answer
  }

  /// Keeps an answer.
  mutating func insert(_ answer: [UInt8], for images: [String]) {
    guard !images.isEmpty, answer.count <= Self.longestAnswer else { return }
    entries.removeAll { $0.images == images }
    entries.append((images, answer))
    if entries.count > Self.mostAnswers { entries.removeFirst() }
  }
}
