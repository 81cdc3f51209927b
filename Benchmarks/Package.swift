// swift-tools-version: 6.2
import PackageDescription

// The measured parts are `package`, and the root package needs native libraries that grammars do
// not. So `Fovea` here is a link to the library's sources, built as a target of this package: the
// same code with the same flags, without llama.cpp and libvips.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "fovea-benchmarks",
  platforms: [.macOS("13.3")],
  targets: [
    .target(name: "Fovea", path: "Fovea", swiftSettings: settings),
    // Stands between the program and the C library's malloc; Swift cannot define `malloc`.
    .target(name: "AllocationCount", path: "AllocationCount"),
    .executableTarget(
      name: "grammar-bench", dependencies: ["Fovea", "AllocationCount"], path: "GrammarBench",
      swiftSettings: settings),
  ]
)
