package import Fovea

/// The sizes an image goes through on its way to a model: shrunk to `width` x `height`, then
/// placed at the top left of a white canvas of `canvasWidth` x `canvasHeight`. All in pixels, of
/// the upright image.
///
///        sourceWidth            width
///     ┌───────────────┐       ┌────────┬─┐
///     │               │       │        │ │ canvasHeight: a multiple of the alignment
///     │               │  ──▶  │        │ │
///     │               │       ├────────┘ │
///     └───────────────┘       └──────────┘ white
package struct ImageFit: Sendable, Hashable {
  /// Width of the upright image before anything is done.
  package let sourceWidth: Int
  /// Height of the upright image before anything is done.
  package let sourceHeight: Int
  /// How the image is shrunk.
  package let scaling: Scaling
  /// Width of the content after shrinking.
  package let width: Int
  /// Height of the content after shrinking.
  package let height: Int
  /// Width with the white on the right.
  package let canvasWidth: Int
  /// Height with the white below.
  package let canvasHeight: Int

  /// How an image is shrunk.
  package enum Scaling: Sendable, Hashable {
    /// It is small enough.
    case none
    /// Each block of this many pixels by as many becomes one; the image is first padded with
    /// white on the right and below, so that the last blocks are whole and nothing is cut off.
    case wholeFactor(Int)
    /// Resized with a filter.
    case filtered
  }

  /// Works out the sizes.
  ///
  /// The limits hold for the canvas, padding included: where a limit is not a multiple of the
  /// alignment, the next lower multiple counts (but at least one).
  ///
  /// - Precondition: All sizes are at least 1.
  package init(width sourceWidth: Int, height sourceHeight: Int, for want: ImageRequirements) {
    precondition(sourceWidth > 0 && sourceHeight > 0, "an image has at least one pixel")
    precondition(want.alignment > 0, "alignment is at least 1")
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    let maxWidth = ImageFit.limit(want.maxWidth, alignment: want.alignment)
    let maxHeight = ImageFit.limit(want.maxHeight, alignment: want.alignment)

    if sourceWidth <= maxWidth && sourceHeight <= maxHeight {
      scaling = .none
      (width, height) = (sourceWidth, sourceHeight)
    } else if want.shrinksByWholeFactor {
      // ceil(size / factor) <= limit exactly when factor >= size / limit.
      let factor = max(
        ImageFit.dividedUp(sourceWidth, maxWidth), ImageFit.dividedUp(sourceHeight, maxHeight))
      scaling = .wholeFactor(factor)
      width = ImageFit.dividedUp(sourceWidth, factor)
      height = ImageFit.dividedUp(sourceHeight, factor)
    } else {
      let scale = min(
        Double(maxWidth) / Double(sourceWidth), Double(maxHeight) / Double(sourceHeight))
      scaling = .filtered
      width = min(maxWidth, max(1, Int((Double(sourceWidth) * scale).rounded())))
      height = min(maxHeight, max(1, Int((Double(sourceHeight) * scale).rounded())))
    }
    canvasWidth = ImageFit.dividedUp(width, want.alignment) * want.alignment
    canvasHeight = ImageFit.dividedUp(height, want.alignment) * want.alignment
  }

  /// Whether the image is used as it is.
  package var changesNothing: Bool {
    scaling == .none && canvasWidth == sourceWidth && canvasHeight == sourceHeight
  }

  private static func limit(_ limit: Int?, alignment: Int) -> Int {
    guard let limit else { return .max }
    precondition(limit > 0, "a limit is at least 1")
    return max(limit / alignment, 1) * alignment
  }

  private static func dividedUp(_ size: Int, _ divisor: Int) -> Int {
    // Not (size + divisor - 1) / divisor: the divisor may be Int.max, which stands for no limit.
    size / divisor + (size % divisor == 0 ? 0 : 1)
  }
}
