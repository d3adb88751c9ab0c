import Glibc
import SystemPackage
import TestSupport
import Testing

/// Output folders that refuse a cover in the middle of a batch.
@Suite("clipcanvas batch keeps older covers if new ones cannot be written")
struct BatchOutputTests {
  /// Creates ten clips, and older, smaller covers of them in `covers`.
  private func work(_ fixture: String) async throws -> (scratch: ScratchFolder, older: FolderTree) {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for number in 0..<10 { try scratch.copy(ProjectFolder.fixture(fixture), as: "c/\(number).mp4") }
    _ = try await BatchRun(["--size", "48", "-o", "covers", "c"], in: scratch.path)
    let older = try FolderTree(below: scratch("covers"))
    try #require(older.paths.count == 10)
    return (scratch, older)
  }

  private func mount(_ options: String, on folder: FilePath) throws {
    guard Glibc.mount("clipcanvas-test", folder.string, "tmpfs", 0, options) == 0 else { throw Errno(rawValue: errno) }
  }

  /// Prepares a small tmpfs that contains older covers, and checks that a run changes nothing of what was there.
  private func onSmallDisk(
    _ options: String,
    filling: (FilePath) throws -> Void = { _ in },
    run: (ScratchFolder, FilePath) async throws -> Void
  ) async throws {
    let (scratch, older) = try await work("1080p.mp4")
    let disk = scratch("disk")
    try FilePath.makeFolder(disk)
    try mount(options, on: disk)
    defer { umount2(disk.string, Int32(MNT_DETACH)) }
    try FilePath.makeFolder(disk.appending("c"))
    for path in older.paths { try ScratchFolder.write(older.files[path] ?? [], to: disk.pushing(FilePath(path))) }
    try filling(disk)
    try await run(scratch, disk)
  }

  /// Makes covers on a tmpfs that is too small for all of them.
  private func onFullDisk(_ options: String, filling: (FilePath) throws -> Void) async throws {
    try await onSmallDisk(options, filling: filling) { scratch, disk in
      let before = try FolderTree(below: disk)
      let run = try await BatchRun(["-j2", "--size", "1600", "-o", "disk", "c"], in: scratch.path)
      #expect(run.status == 1 && run.records.count == 10, "\(run.result.errorOutput)")
      let refused = run.records.filter { $0.status == "failed" }
      #expect(!refused.isEmpty, "\(run.essence)")
      #expect(refused.allSatisfy { $0.reason == "outputFull" && $0.stage == "output" }, "\(run.essence)")
      let words = "no space left on device"
      #expect(refused.allSatisfy { $0.message?.contains("disk") == true && $0.message?.contains(words) == true })
      let after = try FolderTree(below: disk)
      #expect(after.paths == before.paths)
      for record in refused {
        let name = record.clip.path + ".png"
        #expect(after.files[String(name)] == before.files[String(name)])
      }
      // With enough space again, the next run makes the missing covers.
      try #require(Glibc.mount("", disk.string, "", UInt(MS_REMOUNT), "size=64m,nr_inodes=1000") == 0)
      let again = try await BatchRun(["--size", "1600", "-o", "disk", "c"], in: scratch.path)
      #expect(again.status == 0 && (again.summary?.covers ?? 0) == refused.count)
    }
  }

  private static let takesRoot = "mounting a file system takes root"

  @Test(
    "A full 1 MB disk keeps its older covers",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "\(takesRoot)")
  )
  func full() async throws {
    try await onFullDisk("size=1m") { disk in
      try ScratchFolder.write(Array(repeating: 7, count: 960 * 1024), to: disk.appending("ballast"))
    }
  }

  @Test(
    "A disk limited to 20 files keeps its older covers",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "\(takesRoot)")
  )
  func inodes() async throws {
    try await onFullDisk("size=8m,nr_inodes=20") { disk in
      for number in 0..<8 { try ScratchFolder.write([], to: disk.appending("\(number)")) }
    }
  }

  @Test(
    "A disk mounted read-only is reported once, and keeps its covers",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "\(takesRoot)")
  )
  func readOnly() async throws {
    try await onSmallDisk("size=8m") { scratch, disk in
      let before = try FolderTree(below: disk)
      let flags = UInt(MS_REMOUNT | MS_RDONLY)
      try await BusyFileSystem.wait { Glibc.mount("", disk.string, "", flags, nil) }
      let arguments = ["batch", "-j2", "--size", "1600", "-o", "disk", "c"]
      let result = try await Program.run("clipcanvas", arguments, in: scratch.path)
      let message = "clipcanvas: cannot write to the folder disk: read-only file system; specify another with -o\n"
      #expect(result.exitStatus == 2 && result.errorOutput == message, "\(result)")
      let after = try FolderTree(below: disk)
      #expect(after.paths == before.paths && after.files == before.files)
    }
  }

  // With fewer than a dozen the program itself cannot start.
  @Test(
    "Too few descriptors are reported before any work starts",
    .enabled(if: Scope.isFull),
    arguments: [14, 16, 22, 28, 36, 50, 71, 72, 80]
  )
  func descriptors(_ most: Int) async throws {
    let (scratch, older) = try await work("h264.mp4")
    let result = try await Program.runTool(
      "prlimit",
      ["--nofile=\(most)", ProjectFolder.program("clipcanvas").string, "batch", "--json", "-j4", "-o", "covers", "c"],
      in: scratch.path
    )
    if most < 72 {
      #expect(result.exitStatus == 2, "\(result.exitStatus) \(result.errorOutput)")
      #expect(result.errorOutput.contains("file descriptors, but the limit is \(most); use fewer with --jobs"))
      #expect(try FolderTree(below: scratch("covers")) == older)
    } else {
      #expect(try BatchRun(of: result).summary?.covers == 10, "\(result.errorOutput)")
    }
  }

  @Test("The soft limit on descriptors is raised if the hard limit allows it", .enabled(if: Scope.isFull))
  func softLimit() async throws {
    let (scratch, _) = try await work("h264.mp4")
    let arguments = [
      "--nofile=16:4096", ProjectFolder.program("clipcanvas").string, "batch", "--json", "-j8", "-o", "covers", "c",
    ]
    let run = try BatchRun(of: try await Program.runTool("prlimit", arguments, in: scratch.path))
    #expect(run.status == 0 && run.summary?.covers == 10, "\(run.result.errorOutput)")
  }

  @Test(
    "Older covers survive a failure of the decoder's n-th write",
    .enabled(if: Scope.isFull),
    arguments: ["EIO", "ENOSPC"]
  )
  func nthWrite(_ error: String) async throws {
    let (scratch, older) = try await work("h264.mp4")
    _ = try await BatchRun(["-o", "undisturbed", "c"], in: scratch.path)
    let whole = try FolderTree(below: scratch("undisturbed"))
    var refusals = 0
    for number in 1...LongForm.count(short: 4, long: 40, variable: "TORTURE_CALLS") {
      for path in older.paths { try scratch.write(older.files[path] ?? [], as: "covers/" + path) }
      // The decoder calls write only for covers, into a memory file; it replies with sendto.
      let script = try scratch.write(
        Array(
          """
          #!/bin/sh
          exec strace -qq -o /dev/null -e inject=write:error=\(error):when=\(number) \
            '\(ProjectFolder.program("clipcanvas-decoder"))' "$@"

          """.utf8
        ),
        as: "decoder.sh"
      )
      let decoder = try await scratch.install(script, as: "decoder")
      let run = try await BatchRun(
        ["-j1", "-o", "covers", "c"],
        in: scratch.path,
        environment: ["CLIPCANVAS_DECODER": decoder.string]
      )
      let refused = run.records.filter { $0.status == "failed" }
      #expect(refused.count <= 1 && run.records.count == 10, "\(number): \(run.result.errorOutput)")
      #expect(refused.allSatisfy { $0.message?.contains("cannot hold the picture in memory: ") == true })
      #expect(refused.allSatisfy { $0.reason == "outputFailed" && $0.stage == "output" })
      refusals += refused.count
      let after = try FolderTree(below: scratch("covers"))
      #expect(after.paths == older.paths, "\(number)")
      for path in after.paths {
        let isRefused = refused.contains { $0.clip.path == path.dropLast(4) }
        #expect(after.files[path] == (isRefused ? older : whole).files[path], "\(number): \(path)")
      }
    }
    #expect(refusals > 0)
  }

  /// System calls whose n-th call fails, and the error.
  static let calls = ["linkat:EIO", "renameat:ENOSPC", "fdatasync:EIO", "openat:EACCES", "openat:EMFILE"]

  @Test("Older covers survive a failure of the n-th system call", .enabled(if: Scope.isFull), arguments: calls)
  func nthCall(_ call: String) async throws {
    let (scratch, older) = try await work("h264.mp4")
    _ = try await BatchRun(["-o", "undisturbed", "c"], in: scratch.path)
    let whole = try FolderTree(below: scratch("undisturbed"))
    let parts = call.split(separator: ":")
    let most = LongForm.count(short: 3, long: 40, variable: "TORTURE_CALLS")
    for number in 1...most {
      for path in older.paths { try scratch.write(older.files[path] ?? [], as: "covers/" + path) }
      // Only calls on the covers' folder and its files fail, so that the programs can start.
      let paths = ["covers", "covers/c"] + older.paths.map { "covers/" + $0 }
      // A file is synced before it has a name.
      let only = parts[0] == "fdatasync" ? [] : paths.flatMap { ["-P", $0] }
      let result = try await Program.runTool(
        "strace",
        ["-f", "-qq", "-o", "/dev/null"] + only + ["-e", "inject=\(parts[0]):error=\(parts[1]):when=\(number)"]
          + [ProjectFolder.program("clipcanvas").string, "batch", "--json", "-j2", "-o", "covers", "c"],
        in: scratch.path
      )
      let run = try BatchRun(of: result)
      #expect(run.status <= 1 && run.records.count == 10, "\(call) \(number): \(result.errorOutput)")
      let refused = run.records.filter { $0.status == "failed" }
      // strace counts the calls of each thread separately, so several may fail.
      #expect(refused.allSatisfy { $0.message?.contains("covers") == true }, "\(refused)")
      let after = try FolderTree(below: scratch("covers"))
      #expect(after.paths == older.paths, "\(call) \(number)")
      for path in after.paths {
        let isRefused = refused.contains { $0.clip.path == path.dropLast(4) }
        #expect(after.files[path] == (isRefused ? older : whole).files[path], "\(call) \(number): \(path)")
      }
    }
  }
}
