import ClipService
import Covers
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Desktop thumbnail cache")
struct FreedesktopCacheTests {
  private let cache = FreedesktopCache(folder: "/home/jens/.cache/thumbnails")

  @Test("The example in the standard has the name given there")
  func example() {
    #expect(
      FreedesktopCache.fileName(of: "file:///home/jens/photos/me.png") == "c6ee772d9e49320e97ec29a7eb5b1697.png"
    )
    #expect(
      cache.place(of: "/home/jens/photos/me.png", size: .large)
        == "/home/jens/.cache/thumbnails/large/c6ee772d9e49320e97ec29a7eb5b1697.png"
    )
    #expect(
      cache.place(of: "../photos/./me.png", size: .normal, in: "/home/jens/clips")
        == "/home/jens/.cache/thumbnails/normal/c6ee772d9e49320e97ec29a7eb5b1697.png"
    )
  }

  @Test(
    "Each size has its own folder and limit",
    arguments: [
      (.normal, "normal", 128), (.large, "large", 256), (.xLarge, "x-large", 512), (.xxLarge, "xx-large", 1024),
    ]
      as [(FreedesktopCache.Size, String, Int)]
  )
  func sizes(size: FreedesktopCache.Size, name: String, side: Int) {
    #expect(cache.folder(of: size).string == "/home/jens/.cache/thumbnails/\(name)")
    #expect(size.limit == SizeLimit(width: side, height: side))
    #expect(FreedesktopCache.Size(rawValue: name) == size)
  }

  @Test("Failure markers are stored in a folder for this version")
  func failures() {
    #expect(
      cache.failPlace(of: "/home/jens/photos/me.png").string
        == "/home/jens/.cache/thumbnails/fail/clipcanvas-\(ClipCanvasVersion.current)/"
        + "c6ee772d9e49320e97ec29a7eb5b1697.json"
    )
  }

  // MARK: - URIs and digests

  /// `/clips/` and names that contain, in turn, each byte allowed in a name.
  private static let paths = (1...255).filter { $0 != 0x2F }.map { byte in
    FilePath(
      platformString: (Array("/clips/a".utf8) + [UInt8(byte)] + Array("b.mp4\0".utf8)).map { CChar(bitPattern: $0) }
    )
  }

  private static let hasGLib = dlopen("libglib-2.0.so.0", RTLD_LAZY) != nil

  @Test(
    "The URI of a clip matches GLib's for any byte in its name",
    .enabled(if: Scope.isFull),
    .enabled(if: hasGLib, "GLib is not on this machine")
  )
  func glib() async throws {
    let script = """
      import ctypes
      glib = ctypes.CDLL("libglib-2.0.so.0")
      glib.g_filename_to_uri.restype = ctypes.c_char_p
      for byte in range(1, 256):
        if byte != 0x2f:
          print(glib.g_filename_to_uri(b"/clips/a%cb.mp4" % byte, None, None).decode("ascii"))
      """
    let python = try await Program.runTool("python3", ["-c", script])
    try #require(python.exitStatus == 0, "\(python.errorOutput)")
    #expect(Self.paths.map { $0.uri(in: "/") } == python.text.split(separator: "\n").map(String.init))
  }

  @Test("A file name is the MD5 of the URI, as computed by md5sum", .enabled(if: Scope.isFull))
  func md5sum() async throws {
    let folder = try ScratchFolder()
    let uris = Self.paths.map { $0.uri(in: "/") } + ["", String(repeating: "file:///long/", count: 10_000)]
    for (index, uri) in uris.enumerated() { try folder.write(uri.utf8, as: "\(index)") }
    let sums = try await Program.runTool("md5sum", uris.indices.map { "\($0)" }, in: folder.path)
    let expected = sums.text.split(separator: "\n").map { $0.prefix(32) + ".png" }
    try #require(expected.count == uris.count)
    #expect(uris.map { FreedesktopCache.fileName(of: $0) } == expected.map(String.init))
  }

  // MARK: - Folders

  @Test("New folders are private, and an existing one keeps its mode")
  func folders() throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("cache"))
    try #require(scratch("cache").withPlatformString { chmod($0, 0o755) } == 0)
    let cache = FreedesktopCache(folder: scratch("cache").appending("thumbnails"))
    for _ in 1...2 { try cache.makeFolder(of: .large) }
    #expect(try mode(scratch("cache")) == 0o755)
    for folder in [cache.folder, cache.folder(of: .large)] {
      #expect(try mode(folder) == 0o700, "\(folder)")
    }
    #expect(try ScratchFolder.names(in: cache.folder) == ["large"])
  }

  @Test("A new thumbnail is private")
  func thumbnailMode() throws {
    let scratch = try ScratchFolder()
    let cache = FreedesktopCache(folder: scratch("thumbnails"))
    try cache.makeFolder(of: .normal)
    let place = cache.place(of: "/clips/a.mp4", size: .normal)
    try ReplacementFile(for: place, permissions: FreedesktopCache.filePermissions).commit()
    #expect(try mode(place) == 0o600)
  }

  @Test("A file in the place of a folder is reported with advice")
  func fileInPlace() throws {
    let scratch = try ScratchFolder()
    try scratch.write("".utf8, as: "thumbnails")
    let error = try #require(throws: ServiceError.self) {
      try FreedesktopCache(folder: scratch("thumbnails")).makeFolder(of: .large)
    }
    #expect(
      error.description
        == "cannot make the folder \(scratch("thumbnails").appending("large")) of the thumbnail cache: "
        + "a file has the name of the folder or of a folder above it; set XDG_CACHE_HOME to a folder that can be written to"
    )
  }

  @Test(
    "The cache is located through environment variables",
    .enabled(if: Scope.isFull),
    arguments: [
      ("/xdg", "/home/me", "/xdg/thumbnails"), (nil, "/home/me", "/home/me/.cache/thumbnails"),
      ("", "/home/me", "/home/me/.cache/thumbnails"), ("relative", "/home/me", "/home/me/.cache/thumbnails"),
      (nil, nil, ""), ("relative", "relative", ""),
    ] as [(String?, String?, String)]
  )
  func environment(xdg: String?, home: String?, expected: String) async throws {
    // The environment belongs to the whole process, so a separate process keeps other tests unaffected.
    await #expect(processExitsWith: .success) { [xdg, home, expected] in
      for (name, value) in [("XDG_CACHE_HOME", xdg), ("HOME", home)] {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
      }
      #expect((try? FreedesktopCache.ofUser())?.folder.string ?? "" == expected)
    }
  }

  private func mode(_ path: FilePath) throws -> UInt32 {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
    return status.st_mode & 0o7777
  }
}
