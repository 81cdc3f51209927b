// swift-tools-version: 6.2
import PackageDescription

// One place for the language rules that every target keeps.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "fovea",
  platforms: [.macOS("13.3"), .iOS("16.4"), .visionOS(.v1)],
  products: [
    .library(name: "Fovea", targets: ["Fovea", "FoveaImages", "FoveaLlama"]),
    .executable(name: "fovea", targets: ["FoveaCLI"]),
    .executable(name: "fovea-soak", targets: ["FoveaSoak"]),
    .executable(name: "fovea-conformance", targets: ["FoveaConformance"]),
    .executable(name: "fovea-fuzz", targets: ["FoveaFuzz"]),
    .executable(name: "fovea-vocabulary", targets: ["FoveaVocabulary"]),
    .executable(name: "fovea-templates", targets: ["FoveaTemplates"]),
    .executable(name: "fovea-worker", targets: ["FoveaWorker"]),
    .executable(name: "read-receipt", targets: ["ReadReceipt"]),
    .executable(name: "stream-receipt", targets: ["StreamReceipt"]),
  ],
  targets: [
    // llama.cpp with mtmd, built once by scripts/setup (or found on the system). The pkg-config
    // files "fovea-…" are written by it too; the Makefile sets PKG_CONFIG_PATH.
    .systemLibrary(name: "CLlama", path: "Sources/CLlama", pkgConfig: "fovea-llama"),
    // The one C++ file: exceptions of llama.cpp become error codes.
    .target(name: "CLlamaShim", dependencies: ["CLlama"]),
    .systemLibrary(
      name: "CVips", path: "Sources/CVips", pkgConfig: "fovea-vips",
      providers: [.apt(["libvips-dev"]), .brew(["vips"])]),

    .target(name: "Fovea", swiftSettings: settings),
    .target(
      name: "FoveaLlama", dependencies: ["Fovea", "CLlama", "CLlamaShim"], swiftSettings: settings),
    .target(
      name: "FoveaImages",
      dependencies: ["Fovea", .target(name: "CVips", condition: .when(platforms: [.linux]))],
      swiftSettings: settings),
    .executableTarget(
      name: "FoveaCLI", dependencies: ["Fovea", "FoveaImages", "FoveaLlama"],
      swiftSettings: settings),

    // Built and run by the tests; README.md shows the first.
    .executableTarget(
      name: "ReadReceipt", dependencies: ["Fovea", "FoveaImages", "FoveaLlama"],
      path: "Examples/ReadReceipt", swiftSettings: settings),
    .executableTarget(
      name: "StreamReceipt", dependencies: ["Fovea", "FoveaImages", "FoveaLlama"],
      path: "Examples/StreamReceipt", swiftSettings: settings),

    .target(
      name: "FoveaTestSupport", dependencies: ["Fovea"], path: "Tests/FoveaTestSupport",
      swiftSettings: settings),
    .executableTarget(
      name: "FoveaSoak", dependencies: ["Fovea", "FoveaImages", "FoveaLlama", "FoveaTestSupport"],
      path: "Tests/FoveaSoak", swiftSettings: settings),
    .executableTarget(
      name: "FoveaWorker", dependencies: ["Fovea", "FoveaImages", "FoveaLlama"],
      path: "Tests/EngineWorker", swiftSettings: settings),
    .executableTarget(
      name: "FoveaConformance", dependencies: ["Fovea", "FoveaTestSupport"],
      path: "Tests/Conformance",
      exclude: ["faults.jsonl", "ratchet.txt", "requirements.txt", "maskbench.ids"],
      swiftSettings: settings),
    .executableTarget(
      name: "FoveaFuzz", dependencies: ["Fovea", "FoveaTestSupport"], path: "Tests/Fuzz",
      swiftSettings: settings),
    .executableTarget(
      name: "FoveaVocabulary", dependencies: ["Fovea", "FoveaLlama", "FoveaTestSupport"],
      path: "Tests/Vocabulary", swiftSettings: settings),
    .executableTarget(
      name: "FoveaTemplates", dependencies: ["Fovea"], path: "Tests/Templates",
      exclude: ["requirements.txt"], swiftSettings: settings),
    .testTarget(
      name: "FoveaTests", dependencies: ["Fovea", "FoveaTestSupport"], swiftSettings: settings),
    .testTarget(
      name: "FoveaImagesTests",
      dependencies: [
        "Fovea", "FoveaImages", "FoveaTestSupport",
        .target(name: "CVips", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "FoveaLlamaTests",
      dependencies: ["CLlama", "Fovea", "FoveaImages", "FoveaLlama", "FoveaTestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "FoveaCLITests", dependencies: ["Fovea", "FoveaCLI", "FoveaTestSupport"],
      swiftSettings: settings),
  ],
  cxxLanguageStandard: .cxx17
)
