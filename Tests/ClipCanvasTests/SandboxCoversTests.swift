import SystemPackage
import TestSupport
import Testing

@Suite("a locked-in decoder gives the same covers")
struct SandboxCoversTests {
  /// Makes covers and gives their bytes by name.
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
    "of every fixture, byte by byte",
    arguments: [["--format", "png"], ["--format", "jpeg"], ["--format", "webp"]]
  )
  func fixtures(_ options: [String]) async throws {
    let clips = FixtureManifest.withCover.map(\.path)
    #expect(try await expectSame(clips, options) == clips.count)
  }

  @Test("of every fixture at another time, scaled, with 16 bits")
  func options() async throws {
    let clips = FixtureManifest.withCover.map(\.path)
    let count = try await expectSame(clips, ["--at", "50%", "--size", "100", "--bit-depth", "16"])
    // Clips that are still being written have no later frame.
    #expect(count > clips.count * 9 / 10)
  }

  @Test("of real recordings, byte by byte", .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)))
  func realClips() async throws {
    // By folders, since two of a name would have one cover.
    let folders = Dictionary(grouping: SharedClips.valid.map(SharedClips.path)) { $0.removingLastComponent() }
    var count = 0
    for (_, clips) in folders {
      count += try await expectSame(clips, ["--size", "256"])
    }
    #expect(count > folders.count / 2)
  }
}
