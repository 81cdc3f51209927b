import Foundation
import Fovea
import FoveaImages
import Testing

@Suite("Many images", .serialized) struct SharedUseTests {
  @Test func manyThreadsAtOnceEachGetTheirOwn() async throws {
    let pictures = (1...8).map { PixelImage.asymmetric(width: 20 + $0, height: 30 - $0) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for picture in pictures {
        group.addTask { () throws in
          for round in 0..<20 {
            let image = try pixels(picture.png(orientation: 1))
            #expect(image == picture)
            // A failure here must not reach a neighbour's message.
            let broken = ImageInput.data(Array(picture.png().prefix(60)), name: "broken \(round)")
            let error = #expect(throws: FoveaError.self) { try broken.load(ImageRequirements()) }
            #expect(error?.message.contains("broken \(round)") == true)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// In a process of its own, where no other test takes memory; on systems that tell a process
  /// its memory (Linux).
  @Test(.enabled(if: Memory.residentKilobytes != nil, "needs /proc"))
  func memoryDoesNotGrowWithTheNumberOfImages() async {
    await #expect(processExitsWith: .success) {
      let picture = PixelImage.asymmetric(width: 640, height: 480)
      let files = [
        picture.png(orientation: 6), picture.tiff(orientation: 3), SmallFiles.jpeg,
        SmallFiles.webp, SmallFiles.heic, Array(picture.png().prefix(5000)),
      ]
      let want = ImageRequirements(alignment: 28, maxWidth: 300, maxHeight: 300)
      func round() {
        for file in files {
          do { _ = try pixels(file, want) } catch { #expect(error is FoveaError) }
        }
      }
      for _ in 0..<10 { round() }
      let before = try #require(Memory.residentKilobytes)
      for _ in 0..<35 { round() }
      let after = try #require(Memory.residentKilobytes)
      // 210 images of 0.9 MB; one that leaked in each round would be 32 MB. The address sanitizer
      // holds freed memory back, hence not less.
      #expect(after - before < 20_000, "grew from \(before) to \(after) kB")
    }
  }
}
