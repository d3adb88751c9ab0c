import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas batch --freedesktop")
struct BatchThumbnailTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("v"))
    try scratch.copy(ProjectFolder.fixture("1080p.mp4"), as: "v/a b.mp4")
  }

  private func batch(_ options: [String], cache: String = "cache") async throws -> ProgramResult {
    let environment = ["XDG_CACHE_HOME": scratch(cache).string]
    return try await Program.run(
      "clipcanvas",
      ["batch", "--freedesktop"] + options + ["v"],
      in: scratch.path,
      environment: environment
    )
  }

  /// The names of the standard's folders, and the sizes of the thumbnails of a clip of 1920×1080.
  private static let sizes = [
    ("normal", "128,72"), ("large", "256,144"), ("x-large", "512,288"), ("xx-large", "1024,576"),
  ]

  /// Returns the name of the clip's thumbnails, according to Python.
  private func name() async throws -> String {
    let script =
      "import hashlib, pathlib, sys; print(hashlib.md5(pathlib.Path(sys.argv[1]).as_uri().encode()).hexdigest(), end='')"
    return try await Program.runTool("python3", ["-c", script, scratch("v/a b.mp4").string]).text + ".png"
  }

  @Test(
    "One run makes thumbnails of all sizes of the standard, the same as runs for each size",
    .enabled(if: Scope.isFull)
  )
  func allSizes() async throws {
    let name = try await name()
    let first = try await batch([])
    let counts =
      "1 clip: 1 cover made, 0 fresh, 0 incomplete, 0 failed; 3 other sizes made, 0 fresh, 0 incomplete, 0 failed; "
    #expect(first.exitStatus == 0 && first.text.contains("\n" + counts), "\(first)")
    for (folder, size) in Self.sizes {
      let path = scratch("cache/thumbnails/\(folder)/\(name)")
      let words = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path.string]
      #expect(try await Program.runTool("ffprobe", words).text == size + "\n")
      let side = String(size.prefix { $0 != "," })
      let alone = try await batch(["--size", side], cache: "alone")
      #expect(alone.exitStatus == 0 && !alone.text.contains("other size"), "\(alone)")
      let other = scratch("alone/thumbnails/\(folder)/\(name)")
      #expect(try ScratchFolder.read(path) == ScratchFolder.read(other), "\(folder)")
    }
    let second = try await batch([])
    #expect(
      second.text.contains("1 clip: 0 covers made, 1 fresh, 0 incomplete, 0 failed; 0 other sizes made, 3 fresh, ")
    )
    #expect(try ScratchFolder.names(in: scratch("cache/thumbnails")).sorted() == Self.sizes.map(\.0).sorted())
  }

  @Test("A missing size is made beside fresh ones, and all of them are planned and recorded")
  func missingSize() async throws {
    let name = try await name()
    let dry = try await batch(["-n"])
    #expect(dry.exitStatus == 0 && dry.text.contains("dry run: 4 to make, 0 fresh, 0 incomplete, 0 failed; "), "\(dry)")
    #expect(!ProjectFolder.isThere(scratch("cache")))
    #expect(try await batch(["--size", "128"]).exitStatus == 0)
    let json = try await batch(["--json"])
    let run = try BatchRun(of: json)
    #expect(run.records.map(\.status).sorted() == ["cover", "cover", "cover", "fresh"], "\(json.text)")
    #expect(
      json.text.contains(#""thumbnails":{"degraded":0,"failed":0,"fresh":1,"freshDegraded":0,"incomplete":0,"made":2}"#)
    )
    for (folder, _) in Self.sizes { #expect(ProjectFolder.isThere(scratch("cache/thumbnails/\(folder)/\(name)"))) }
  }

  @Test("A clip that cannot have a thumbnail fails once, and is a known failure then")
  func failure() async throws {
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "v/s.mp4")
    let first = try await batch([])
    #expect(first.exitStatus == 1 && first.errorOutput.split(separator: "\n").count == 1, "\(first)")
    let second = try await batch([])
    #expect(second.exitStatus == 0 && second.text.contains("1 known failure skipped (--retry); "), "\(second)")
  }
}
