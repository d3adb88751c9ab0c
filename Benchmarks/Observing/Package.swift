// swift-tools-version: 6.2
import PackageDescription

// A package with only this library and symbolic links to its sources. It has no dependencies to fetch, and its tests
// build in a minute, even with ThreadSanitizer; the main package would build all other tests as well.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "observing",
  targets: [
    .target(name: "KeyValueObserving", swiftSettings: swiftSettings),
    .target(name: "CAllocations"),
    .executableTarget(
      name: "observing-benchmark",
      dependencies: ["CAllocations", "KeyValueObserving"],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "KeyValueObservingTests",
      dependencies: ["KeyValueObserving"],
      swiftSettings: swiftSettings
    ),
  ]
)
