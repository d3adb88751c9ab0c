// swift-tools-version: 6.2
import PackageDescription

// The check (`make check`) sets CLIPCANVAS_STRICT so that a warning fails there and never on a user's machine,
// whose compiler may be newer and warn of more.
let isStrict = Context.environment["CLIPCANVAS_STRICT"] != nil

// `make release` sets CLIPCANVAS_STATIC where there is an archive of libdeflate, so that users need not install that.
let deflate = Context.environment["CLIPCANVAS_STATIC"] != nil ? ":libdeflate.a" : "deflate"

// The board in a browser needs a web server and the packages below it. The Makefile sets CLIPCANVAS_SERVER to build and
// test it; without that, they are neither fetched nor built, in particular for users of KeyValueObserving.
let hasServer = Context.environment["CLIPCANVAS_SERVER"] != nil

let swiftSettings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let cSettings: [CSetting] =
  [
    .define("_GNU_SOURCE"),
    // Checked calls of the C library. A flag of the whole build would also reach the headers that Swift imports; since
    // glibc 2.41 their checked calls are overloads that are ambiguous to Swift.
    .define("_FORTIFY_SOURCE", to: "3", .when(configuration: .release)),
    .enableWarning("all"),
    .enableWarning("extra"),
    .enableWarning("conversion"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

// libmd, which Swift calls through CLinux.
let messageDigest = LinkerSetting.linkedLibrary("md")

// A package that uses only KeyValueObserving turns this trait off, with `traits: []`, and fetches no other package.
let clips = "Clips"
let libraryDependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(
  name: "Subprocess",
  package: "swift-subprocess",
  condition: .when(traits: [clips])
)
let systemPackage = Target.Dependency.product(
  name: "SystemPackage",
  package: "swift-system",
  condition: .when(traits: [clips])
)

// C: mechanism only. ARCHITECTURE.md lists the imports of each target; `make lint` checks it.
let cTargets: [Target] = [
  .systemLibrary(
    name: "CFFmpeg",
    pkgConfig: "libavformat libavcodec libswscale libswresample libavutil",
    providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libswresample-dev", "libavutil-dev"])]
  ),
  .target(
    name: "CCover",
    dependencies: ["CFFmpeg"],
    cSettings: [.headerSearchPath(".")],
    linkerSettings: [.linkedLibrary("webpmux"), .linkedLibrary("webp")]
  ),
  // It opens clips with the internal functions of CCover.
  .target(
    name: "CComposer",
    dependencies: ["CCover", "CFFmpeg"],
    cSettings: [.headerSearchPath("."), .headerSearchPath("../CCover")]
  ),
  .target(name: "CPNG", linkerSettings: [.linkedLibrary("png")]),
  .target(name: "CLinux"),
  .target(name: "CShortage"),
  .target(name: "CSandbox", linkerSettings: [.linkedLibrary("seccomp")]),
  .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
  .systemLibrary(name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev", "libglib2.0-dev"])]),
  .target(name: "CTerminal", dependencies: ["CChafa"]),
  .systemLibrary(
    name: "CPango",
    pkgConfig: "pangocairo pangoft2",
    providers: [.apt(["libpango1.0-dev", "libcairo2-dev", "libfontconfig-dev"])]
  ),
  .target(name: "CText", dependencies: ["CPango"]),
  .executableTarget(
    name: "unguarded-reader",
    dependencies: ["CFFmpeg", "CSandbox"],
    path: "Tests/UnguardedReader"
  ),
  .target(
    name: "CodecWatch",
    dependencies: ["CFFmpeg"],
    path: "Tests/CodecWatch"
  ),
]

let serverDependencies: [Package.Dependency] = [
  .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
  .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]

// C for the board in a browser.
let serverCTargets: [Target] = [
  .target(name: "CCertificate", linkerSettings: [.linkedLibrary("crypto")]),
  .systemLibrary(name: "CQRCode", providers: [.apt(["libqrencode-dev"])]),
]

// The board in a browser.
let serverTargets: [Target] = [
  .target(
    name: "BoardServer",
    dependencies: [
      "BoardStore", "BoardSupport", "CanvasModel", "CCertificate", "ClipService", "Covers", "CQRCode", "Files",
      .product(name: "HTTPTypes", package: "swift-http-types"),
      .product(name: "Hummingbird", package: "hummingbird"),
      .product(name: "HummingbirdCore", package: "hummingbird"),
      .product(name: "HummingbirdTLS", package: "hummingbird"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHTTP1", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      subprocess, systemPackage,
    ],
    resources: [.embedInCode("Page")],
    linkerSettings: [.linkedLibrary("qrencode")]
  ),
  .executableTarget(name: "clipcanvas-serve", dependencies: ["BoardServer", "BoardSupport", "CShortage"]),
  .executableTarget(
    name: "hurried-server",
    dependencies: ["BoardServer", "BoardSupport", "CShortage"],
    path: "Tests/HurriedServer"
  ),
  // An example. The tests build it here, where its packages have been built for the server.
  .executableTarget(
    name: "upload-server",
    dependencies: ["ClipCovers", .product(name: "Hummingbird", package: "hummingbird")],
    path: "Examples/UploadServer/Sources/upload-server"
  ),
  .testTarget(
    name: "BoardServerTests",
    dependencies: [
      "BoardServer", "BoardStore", "CanvasModel", "clipcanvas", "clipcanvas-composer", "clipcanvas-decoder",
      "clipcanvas-serve", "Covers", "faulty-decoder", "Files", "hurried-server", "TestSupport", "TestHelpers",
      "upload-server",
      systemPackage,
    ]
  ),
]
let serverProducts: [Product] = [.executable(name: "clipcanvas-serve", targets: ["clipcanvas-serve"])]

let package = Package(
  name: "clipcanvas",
  products: [
    .executable(name: "clipcanvas", targets: ["clipcanvas"]),
    .executable(name: "clipcanvas-decoder", targets: ["clipcanvas-decoder"]),
    .executable(name: "clipcanvas-composer", targets: ["clipcanvas-composer"]),
    .executable(name: "clipcanvas-view", targets: ["clipcanvas-view"]),
    .library(name: "ClipBoards", targets: ["ClipBoards"]),
    .library(name: "ClipCovers", targets: ["ClipCovers"]),
    .library(name: "KeyValueObserving", targets: ["KeyValueObserving"]),
  ] + (hasServer ? serverProducts : []),
  traits: [
    .trait(name: clips, description: "The libraries ClipCovers and ClipBoards, and the programs"),
    .default(enabledTraits: [clips]),
  ],
  dependencies: [
    // The completion scripts of another minor version may differ from those that CompletionScript.swift changes.
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2"))
  ] + libraryDependencies + (hasServer ? serverDependencies : []),
  targets: cTargets + (hasServer ? serverCTargets + serverTargets : []) + [
    // Covers.
    .target(name: "Covers"),
    .target(name: "Pictures", dependencies: ["CPNG"]),
    .target(
      name: "Files",
      dependencies: ["CLinux", systemPackage],
      linkerSettings: [messageDigest]
    ),
    .target(name: "DecoderWire", dependencies: ["Covers", "CLinux", systemPackage]),
    .target(name: "CoverDecoding", dependencies: ["Covers", "Pictures", "CCover"]),
    .target(
      name: "WorkerProgram",
      dependencies: ["CSandbox", "CLinux", "CoverDecoding", "Covers", "DecoderWire", systemPackage]
    ),
    .target(
      name: "ComposerProgram",
      dependencies: ["CComposer", "CCover", "CoverDecoding", "Covers", "DecoderWire", "WorkerProgram", systemPackage]
    ),
    .target(
      name: "ClipService",
      dependencies: ["CDeflate", "CLinux", "Covers", "DecoderWire", "Files", subprocess, systemPackage],
      linkerSettings: [.linkedLibrary(deflate)]
    ),

    // Covers for other programs.
    .target(
      name: "ClipCovers",
      dependencies: ["ClipService", "Covers", "Files", "Pictures", systemPackage]
    ),

    // The board.
    .target(name: "CanvasModel"),
    .target(name: "BoardStore", dependencies: ["CanvasModel", "Files", systemPackage]),
    .target(
      name: "BoardSupport",
      dependencies: ["BoardStore", "CanvasModel", "ClipService", "Covers", "Files", systemPackage]
    ),

    // Boards for other programs.
    .target(name: "ClipBoards", dependencies: ["BoardStore", "CanvasModel", "Files", systemPackage]),

    // Observing, which knows nothing of canvases.
    .target(name: "KeyValueObserving"),

    // The board in the terminal.
    .target(
      name: "LiveBoard",
      dependencies: [
        "BoardStore", "BoardSupport", "CanvasModel", "ClipService", "Covers", "CShortage", "CTerminal", "Files",
        "KeyValueObserving", "Pictures", systemPackage,
      ]
    ),

    // The board and contact sheets as pictures.
    .target(
      name: "PictureDrawing",
      dependencies: [
        "BoardStore", "BoardSupport", "CanvasModel", "ClipService", "Covers", "CText", "Files", "Pictures",
        systemPackage,
      ]
    ),

    // The clips of a board as a video.
    .target(
      name: "BoardVideo",
      dependencies: [
        "BoardStore", "BoardSupport", "CanvasModel", "ClipService", "Covers", "Files", "PictureDrawing", "Pictures",
        systemPackage,
      ]
    ),

    // Programs.
    .executableTarget(name: "clipcanvas-decoder", dependencies: ["WorkerProgram"]),
    .executableTarget(name: "clipcanvas-composer", dependencies: ["ComposerProgram"]),
    .executableTarget(
      name: "clipcanvas-view",
      dependencies: ["BoardSupport", "BoardVideo", "CShortage", "LiveBoard", "PictureDrawing"]
    ),
    .target(
      name: "ClipCanvasCommands",
      dependencies: [
        "BoardStore", "BoardSupport", "CanvasModel", "ClipService", "Covers", "CShortage", "DecoderWire", "Files",
        argumentParser, systemPackage,
      ]
    ),
    .executableTarget(name: "clipcanvas", dependencies: ["ClipCanvasCommands"]),

    // Tests. They run the real programs too, so they depend on them.
    .target(
      name: "TestSupport",
      dependencies: ["CLinux", subprocess, systemPackage],
      path: "Tests/TestSupport",
      linkerSettings: [messageDigest]
    ),
    .target(name: "TestHelpers", dependencies: ["TestSupport"], path: "Tests/TestHelpers"),
    .executableTarget(
      name: "faulty-decoder",
      dependencies: [
        "CLinux", "Covers", "DecoderWire", "TestSupport", "WorkerProgram", systemPackage,
      ],
      path: "Tests/FaultyDecoder"
    ),
    .executableTarget(
      name: "watched-decoder",
      dependencies: ["CodecWatch", "WorkerProgram"],
      path: "Tests/WatchedDecoder"
    ),
    .executableTarget(
      name: "hurried-watch",
      dependencies: ["ClipCanvasCommands", "ClipService"],
      path: "Tests/HurriedWatch"
    ),
    .executableTarget(
      name: "board-follower",
      dependencies: ["ClipBoards"],
      path: "Examples/BoardFollower/Sources/board-follower"
    ),
    .executableTarget(name: "cover-storm", dependencies: ["ClipCovers"], path: "Tests/CoverStorm"),
    .executableTarget(
      name: "crowded-queue",
      dependencies: ["CShortage"],
      path: "Tests/CrowdedQueue"
    ),
    .testTarget(name: "TestSupportTests", dependencies: ["TestHelpers", "TestSupport", subprocess, systemPackage]),
    .testTarget(
      name: "BoardSupportTests",
      dependencies: ["BoardSupport", "CanvasModel", "Covers", "Files", "TestSupport", systemPackage]
    ),
    .testTarget(
      name: "LiveBoardTests",
      dependencies: [
        "CanvasModel", "clipcanvas", "clipcanvas-decoder", "clipcanvas-view", "faulty-decoder", "KeyValueObserving",
        "LiveBoard", "Pictures", "TestSupport", "TestHelpers", systemPackage,
      ]
    ),
    .testTarget(
      name: "PictureDrawingTests",
      dependencies: [
        "CanvasModel", "clipcanvas", "clipcanvas-decoder", "clipcanvas-view", "Covers", "faulty-decoder",
        "PictureDrawing", "Pictures", "TestSupport", "TestHelpers", systemPackage,
      ],
      exclude: ["Boards/Golden", "Text/Configurations"]
    ),
    .testTarget(
      name: "BoardVideoTests",
      dependencies: [
        "BoardSupport", "BoardVideo", "CanvasModel", "clipcanvas", "clipcanvas-composer", "clipcanvas-decoder",
        "clipcanvas-view", "Covers", "faulty-decoder", "TestSupport", "TestHelpers", systemPackage,
      ]
    ),
    .testTarget(name: "CanvasModelTests", dependencies: ["CanvasModel", "TestSupport"]),
    .testTarget(
      name: "KeyValueObservingTests",
      dependencies: ["KeyValueObserving"]
    ),
    .testTarget(name: "CoversTests", dependencies: ["Covers", "TestSupport"]),
    .testTarget(
      name: "ClipServiceTests",
      dependencies: [
        "clipcanvas-decoder", "ClipService", "CoverDecoding", "Covers", "Files", "Pictures", "TestSupport",
        systemPackage,
      ]
    ),
    .testTarget(
      name: "ClipBoardsTests",
      dependencies: [
        "board-follower", "CanvasModel", "clipcanvas", "ClipBoards", "TestHelpers", "TestSupport", systemPackage,
      ]
    ),
    .testTarget(
      name: "ClipCoversTests",
      dependencies: [
        "ClipCovers", "clipcanvas-decoder", "cover-storm", "Covers", "faulty-decoder", "TestSupport", "TestHelpers",
        systemPackage,
      ]
    ),
    .testTarget(
      name: "PicturesTests",
      dependencies: ["Pictures", "TestSupport", systemPackage]
    ),
    .testTarget(
      name: "CoverDecodingTests",
      dependencies: ["CCover", "Covers", "CoverDecoding", "Pictures", "TestSupport", systemPackage]
    ),
    .testTarget(
      name: "DecoderWireTests",
      dependencies: ["Covers", "DecoderWire", systemPackage]
    ),
    .testTarget(
      name: "FilesTests",
      dependencies: ["Files", "TestHelpers", "TestSupport", systemPackage]
    ),
    .testTarget(
      name: "BoardStoreTests",
      dependencies: ["BoardStore", "CanvasModel", "TestSupport", systemPackage],
      exclude: ["Schemas"]
    ),
    .testTarget(
      name: "ClipCanvasTests",
      dependencies: [
        "clipcanvas", "clipcanvas-composer", "clipcanvas-decoder", "clipcanvas-view", "crowded-queue",
        "faulty-decoder", "hurried-watch", "unguarded-reader",
        "watched-decoder", "BoardStore", "CanvasModel", "ClipCanvasCommands", "ClipService", "Covers", "DecoderWire",
        "Files", "TestSupport", "TestHelpers", subprocess, systemPackage,
      ]
    ),
  ]
)

// A package that depends on this one gets the libraries and the decoder, and fetches only what these need. SwiftPM reads
// the manifest of a dependency in its repository, where the folder is the root, and then in a folder `checkouts`. That is in
// `.build`, in `.build/index-build` of an editor, or in another folder named by `--scratch-path`.
let place = Context.packageDirectory.split(separator: "/")
let isDependency = place.isEmpty || place.dropLast().last == "checkouts"
if isDependency {
  let offered: Set = ["ClipBoards", "ClipCovers", "KeyValueObserving", "clipcanvas-decoder"]
  package.products.removeAll { !offered.contains($0.name) }
  var needed = offered
  while true {
    let more = package.targets.filter { needed.contains($0.name) }.flatMap(\.dependencies).compactMap { dependency in
      if case .byNameItem(let name, _) = dependency { name } else { nil }
    }
    guard !needed.isSuperset(of: more) else { break }
    needed.formUnion(more)
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.dependencies = libraryDependencies
}

// The check spends minutes in these targets, and optimises them like a release; to optimise all would take longer than it
// saves.
let optimisedInCheck: Set = [
  "BoardStore", "CanvasModel", "CanvasModelTests", "CCover", "CoverDecoding", "Covers", "Pictures", "TestSupport",
]

for target in package.targets where target.type != .system {
  let isOptimised = isStrict && optimisedInCheck.contains(target.name)
  if (cTargets + serverCTargets).contains(where: { $0 === target }) {
    target.cSettings = (target.cSettings ?? []) + cSettings + (isOptimised ? [.unsafeFlags(["-O1"])] : [])
  } else {
    target.swiftSettings = swiftSettings + (isOptimised ? [.unsafeFlags(["-O"])] : [])
  }
}
