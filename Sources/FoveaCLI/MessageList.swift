internal import Foundation
internal import Fovea

/// Messages of a JSON file.
struct MessageList {
  let messages: [Message]

  /// Reads `[{"role": …, "content": …}, …]`, or an object with such a list as `messages`.
  ///
  /// - Throws: `.fileNotReadable`, `.invalidArgument` with the place that is wrong.
  init(path: String) throws(FoveaError) {
    let data = try InputFile.bytes(of: path, as: "messages file")
    guard let text = String(bytes: data, encoding: .utf8) else {
      throw Self.wrong(path, "it is not UTF-8")
    }
    var value: JSONValue
    do throws(FoveaError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw Self.wrong(path, error.message)
    }
    if let list = value[name: "messages"] { value = list }
    guard case .array(let items) = value else { throw Self.wrong(path, "it holds no list") }
    var messages: [Message] = []
    for (index, item) in items.enumerated() {
      messages.append(try Self.message(item, at: "/\(index)", of: path))
    }
    self.messages = messages
  }

  private static func message(
    _ value: JSONValue, at place: String, of path: String
  ) throws(FoveaError) -> Message {
    guard case .string(let name)? = value[name: "role"], let role = Message.Role(rawValue: name)
    else {
      let names = Message.Role.allCases.map(\.rawValue).joined(separator: ", ")
      throw wrong(path, "\(place)/role is none of \(names)")
    }
    switch value[name: "content"] {
    case .string(let text)?: return Message(role, text)
    case .array(let items)?:
      var parts: [Message.Part] = []
      for (index, item) in items.enumerated() {
        parts.append(try part(item, at: "\(place)/content/\(index)", of: path))
      }
      return Message(role, parts)
    default: throw wrong(path, "\(place)/content is neither a text nor a list of parts")
    }
  }

  private static func part(
    _ value: JSONValue, at place: String, of path: String
  ) throws(FoveaError) -> Message.Part {
    if case .string(let text)? = value[name: "text"] { return .text(text) }
    if value[name: "type"] == .string("image") {
      // Only its place in the prompt counts here.
      return .image(PixelImage(width: 1, height: 1, rgb: [0, 0, 0]))
    }
    throw wrong(path, "\(place) is neither a text nor an image")
  }

  private static func wrong(_ path: String, _ cause: String) -> FoveaError {
    FoveaError(
      .invalidArgument, "the messages in '\(path)' cannot be read",
      fix: #"write a list such as [{"role": "user", "content": "Hello"}]"#, cause: cause)
  }
}
