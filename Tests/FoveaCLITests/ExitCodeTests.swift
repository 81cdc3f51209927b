import Foundation
import Fovea
import FoveaTestSupport
import Testing

@testable import FoveaCLI

/// What the program does with errors that no command line brings about.
@Suite("Exit codes")
struct ExitCodeTests {
  @Test("every kind of error has its code")
  func codes() {
    let expected: [FoveaError.Code: ExitCode] = [
      .invalidArgument: .usage,
      .fileNotReadable: .input, .fileNotWritable: .input, .invalidImage: .input,
      .unsupportedImageFormat: .input, .passwordRequired: .input,
      .unsupportedType: .input, .invalidSchema: .input, .unsupportedSchema: .input,
      .schemaTooComplex: .input,
      .invalidTemplate: .model, .invalidModel: .model, .invalidProjector: .model,
      .unsupportedByModel: .model,
      .insufficientMemory: .model,
      .promptTooLong: .generation, .tokenLimitReached: .generation, .engineFailed: .generation,
      .decodingFailed: .generation,
      .cancelled: .interrupted,
    ]
    for code in FoveaError.Code.allCases {
      #expect(ExitCode(FoveaError(code, "")) == expected[code], "\(code)")
    }
  }

  struct Unmappable: StructuredOutput {
    /// Nothing tells which cases there are.
    enum Payment: Codable, Sendable { case cash, card }
    let vendor: String
    let payment: Payment
  }

  @Test("a type that cannot be derived: one line that names type, field and fix")
  func underivableType() async throws {
    let model = LanguageModel(engine: ScriptedEngine("{}"))
    let error = await #expect(throws: FoveaError.self) {
      try await model.predict(text: "…", prompt: "Read it.", as: Unmappable.self)
    }
    let line = try #require(error).description
    #expect(error?.code == .unsupportedType)
    #expect(!line.contains("\n"))
    for text in ["Unmappable", "payment", "Payment"] { #expect(line.contains(text), "\(line)") }
    #expect(error?.fix != nil)
    #expect(error.map(ExitCode.init) == .input)
  }
}
