import Testing

@testable import Fovea

@Suite("Prompts")
struct PromptTests {
  let picture = PixelImage(width: 1, height: 1, rgb: [1, 2, 3])

  @Test("the full style tells rules and schema, the instruction style only the instruction")
  func styles() {
    let full = ExtractionPrompt.messages(
      document: .image(picture), instruction: "Total?", outline: "number",
      style: .full)
    #expect(full.map(\.role) == [.system, .user])
    guard case .text(let rules) = full[0].parts.first else {
      Issue.record("the system message has no text")
      return
    }
    #expect(rules.hasSuffix("comments:\nnumber"))
    #expect(full[1].parts == [.image(picture), .text("Total?")])

    let bare = ExtractionPrompt.messages(
      document: .image(picture), instruction: "Total?", outline: "{}", style: .instruction)
    #expect(bare == [Message(.user, [.image(picture), .text("Total?")])])
  }

  @Test("a text document stands before the instruction")
  func textDocument() {
    let messages = ExtractionPrompt.messages(
      document: .text("TOTAL 3.50"), instruction: "Total?", outline: "{}", style: .instruction)
    #expect(messages == [Message(.user, "TOTAL 3.50\n\nTotal?")])
  }
}

@Suite("Sampling options")
struct SamplingOptionsTests {
  @Test("values that no sampler can work with are refused by name")
  func refusals() throws {
    try SamplingOptions().validate()
    try SamplingOptions(temperature: 2, topK: 40, topP: 0.5, minP: 1, repeatPenalty: 1.1).validate()
    let wrong: [(SamplingOptions, String)] = [
      (SamplingOptions(temperature: -1), "temperature"),
      (SamplingOptions(temperature: .nan), "temperature"),
      (SamplingOptions(topK: -1), "topK"),
      (SamplingOptions(topP: 0), "topP"),
      (SamplingOptions(topP: 1.5), "topP"),
      (SamplingOptions(minP: -0.1), "minP"),
      (SamplingOptions(repeatPenalty: 0), "repeatPenalty"),
      (SamplingOptions(repeatWindow: -2), "repeatWindow"),
    ]
    for (options, name) in wrong {
      let error = #expect(throws: FoveaError.self) { try options.validate() }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains(name) == true)
    }
  }
}
