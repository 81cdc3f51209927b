/// An image, or any other medium, in a template's run: one character, which no text can spell.
///
///     bit    31         30     29…21   20…0
///     unit │ untrusted │ media │   0   │ scalar; of a medium its place in plane 15 │
extension TemplateText {
  /// The bits of the scalar.
  static let valueMask: UInt32 = 0x1F_FFFF
  private static let mediaBit: UInt32 = 1 << 30
  /// Plane 15 is for private use: filters leave its characters as they are.
  private static let firstMedium: UInt32 = 0xF0000
  private static let mediaCount: UInt32 = 0xFFFE

  /// The character of a medium, by its place in the conversation.
  static func media(_ index: Int) -> UInt32 {
    mediaBit | firstMedium + UInt32(clamping: index) % mediaCount
  }

  /// The place of the medium that a character stands for.
  static func mediaIndex(_ unit: UInt32) -> Int? {
    unit & mediaBit == 0 ? nil : Int(unit & valueMask) - Int(firstMedium)
  }
}
