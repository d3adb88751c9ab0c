// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "board-follower",
  dependencies: [
    .package(name: "clipcanvas", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "board-follower",
      dependencies: [.product(name: "ClipBoards", package: "clipcanvas")]
    )
  ]
)
