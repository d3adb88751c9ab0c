// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "upload-server",
  dependencies: [
    .package(name: "clipcanvas", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "upload-server",
      dependencies: [
        .product(name: "ClipCovers", package: "clipcanvas"),
        // The program that decodes. SwiftPM builds it beside this one, where ClipCovers finds it.
        .product(name: "clipcanvas-decoder", package: "clipcanvas"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]
    )
  ]
)
