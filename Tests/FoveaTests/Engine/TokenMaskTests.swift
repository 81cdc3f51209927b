import Testing

@testable import Fovea

@Suite("Token mask")
struct TokenMaskTests {
  @Test func holdsExactlyWhatWasInserted() {
    for count in [1, 63, 64, 65, 200] {
      var mask = TokenMask(count: count)
      let chosen = stride(from: 0, to: count, by: 3).map(TokenID.init)
      for token in chosen { mask.insert(token) }
      #expect(mask.tokens == chosen)
      #expect(mask.count == chosen.count)
      for token in 0..<TokenID(count) { #expect(mask.contains(token) == (token % 3 == 0)) }
    }
  }
}
