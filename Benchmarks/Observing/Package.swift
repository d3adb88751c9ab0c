// swift-tools-version: 6.2
import PackageDescription

// The library by itself, through links to its sources: nothing is fetched, and its tests build in a minute, also with
// ThreadSanitizer. The package above would build all other tests too.
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
