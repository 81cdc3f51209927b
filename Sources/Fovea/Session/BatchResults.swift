/// The results of a batch, in the order of its inputs;
/// ``LanguageModel/predict(images:prompt:as:options:inFlight:)`` makes one.
///
///     for await result in model.predict(images: pictures, prompt: "…", as: Receipt.self) {
///       switch result {
///       case .success(let receipt): save(receipt)
///       case .failure(let error): report(error)
///       }
///     }
///
/// - **One result for each input.** An input that fails takes nothing from the others. What would
///   fail for every input (the type, the schema, the limit of tokens, pictures for a model that
///   cannot see) is told once, as the first result and the last.
/// - **Bounded.** Inputs are read, and results made, only as far ahead of the loop as `inFlight`
///   says, so a batch may have any number of inputs, and a slow loop holds the model up.
/// - **Cancelling.** Leaving the loop stops what runs. When the task of the loop is cancelled, what
///   was finished still comes in order; the first input that was not is `.failure` with the code
///   ``FoveaError/Code/cancelled``, and nothing comes after it. A loop that ends without that
///   failure has seen the results of all inputs.
///
/// Nothing runs before the loop asks for the first result. Each loop over the same results
/// evaluates all inputs anew.
public struct BatchResults<Success: Sendable>: AsyncSequence, Sendable {
  /// A value, or why there is none.
  public typealias Element = Result<Success, FoveaError>
  /// The sequence itself does not fail.
  public typealias Failure = Never

  fileprivate typealias Window = TaskWindow<Outcome>

  /// A result; what `evaluate` threw ends the batch.
  fileprivate enum Outcome: Sendable {
    case result(Element)
    case end(FoveaError)
  }

  private let makeWindow: @Sendable () -> Window

  /// Makes the results of `evaluate`. It returns what became of an input, and throws what concerns
  /// all inputs. `inFlight` is at least 1.
  package init<Input: Sendable>(
    of inputs: some Sequence<Input> & Sendable, inFlight: Int,
    evaluate: @escaping @Sendable (Input) async throws(FoveaError) -> Element
  ) {
    makeWindow = {
      Window(size: Swift.max(1, inFlight)) {
        var rest = inputs.makeIterator()
        return {
          guard let input = rest.next() else { return nil }
          return Task {
            do throws(FoveaError) {
              return .result(try await evaluate(input))
            } catch {
              return .end(error)
            }
          }
        }
      }
    }
  }

  /// Starts the batch; it runs as results are asked for.
  public func makeAsyncIterator() -> Iterator { Iterator(window: makeWindow()) }

  /// Waits for one result after the other. The tasks that run for it are cancelled with the last copy.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    private let window: Window

    fileprivate init(window: Window) { self.window = window }

    /// The result of the next input; nil after the last.
    public mutating func next() async -> Element? {
      switch await window.next() {
      case nil: return nil
      case .result(.success(let value)): return .success(value)
      case .result(.failure(let error)):
        if error.code == .cancelled { await window.end() }
        return .failure(error)
      case .end(let error):
        await window.end()
        return .failure(error)
      }
    }
  }
}
