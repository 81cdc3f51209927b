import Foundation
import FoveaTestSupport
import Testing

/// The programs of `Examples` are what the documentation shows; they must work as shown.
@Suite("Examples")
struct ExampleTests {
  @Test("the README's program prints the receipt")
  func readReceipt() throws {
    let lines = try run("read-receipt").split(separator: "\n")
    #expect(lines == ["IWOZUPO FUOIXTA, 2023-11-04: 30.72", "  6 x NEW OM 27.93"])
  }

  @Test("the streaming program prints values that grow")
  func streamReceipt() throws {
    let lines = try run("stream-receipt").split(separator: "\n")
    #expect(lines.count > 5)
    #expect(lines.first == "{}")
    #expect(lines.last?.contains("tokens") == true)
    #expect(lines.dropLast().last == "{\"vendor\":\"EYU BUTETUUR\",\"date\":\"2019-09-14\"}")
  }

  private func run(_ name: String) throws -> String {
    let program = URL(fileURLWithPath: try Program.path()).deletingLastPathComponent()
      .appendingPathComponent(name)
    try #require(
      FileManager.default.isExecutableFile(atPath: program.path),
      "\(name) is not built: run the tests with `make test`")
    let process = Process()
    process.executableURL = program
    process.currentDirectoryURL = Material.root
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }
}
