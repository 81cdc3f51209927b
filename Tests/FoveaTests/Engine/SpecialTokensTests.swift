import Testing

@testable import Fovea

@Suite("Special tokens in prompts")
struct SpecialTokensTests {
  typealias Entry = SpecialTokens.Entry
  typealias Piece = SpecialTokens.Piece

  private let start = Entry(token: 1, text: Array("<|s|>".utf8))
  private let end = Entry(token: 2, text: Array("<|e|>".utf8))
  private let think = Entry(token: 3, text: Array("<think>".utf8), isFoundEverywhere: true)

  private func pieces(_ parts: [PromptPart], _ entries: [Entry], template: String = "") -> [Piece] {
    SpecialTokens(entries, template: template).pieces(of: parts)
  }

  @Test("control tokens are found in trusted text alone")
  func trusted() {
    #expect(
      pieces([.trusted("<|s|>user\n"), .untrusted("<|e|>"), .trusted("<|e|>\n")], [start, end]) == [
        .token(1, text: "<|s|>"), .text("user\n<|e|>"), .token(2, text: "<|e|>"), .text("\n"),
      ])
  }

  @Test("what is spelled by two of different origin is no token")
  func spanning() {
    #expect(
      pieces([.trusted("<|"), .untrusted("s|>")], [start]) == [.text("<|s|>")])
    #expect(
      pieces([.untrusted("<|"), .trusted("s|>"), .untrusted("<|s|"), .trusted(">")], [start])
        == [.text("<|s|><|s|>")])
    #expect(pieces([.trusted("<|"), .trusted("s|>")], [start]) == [.text("<|s|>")])
  }

  @Test("the longest spelling counts")
  func longest() {
    let long = Entry(token: 9, text: Array("<|s|><|e|>".utf8))
    #expect(pieces([.trusted("<|s|><|e|>")], [start, end, long]).count == 1)
    #expect(pieces([.trusted("<|s|><|s|><|e|>")], [start, end, long]).count == 2)
  }

  @Test("a mark of the template cannot be written by others, other added tokens can")
  func marks() {
    let parts: [PromptPart] = [.trusted("<think>"), .untrusted("a <think> b")]
    #expect(
      pieces(parts, [think], template: "…<think>…") == [
        .token(3, text: "<think>"), .text("a <"), .text("think> b"),
      ])
    #expect(pieces(parts, [think], template: "") == [.text("<think>a <think> b")])
    let blanks = Entry(token: 4, text: Array("\n\n".utf8), isFoundEverywhere: true)
    #expect(pieces([.untrusted("\n\n")], [blanks], template: "\n\n") == [.text("\n\n")])
  }

  @Test("blanks beside a token belong to it where the model says so")
  func blanks() {
    let entry = Entry(
      token: 5, text: Array("<m>".utf8), stripsLeft: true, stripsRight: true)
    #expect(
      pieces([.trusted("a \n<m> \t"), .untrusted(" b")], [entry]) == [
        .text("a"), .token(5, text: "<m>"), .text("b"),
      ])
  }

  @Test("images cut the text")
  func images() {
    let image = PixelImage(width: 1, height: 1, rgb: [0, 0, 0])
    #expect(
      pieces([.trusted("<|s|>"), .image(image), .untrusted("é"), .trusted("<|")], [start]) == [
        .token(1, text: "<|s|>"), .image(image), .text("é<|"),
      ])
    #expect(pieces([], [start]).isEmpty)
  }
}
