import Glibc
import SystemPackage
import TestSupport
import Testing

/// Covers written to file systems that refuse them, which only root can mount.
@Suite(
  "A file system that refuses a cover keeps the older one intact",
  .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence))
)
struct OutputFileSystemTests {
  private func cover(into folder: FilePath, _ options: [String]) async throws -> ProgramResult {
    try await Program.run(
      "clipcanvas",
      ["cover"] + options + ["-o", folder.string + "/", ProjectFolder.fixture("1080p.mp4").string]
    )
  }

  @Test("A full disk keeps the older cover")
  func fullDisk() async throws {
    let scratch = try ScratchFolder()
    let disk = try MemoryFileSystem(scratch("disk"), size: 64 * 1024)
    let small = try await cover(into: disk.path, ["--size", "64"])
    try #require(small.exitStatus == 0, "\(small.errorOutput)")
    let older = try ScratchFolder.read(disk.path.appending("1080p.mp4.png"))
    // Leave only a few pages free.
    try ScratchFolder.write(Array(repeating: 1, count: 44 * 1024), to: disk.path.appending("ballast"))

    let result = try await cover(into: disk.path, [])
    #expect(result.exitStatus == 1)
    #expect(
      result.errorOutput.contains("1080p.mp4.png: no space left on device; make room there"),
      "\(result.errorOutput)"
    )
    #expect(try ScratchFolder.read(disk.path.appending("1080p.mp4.png")) == older)
    #expect(try ScratchFolder.names(in: disk.path) == ["1080p.mp4.png", "ballast"])
  }

  @Test("A read-only disk keeps the older cover", .enabled(if: Scope.isFull))
  func readOnly() async throws {
    let scratch = try ScratchFolder()
    let disk = try MemoryFileSystem(scratch("disk"), size: 1 << 20)
    try #require(try await cover(into: disk.path, ["--size", "64"]).exitStatus == 0)
    let older = try ScratchFolder.read(disk.path.appending("1080p.mp4.png"))
    try await disk.makeReadOnly()
    let result = try await cover(into: disk.path, ["--force"])
    #expect(result.exitStatus == 1)
    #expect(result.errorOutput.contains("read-only file system; specify a writable folder with -o"))
    #expect(try ScratchFolder.read(disk.path.appending("1080p.mp4.png")) == older)
  }
}
