import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("clipcanvas batch --watch", .ownThread)
struct BatchWatchTests {
  private let folder: WatchedFolder
  private var scratch: ScratchFolder { folder.scratch }

  init() throws { folder = try WatchedFolder() }

  @Test(
    "Clips get their covers as they are written, moved, renamed, replaced and removed, each once",
    .enabled(if: Scope.isFull)
  )
  func story() async throws {
    try await folder.shell("cp $f/h264.mp4 v/early.mp4")
    let watch = try await folder.start(with: "clipcanvas")
    try await folder.expect(["early.mp4"], by: watch)
    try await folder.shell("cp $f/h264.mp4 v/a.mp4; cp $f/vp9.webm part; mv part v/b.webm")
    try await folder.expect(["a.mp4", "b.webm", "early.mp4"], by: watch)
    // A folder with a folder in it, which arrives whole.
    try await folder.shell("mkdir -p w/x/y; cp $f/h264.mp4 w/x/y/c.mp4; mv w/x v/x")
    try await folder.expect(["a.mp4", "b.webm", "early.mp4", "x/y/c.mp4"], by: watch)
    // Clips in a folder that was made before, and a hard link, which is never closed.
    try await folder.shell("mkdir v/x/z; cp $f/h264.mp4 v/x/z/d.mp4; ln v/a.mp4 v/x/e.mp4")
    try await folder.expect(["a.mp4", "b.webm", "early.mp4", "x/e.mp4", "x/y/c.mp4", "x/z/d.mp4"], by: watch)
    try await folder.shell("mv v/a.mp4 v/renamed.mp4; mv v/x/y v/y; rm v/b.webm; rm -r v/x/z")
    try await folder.expect(["early.mp4", "renamed.mp4", "x/e.mp4", "y/c.mp4"], by: watch)
    // What does not count is passed over, until it is renamed.
    try await folder.shell("cp $f/h264.mp4 v/.hidden.mp4; cp $f/h264.mp4 v/notes.txt; mv v/notes.txt v/last.mp4")
    try await folder.expect(["early.mp4", "last.mp4", "renamed.mp4", "x/e.mp4", "y/c.mp4"], by: watch)
    let before = try ScratchFolder.read(scratch("out/v/early.mp4.png"))
    try await folder.shell("cp $f/rotated-90.mp4 v/early.mp4")
    try await folder.wait(for: watch, "the new cover") {
      try ScratchFolder.read(scratch("out/v/early.mp4.png")) != before
    }
    let run = try await folder.end(watch)
    let made = run.records.filter { $0.status == "cover" }.map(\.clip.path)
    #expect(made.count { $0 == "v/early.mp4" } == 2 && made.count == Set(made).count + 1, "\(made)")
    #expect(run.records.allSatisfy { $0.status == "cover" }, "\(run.essence)")
  }

  @Test(
    "Known failures are counted at the start, without advice that a watch cannot follow, and do not change its status"
  )
  func knownFailures() async throws {
    try await folder.shell("cp $f/sound-only.m4a v/a.mp4; cp $f/h264.mp4 v/b.mp4; touch -d '1 minute ago' v/*")
    let options = ["--size", "64", "-o", "out", "v"]
    #expect(try await Program.run("clipcanvas", ["batch", "-q"] + options, in: scratch.path).exitStatus == 1)
    let watch = try RunningProgram("clipcanvas", ["batch", "--watch"] + options, scratch: scratch)
    try await folder.wait(for: watch, "the start") { try watch.errorOutputSoFar().contains("waiting for clips") }
    watch.send(SIGINT)
    let result = try await watch.end()
    let start = "clipcanvas: 1 known failure skipped; waiting for clips; press Ctrl-C to stop\n"
    #expect(result.errorOutput == start && !(result.text + result.errorOutput).contains("--retry"), "\(result)")
  }

  @Test(
    "A clip that is written slowly is processed when it is closed, or when it stops growing",
    .enabled(if: Scope.isFull)
  )
  func growing() async throws {
    let watch = try await folder.start(with: "clipcanvas")
    let bytes = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    try await write(bytes, as: "v/slow.mp4").close()
    try await folder.expect(["slow.mp4"], by: watch)
    // This one is never closed.
    let open = try await write(bytes, as: "v/open.mp4")
    defer { try? open.close() }
    try await folder.expect(["open.mp4", "slow.mp4"], by: watch)
    let run = try await folder.end(watch)
    #expect(run.records.map(\.status) == ["cover", "cover"], "\(run.essence)")
  }

  /// Writes a file in fifteen steps, which take more than two seconds together, and leaves it open.
  private func write(_ bytes: [UInt8], as name: String) async throws -> FileDescriptor {
    let file = try FileDescriptor.open(
      scratch(name),
      .writeOnly,
      options: [.create, .closeOnExec],
      permissions: .ownerReadWrite
    )
    let size = bytes.count / 15 + 1
    for start in stride(from: 0, to: bytes.count, by: size) {
      try file.writeAll(bytes[start..<min(start + size, bytes.count)])
      try await pause(.milliseconds(150))
    }
    return file
  }

  @Test("A folder that is removed, replaced or moved away is waited for", .enabled(if: Scope.isFull))
  func goneFolder() async throws {
    try await folder.shell("cp $f/h264.mp4 v/a.mp4")
    let watch = try await folder.start()
    try await folder.expect(["a.mp4"], by: watch)
    try await folder.shell("mv v elsewhere")
    try await folder.wait(for: watch, "the notice") {
      try watch.errorOutputSoFar().contains("v is gone; waiting for it")
    }
    #expect(folder.covers() == ["a.mp4.png"], "nothing is removed, because the clip may come back")
    try await folder.shell("mkdir v; cp $f/vp9.webm v/b.webm")
    try await folder.wait(for: watch, "the cover") { folder.covers().contains("b.webm.png") }
    try await folder.shell("cp $f/vp9.webm v/c.webm")
    try await folder.wait(for: watch, "another cover") { folder.covers().contains("c.webm.png") }
    #expect(try watch.errorOutputSoFar().contains("clipcanvas: v is back\n"))
    _ = try await folder.end(watch)
  }

  @Test("A list of ignored files that changes counts at once", .enabled(if: Scope.isFull))
  func ignored() async throws {
    try await folder.shell("mkdir v/raw; echo raw/ > v/.clipcanvasignore; cp $f/h264.mp4 v/raw/a.mp4")
    let watch = try await folder.start()
    try await folder.shell("cp $f/h264.mp4 v/raw/b.mp4; cp $f/h264.mp4 v/c.mp4")
    try await folder.expect(["c.mp4"], by: watch)
    try await folder.shell("rm v/.clipcanvasignore; echo c.mp4 > v/.clipcanvasignore")
    try await folder.expect(["c.mp4", "raw/a.mp4", "raw/b.mp4"], by: watch)
    try await folder.shell("cp $f/h264.mp4 v/raw/d.mp4")
    try await folder.expect(["c.mp4", "raw/a.mp4", "raw/b.mp4", "raw/d.mp4"], by: watch)
    try await folder.shell("echo raw/ > v/.clipcanvasignore; mkdir v/new; echo e.mp4 > v/new/.clipcanvasignore")
    try await folder.shell("cp $f/h264.mp4 v/new/e.mp4; cp $f/h264.mp4 v/f.mp4")
    try await folder.expect(["c.mp4", "f.mp4", "raw/a.mp4", "raw/b.mp4", "raw/d.mp4"], by: watch)
    try await folder.shell("rm v/new/.clipcanvasignore")
    try await folder.expect(["c.mp4", "f.mp4", "new/e.mp4", "raw/a.mp4", "raw/b.mp4", "raw/d.mp4"], by: watch)
    _ = try await folder.end(watch)
  }

  @Test(
    "When more changes come than can be reported, everything is searched and nothing is missed",
    .enabled(if: Scope.isFull)
  )
  func overflow() async throws {
    let watch = try await folder.start()
    watch.send(SIGSTOP)
    // The kernel keeps 16 384 changes.
    try await folder.shell("i=0; while [ $i -lt 9000 ]; do : > v/$i.txt; i=$((i+1)); done; mkdir v/late")
    try await folder.shell("cp $f/h264.mp4 v/late/a.mp4; cp $f/h264.mp4 v/b.mp4")
    watch.send(SIGCONT)
    try await folder.expect(["b.mp4", "late/a.mp4"], by: watch)
    try await folder.shell("cp $f/h264.mp4 v/late/c.mp4; rm v/b.mp4")
    try await folder.expect(["late/a.mp4", "late/c.mp4"], by: watch)
    _ = try await folder.end(watch)
  }

  @Test(
    "At a limit of inotify, the setting is named and the folders are searched",
    .enabled(if: Scope.isFull),
    arguments: ["watches", "instances"]
  )
  func limits(_ limit: String) async throws {
    let most = limit == "watches" ? 3 : 0
    let program = ProjectFolder.program("hurried-watch")
    let script = "echo \(most) > /proc/sys/user/max_inotify_\(limit) && exec '\(program)' batch --watch -o out v"
    try await folder.shell("mkdir v/a v/b v/c v/d; cp $f/h264.mp4 v/d/a.mp4")
    let space = try await Program.runTool("unshare", ["--user", "--map-root-user", "true"])
    guard space.exitStatus == 0 else { return print("skipped: this machine permits no user namespaces") }
    let watch = try RunningProgram(
      tool: "unshare",
      ["--user", "--map-root-user", "sh", "-c", script],
      scratch: scratch
    )
    try await folder.expect(["d/a.mp4"], by: watch)
    let (reason, setting) =
      limit == "watches"
      ? ("watched folders", "watches=524288") : ("programs that watch folders", "instances=512")
    let notice =
      "clipcanvas: not all changes are reported by the system: the limit of \(reason) is reached; the folders are searched "
      + "every 1 seconds, too, until this is run again after 'sudo sysctl fs.inotify.max_user_\(setting)'\n"
    try await folder.wait(for: watch, "the notice") { try watch.errorOutputSoFar().contains(notice) }
    try await folder.shell("cp $f/vp9.webm v/c/b.webm")
    try await folder.expect(["c/b.webm", "d/a.mp4"], by: watch)
    watch.send(SIGINT)
    _ = try await watch.end()
  }

  static let contradictions: [(arguments: [String], message: String)] = [
    (["--dry-run", "v"], "'--watch' cannot be combined with '--dry-run'"),
    (["--force", "v"], "'--watch' cannot be combined with '--force'"),
    (["--files-from", "list"], "'--watch' cannot be combined with '--files-from'"),
    (["--gallery", "-", "v"], "'--watch' cannot be combined with '--gallery -'"),
    (["missing"], "'--watch' is for folders, and 'missing' is not a folder"),
    (
      ["-o", "out", "v", "."],
      "'v' is in '.', and with '--watch' and '-o' a clip has one cover: leave one of them out"
    ),
  ]

  @Test("What cannot be watched is refused", arguments: contradictions)
  func usage(_ mistake: (arguments: [String], message: String)) async throws {
    let result = try await Program.run("clipcanvas", ["batch", "--watch"] + mistake.arguments, in: scratch.path)
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.hasPrefix("clipcanvas: \(mistake.message)\n"), "\(result.errorOutput)")
  }
}
