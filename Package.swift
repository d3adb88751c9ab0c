// swift-tools-version: 6.2
import PackageDescription

// The check (`make check`) sets CLIPCANVAS_STRICT so that a warning fails there and never on a user's machine,
// whose compiler may be newer and warn of more.
let isStrict = Context.environment["CLIPCANVAS_STRICT"] != nil

// `make release` sets CLIPCANVAS_STATIC where there is an archive of libdeflate, so that users need not install that.
let deflate = Context.environment["CLIPCANVAS_STATIC"] != nil ? ":libdeflate.a" : "deflate"

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
    .enableWarning("all"),
    .enableWarning("extra"),
    .enableWarning("conversion"),
  ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "clipcanvas",
  products: [
    .executable(name: "clipcanvas", targets: ["clipcanvas"]),
    .executable(name: "clipcanvas-decoder", targets: ["clipcanvas-decoder"]),
    .executable(name: "clipcanvas-live", targets: ["clipcanvas-live"]),
    .executable(name: "clipcanvas-render", targets: ["clipcanvas-render"]),
    .library(name: "KeyValueObserving", targets: ["KeyValueObserving"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
  ],
  targets: [
    // C: mechanism only. ARCHITECTURE.md says who may import whom; the build checks it.
    .systemLibrary(
      name: "CFFmpeg",
      pkgConfig: "libavformat libavcodec libswscale libavutil",
      providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libavutil-dev"])]
    ),
    .target(name: "CCover", dependencies: ["CFFmpeg"], cSettings: cSettings),
    .target(name: "CPNG", cSettings: cSettings, linkerSettings: [.linkedLibrary("png")]),
    .target(name: "CArguments", cSettings: cSettings),
    .target(name: "CDescriptors", cSettings: cSettings),
    .target(name: "CShortage", cSettings: cSettings),
    .target(name: "CSandbox", cSettings: cSettings, linkerSettings: [.linkedLibrary("seccomp")]),
    .systemLibrary(name: "CMessageDigest", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .systemLibrary(name: "CDeflate", providers: [.apt(["libdeflate-dev"])]),
    .systemLibrary(name: "CChafa", pkgConfig: "chafa", providers: [.apt(["libchafa-dev", "libglib2.0-dev"])]),
    .target(name: "CTerminalPicture", dependencies: ["CChafa"], cSettings: cSettings),
    .target(name: "CTerminal", cSettings: cSettings),

    // Covers.
    .target(name: "Covers", swiftSettings: swiftSettings),
    .target(
      name: "CoverCheck",
      dependencies: ["CDeflate", "Covers"],
      swiftSettings: swiftSettings,
      linkerSettings: [.linkedLibrary(deflate)]
    ),
    .target(name: "Pictures", dependencies: ["CPNG"], swiftSettings: swiftSettings),
    .target(name: "CoverDecoding", dependencies: ["Covers", "Pictures", "CCover"], swiftSettings: swiftSettings),
    .target(
      name: "DecoderWire",
      dependencies: ["Covers", "CDescriptors", systemPackage],
      swiftSettings: swiftSettings
    ),
    .target(
      name: "Files",
      dependencies: ["CDescriptors", "CMessageDigest", systemPackage],
      swiftSettings: swiftSettings
    ),
    .target(
      name: "DecoderProgram",
      dependencies: ["CArguments", "CSandbox", "CoverDecoding", "Covers", "DecoderWire", systemPackage],
      swiftSettings: swiftSettings
    ),
    .target(
      name: "CoverService",
      dependencies: [
        "CDescriptors", "CoverCheck", "Covers", "DecoderWire", "Files", subprocess, systemPackage,
      ],
      swiftSettings: swiftSettings
    ),

    // The board.
    .target(name: "CanvasModel", swiftSettings: swiftSettings),
    .target(
      name: "BoardStore",
      dependencies: ["CanvasModel", "Files", systemPackage],
      swiftSettings: swiftSettings
    ),
    .target(
      name: "BoardText",
      dependencies: ["BoardStore", "CanvasModel", "CArguments", "CoverService", "Covers", "Files", systemPackage],
      swiftSettings: swiftSettings
    ),
    .target(name: "BoardView", dependencies: ["CanvasModel", "KeyValueObserving"], swiftSettings: swiftSettings),

    // Observing, which knows nothing of canvases.
    .target(name: "KeyValueObserving", swiftSettings: swiftSettings),

    // The board in the terminal.
    .target(name: "Terminal", dependencies: ["CShortage", "CTerminal"], swiftSettings: swiftSettings),
    .target(
      name: "TerminalPictures",
      dependencies: ["CTerminalPicture", "Pictures", systemPackage],
      swiftSettings: swiftSettings
    ),
    .target(
      name: "LiveBoard",
      dependencies: [
        "BoardStore", "BoardText", "BoardView", "CanvasModel", "CoverService", "Covers", "CShortage", "Files",
        "KeyValueObserving", "Pictures", "Terminal", "TerminalPictures", systemPackage,
      ],
      swiftSettings: swiftSettings
    ),

    // The board as a picture.
    .target(
      name: "BoardPicture",
      dependencies: ["BoardView", "CanvasModel", "Pictures"],
      swiftSettings: swiftSettings
    ),

    // Programs.
    .executableTarget(name: "clipcanvas-decoder", dependencies: ["DecoderProgram"], swiftSettings: swiftSettings),
    .executableTarget(name: "clipcanvas-live", dependencies: ["LiveBoard"], swiftSettings: swiftSettings),
    .executableTarget(
      name: "clipcanvas-render",
      dependencies: [
        "BoardPicture", "BoardStore", "BoardText", "BoardView", "CanvasModel", "CoverService", "Covers",
        "CShortage", "Files", "Pictures", systemPackage,
      ],
      swiftSettings: swiftSettings
    ),
    .target(
      name: "ClipCanvasCommands",
      dependencies: [
        "BoardStore", "BoardText", "CanvasModel", "Covers", "CoverService", "CShortage", "Files", argumentParser,
        systemPackage,
      ],
      swiftSettings: swiftSettings
    ),
    .executableTarget(name: "clipcanvas", dependencies: ["ClipCanvasCommands"], swiftSettings: swiftSettings),

    // Tests. They run the real programs too, so they depend on them.
    .target(
      name: "TestSupport",
      dependencies: ["Covers", subprocess, systemPackage],
      path: "Tests/TestSupport",
      swiftSettings: swiftSettings
    ),
    .executableTarget(
      name: "faulty-decoder",
      dependencies: ["CDescriptors", "Covers", "DecoderProgram", "DecoderWire", systemPackage],
      path: "Tests/FaultyDecoder",
      swiftSettings: swiftSettings
    ),
    .executableTarget(
      name: "unguarded-reader",
      dependencies: ["CFFmpeg", "CSandbox"],
      path: "Tests/UnguardedReader",
      cSettings: cSettings
    ),
    .target(
      name: "CodecWatch",
      dependencies: ["CFFmpeg"],
      path: "Tests/CodecWatch",
      cSettings: cSettings
    ),
    .executableTarget(
      name: "watched-decoder",
      dependencies: ["CodecWatch", "DecoderProgram"],
      path: "Tests/WatchedDecoder",
      swiftSettings: swiftSettings
    ),
    .executableTarget(
      name: "crowded-queue",
      dependencies: ["CShortage"],
      path: "Tests/CrowdedQueue",
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "BoardViewTests",
      dependencies: ["BoardView", "CanvasModel", "KeyValueObserving"],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "LiveBoardTests",
      dependencies: [
        "LiveBoard", "clipcanvas", "clipcanvas-decoder", "clipcanvas-live", "faulty-decoder", "TestSupport",
        systemPackage,
      ],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "BoardPictureTests",
      dependencies: [
        "BoardPicture", "CanvasModel", "clipcanvas", "clipcanvas-decoder", "clipcanvas-render", "faulty-decoder",
        "TestSupport", systemPackage,
      ],
      exclude: ["Golden"],
      swiftSettings: swiftSettings
    ),
    .testTarget(name: "TerminalTests", dependencies: ["Terminal"], swiftSettings: swiftSettings),
    .testTarget(name: "CanvasModelTests", dependencies: ["CanvasModel"], swiftSettings: swiftSettings),
    .testTarget(
      name: "KeyValueObservingTests",
      dependencies: ["KeyValueObserving"],
      swiftSettings: swiftSettings
    ),
    .testTarget(name: "CoversTests", dependencies: ["Covers"], swiftSettings: swiftSettings),
    .testTarget(
      name: "CoverCheckTests",
      dependencies: ["CoverCheck", "CoverDecoding", "Covers", "TestSupport", systemPackage],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "PicturesTests",
      dependencies: ["Pictures", "TestSupport", systemPackage],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "CoverDecodingTests",
      dependencies: ["Covers", "CoverDecoding", "Pictures", "TestSupport", systemPackage],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "DecoderWireTests",
      dependencies: ["Covers", "DecoderWire", systemPackage],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "FilesTests",
      dependencies: ["Files", "TestSupport", systemPackage],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "BoardStoreTests",
      dependencies: ["BoardStore", "CanvasModel", "TestSupport", systemPackage],
      exclude: ["Schemas"],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "CoverServiceTests",
      dependencies: ["clipcanvas-decoder", "Covers", "CoverService", "Files", "TestSupport", systemPackage],
      swiftSettings: swiftSettings
    ),
    .testTarget(
      name: "ClipCanvasTests",
      dependencies: [
        "clipcanvas", "clipcanvas-decoder", "clipcanvas-live", "crowded-queue", "faulty-decoder", "unguarded-reader",
        "watched-decoder", "BoardStore", "CanvasModel", "ClipCanvasCommands", "CoverService", "Covers", "DecoderWire",
        "Files", "Pictures", "TestSupport", subprocess, systemPackage,
      ],
      swiftSettings: swiftSettings
    ),
  ]
)
