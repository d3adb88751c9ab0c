import Glibc
import SystemPackage
import TestSupport
import Testing

/// Covers depend neither on the number of decoders nor on the clips that a decoder processed before.
@Suite("clipcanvas batch makes the same covers with any number of decoders")
struct BatchIdentityTests {
  /// Creates at least 300 clips: the fixtures, the real recordings if they are available, and damaged clips.
  private func clips() throws -> (scratch: ScratchFolder, count: Int) {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    var sources = FixtureManifest.shared.fixtures.map(\.path)
    if SharedClips.areHere { sources += (SharedClips.valid + SharedClips.hostile).map { SharedClips.path($0) } }
    for (number, source) in sources.enumerated() {
      // Links, because the recordings are large; they keep the file extension.
      let name = "\(number).\(source.extension ?? "mp4")"
      try #require(symlink(source.string, scratch("c").appending(name).string) == 0)
    }
    var number = 0
    var numbers = SeededNumbers(seed: 3)
    while sources.count + number < 300 || number < 60 {
      let fixture = FixtureManifest.withCover[number % FixtureManifest.withCover.count]
      var bytes = try ScratchFolder.read(fixture.path)
      for _ in 0..<8 { bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8(number & 0xFF) }
      try scratch.write(bytes, as: "c/damaged-\(number)-\(fixture.file)")
      number += 1
    }
    return (scratch, sources.count + number)
  }

  @Test("300 clips give the same covers with one decoder and with two", .enabled(if: Scope.isFull))
  func oneAndTwo() async throws {
    let (scratch, count) = try clips()
    let options = ["--all", "--follow", "--size", "320"]
    let one = try await BatchRun(options + ["-j1", "-o", "one", "c"], in: scratch.path)
    let two = try await BatchRun(options + ["-j2", "-o", "two", "c"], in: scratch.path)
    #expect(one.records.count + (one.summary?.notClips ?? 0) == count && count >= 300)
    #expect(one.essence == two.essence)
    let covers = try FolderTree(below: scratch("one"))
    #expect(covers.paths.count > 150)
    #expect(try FolderTree(below: scratch("two")).differences(from: covers) == [])
    // Covers made by one decoder are fresh for a run with two.
    let again = try await BatchRun(options + ["-j2", "-o", "one", "c"], in: scratch.path)
    #expect(again.summary?.covers == 0)
    #expect(again.summary?.degraded == one.summary?.degraded && again.summary?.freshDegraded == one.summary?.degraded)
  }
}
