import SystemPackage
import TestSupport
import Testing

@Suite("The sandbox does not change covers")
struct SandboxCoversTests {
  /// Makes covers and returns their bytes by file name.
  private func covers(of clips: [FilePath], _ options: [String]) async throws -> [String: [UInt8]] {
    let scratch = try ScratchFolder()
    let folder = scratch("covers")
    _ = try await Program.run(
      "clipcanvas",
      ["cover", "-o", folder.string + "/"] + options + clips.map(\.string)
    )
    let names = try ScratchFolder.names(in: folder)
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try ScratchFolder.read(folder.appending($0))) })
  }

  private func expectSame(_ clips: [FilePath], _ options: [String]) async throws -> Int {
    let locked = try await covers(of: clips, options + ["--sandbox", "require"])
    let free = try await covers(of: clips, options + ["--sandbox", "off"])
    #expect(locked.keys.sorted() == free.keys.sorted())
    for (name, bytes) in free {
      #expect(locked[name] == bytes, "\(name)")
    }
    return free.count
  }

  @Test(
    "The cover of every fixture is byte-identical",
    .enabled(if: Scope.isFull),
    arguments: [["--format", "png"], ["--format", "jpeg"], ["--format", "webp"]]
  )
  func fixtures(_ options: [String]) async throws {
    let clips = FixtureManifest.withCover.map(\.path)
    #expect(try await expectSame(clips, options) == clips.count)
  }

  @Test("Scaled 16-bit covers at 50% are byte-identical", .enabled(if: Scope.isFull))
  func options() async throws {
    let clips = FixtureManifest.withCover.map(\.path)
    let count = try await expectSame(clips, ["--at", "50%", "--size", "100", "--bit-depth", "16"])
    // Incomplete clips have no later frame.
    #expect(count > clips.count * 9 / 10)
  }

  @Test(
    "Real recordings are byte-identical",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence))
  )
  func realClips() async throws {
    // One run per folder, because two clips with the same name would have the same cover.
    let folders = Dictionary(grouping: SharedClips.valid.map(SharedClips.path)) { $0.removingLastComponent() }
    var count = 0
    for (_, clips) in folders {
      count += try await expectSame(clips, ["--size", "256"])
    }
    #expect(count > folders.count / 2)
  }
}
