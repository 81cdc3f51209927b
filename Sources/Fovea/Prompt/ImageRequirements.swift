/// How a model wants its images, read from its projector file.
public struct ImageRequirements: Sendable, Hashable {
  /// Sides are padded with white to multiples of this many pixels; 1: no padding.
  public var alignment: Int
  /// A wider image is shrunk; nil: no limit.
  public var maxWidth: Int?
  /// A taller image is shrunk; nil: no limit.
  public var maxHeight: Int?
  /// An image is shrunk by a whole factor only, by averaging areas, so that a fixed pixel grid
  /// survives.
  public var shrinksByWholeFactor: Bool

  /// Makes requirements; by default none.
  public init(
    alignment: Int = 1, maxWidth: Int? = nil, maxHeight: Int? = nil,
    shrinksByWholeFactor: Bool = false
  ) {
    self.alignment = alignment
    self.maxWidth = maxWidth
    self.maxHeight = maxHeight
    self.shrinksByWholeFactor = shrinksByWholeFactor
  }
}
