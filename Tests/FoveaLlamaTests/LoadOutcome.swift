import Fovea
import FoveaImages
import FoveaLlama
import FoveaTestSupport
import Testing

/// What became of a model file that may be damaged.
enum LoadOutcome {
  case works
  case refused(FoveaError)
  case failed(FoveaError)

  /// Loads a model and lets it write a little, about a picture where it has a projector.
  static func of(_ model: String, projector: String? = nil) async -> LoadOutcome {
    let loaded: LanguageModel
    do throws(FoveaError) {
      loaded = try await LanguageModel.load(
        .gguf(model, projector: projector), options: LlamaOptions(contextSize: 1_024))
    } catch {
      return .refused(error)
    }
    let options = ExtractionOptions(maxTokens: 60)
    do throws(FoveaError) {
      let schema = try Schema(jsonSchema: Self.schema)
      if projector != nil, let picture = Self.picture {
        _ = try await loaded.extract(
          image: picture, prompt: "Read it.", schema: schema, options: options)
      } else {
        _ = try await loaded.extract(
          text: "12.50", prompt: "Read it.", schema: schema, options: options)
      }
      return .works
    } catch {
      return .failed(error)
    }
  }

  private static let schema = #"{"type":"object","properties":{"total":{"type":"number"}}}"#
  private static let picture = (try? Material.pictures())?.first.map { ImageInput.file($0) }

  /// Whether a failed assertion says no more of the machine that built llama.cpp than a file's name.
  static func namesNoSource(_ error: FoveaError) -> Bool {
    guard let cause = error.cause, cause.contains("GGML_ASSERT") else { return true }
    return !cause.prefix { $0 != "(" }.contains("/")
  }

  /// What every refusal of a file must have.
  static func check(
    _ error: FoveaError, of file: String, code: FoveaError.Code, _ comment: Comment
  ) {
    #expect(error.code == code, comment)
    #expect(error.message.contains(file), comment)
    #expect(error.fix != nil, comment)
    #expect(namesNoSource(error), comment)
  }
}
