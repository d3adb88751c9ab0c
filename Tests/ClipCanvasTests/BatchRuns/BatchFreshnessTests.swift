import Glibc
import SystemPackage
import TestSupport
import Testing

/// What a second run makes again and what it leaves alone.
@Suite("clipcanvas batch makes only missing and stale covers")
struct BatchFreshnessTests {
  /// Creates three clips in two folders.
  private func clips() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("clips"))
    try FilePath.makeFolder(scratch("clips/inner"))
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clips/a.mp4")
    try scratch.copy(ProjectFolder.fixture("vp9.webm"), as: "clips/b.webm")
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "clips/inner/c.mp4")
    return scratch
  }

  private func covers(in scratch: ScratchFolder) throws -> FolderTree { try FolderTree(below: scratch("covers")) }

  @Test("Covers are identical to those of `cover`, and a second run makes none")
  func secondRun() async throws {
    let scratch = try clips()
    let first = try await BatchRun(["clips"], in: scratch.path)
    #expect(first.status == 0 && first.summary?.covers == 3, "\(first.result.errorOutput)")
    let made = try FolderTree(below: scratch("clips"))
    #expect(made.paths == ["a.mp4", "a.mp4.png", "b.webm", "b.webm.png", "inner/c.mp4", "inner/c.mp4.png"])
    let single = try await Program.run(
      "clipcanvas",
      ["cover", "--force", "clips/a.mp4", "clips/b.webm", "clips/inner/c.mp4"],
      in: scratch.path
    )
    #expect(single.exitStatus == 0)
    #expect(try FolderTree(below: scratch("clips")) == made)

    let inodes = try made.paths.map { try inode(scratch("clips").appending($0)) }
    let second = try await BatchRun(["clips"], in: scratch.path)
    #expect(second.summary?.fresh == 3 && second.summary?.covers == 0 && second.summary?.decoders == 0)
    #expect(second.records.allSatisfy { $0.status == "fresh" })
    #expect(try made.paths.map { try inode(scratch("clips").appending($0)) } == inodes)
  }

  private func inode(_ path: FilePath) throws -> UInt64 {
    var status = stat()
    guard stat(path.string, &status) == 0 else { throw Errno(rawValue: errno) }
    return UInt64(status.st_ino)
  }

  @Test("A cover is made again if its clip's modification time changed by as little as a nanosecond")
  func changedClip() async throws {
    let scratch = try clips()
    _ = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    let before = try covers(in: scratch)

    var status = stat()
    let clip = scratch("clips/a.mp4").string
    try #require(stat(clip, &status) == 0)
    var times = [status.st_atim, status.st_mtim]
    times[1].tv_nsec += times[1].tv_nsec == 999_999_999 ? -1 : 1
    try #require(utimensat(AT_FDCWD, clip, times, 0) == 0)
    let touched = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    #expect(touched.summary?.covers == 1 && touched.summary?.fresh == 2)
    #expect(touched["a.mp4"]?.status == "cover")

    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "clips/a.mp4")
    let replaced = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    #expect(replaced["a.mp4"]?.width == 120 && replaced.summary?.fresh == 2)
    #expect(try covers(in: scratch).differences(from: before) == ["clips/a.mp4.png"])
  }

  @Test("A different request makes every cover again, and so does --force", .enabled(if: Scope.isFull))
  func changedRequest() async throws {
    let scratch = try clips()
    _ = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    let before = try covers(in: scratch)
    let small = try await BatchRun(["--size", "64", "-o", "covers", "clips"], in: scratch.path)
    #expect(small.summary?.covers == 3 && small["a.mp4"]?.width == 64)
    let again = try await BatchRun(["--size", "64", "-o", "covers", "clips"], in: scratch.path)
    #expect(again.summary?.fresh == 3)
    let back = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    #expect(back.summary?.covers == 3)
    let forced = try await BatchRun(["--force", "-o", "covers", "clips"], in: scratch.path)
    #expect(forced.summary?.covers == 3)
    #expect(try covers(in: scratch) == before)
  }

  @Test("A truncated or deleted cover is made again, and a folder of covers can be moved")
  func rebuilt() async throws {
    let scratch = try clips()
    _ = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    let before = try covers(in: scratch)
    let half = try #require(before.files["clips/a.mp4.png"]).dropLast(20)
    try scratch.write(half, as: "covers/clips/a.mp4.png")
    try #require(unlink(scratch("covers/clips/inner/c.mp4.png").string) == 0)
    let mended = try await BatchRun(["-o", "covers", "clips"], in: scratch.path)
    #expect(mended.summary?.covers == 2 && mended.summary?.fresh == 1)
    #expect(try covers(in: scratch) == before)
    try #require(rename(scratch("covers").string, scratch("moved").string) == 0)
    let moved = try await BatchRun(["-o", "moved", "clips"], in: scratch.path)
    #expect(moved.summary?.fresh == 3)
  }

  @Test("A foreign file is replaced only with --force")
  func foreign() async throws {
    let scratch = try clips()
    try scratch.write(Array("a photograph".utf8), as: "clips/a.mp4.png")
    let run = try await BatchRun(["clips"], in: scratch.path)
    #expect(run.status == 1 && run["a.mp4"]?.reason == "outputExists")
    #expect(try ScratchFolder.read(scratch("clips/a.mp4.png")) == Array("a photograph".utf8))
    let forced = try await BatchRun(["--force", "clips"], in: scratch.path)
    #expect(forced.status == 0 && forced.summary?.covers == 3)
  }

  @Test("Clips found by a single look-up are shared among the decoders", .enabled(if: Scope.isFull))
  func sharing() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("clips"))
    for number in 0..<40 {
      try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "clips/\(number).mp4")
    }
    let run = try await BatchRun(["-j2", "clips"], in: scratch.path)
    #expect(run.summary?.covers == 40 && run.summary?.decoders == 2)
  }
}
