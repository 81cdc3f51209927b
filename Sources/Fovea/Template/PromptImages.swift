/// The images of a conversation on their way through a template.
///
/// There each is one character of a plane that is for private use, and counts as the template's own.
/// The same character in a message is the message's, so no text can stand for an image.
struct PromptImages {
  private var images: [PixelImage] = []
  /// For each message its parts as text.
  private(set) var texts: [[TemplateText]] = []

  private static let first: UInt32 = 0xF0000
  private static let count: UInt32 = 0xFFFE

  init(_ messages: [Message]) {
    for message in messages {
      var parts: [TemplateText] = []
      for part in message.parts {
        switch part {
        case .text(let text): parts.append(TemplateText(text, isTrusted: false))
        case .image(let image):
          parts.append(TemplateText(Self.character(images.count)))
          images.append(image)
        }
      }
      texts.append(parts)
    }
  }

  private static func character(_ index: Int) -> String {
    Unicode.Scalar(first + UInt32(clamping: index) % count).map { String($0) } ?? ""
  }

  /// The image that a character of the template stands for.
  private func image(_ scalar: Unicode.Scalar) -> PixelImage? {
    guard scalar.value >= Self.first else { return nil }
    let index = Int(scalar.value - Self.first)
    return images.indices.contains(index) ? images[index] : nil
  }

  /// What was rendered, in parts. Neighbours of one kind are one part.
  func parts(of segments: [(text: String, isTrusted: Bool)]) -> [PromptPart] {
    var parts: [PromptPart] = []
    func add(_ text: some StringProtocol, _ isTrusted: Bool) {
      switch parts.last {
      case _ where text.isEmpty: break
      case .trusted(let before)? where isTrusted: parts[parts.count - 1] = .trusted(before + text)
      case .untrusted(let before)? where !isTrusted:
        parts[parts.count - 1] = .untrusted(before + text)
      default: parts.append(isTrusted ? .trusted(String(text)) : .untrusted(String(text)))
      }
    }
    for segment in segments {
      guard segment.isTrusted, !images.isEmpty else {
        add(segment.text, segment.isTrusted)
        continue
      }
      var rest = segment.text.unicodeScalars[...]
      while let place = rest.firstIndex(where: { image($0) != nil }), let image = image(rest[place])
      {
        add(String(rest[..<place]), true)
        parts.append(.image(image))
        rest = rest[rest.index(after: place)...]
      }
      add(String(rest), true)
    }
    return parts
  }
}
