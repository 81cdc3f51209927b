internal import Foundation

/// The numbers that must not be exceeded; `thresholds.json` holds them.
struct Thresholds: Decodable {
  struct Allocations: Decodable {
    let perWarmMask: Double
    let perWarmAccept: Double
    let perWarmReset: Double
  }

  let allocations: Allocations

  init(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    self = try JSONDecoder().decode(Self.self, from: data)
  }
}
