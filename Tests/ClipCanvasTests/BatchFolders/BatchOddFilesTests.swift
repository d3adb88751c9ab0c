import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Files that are not ordinary clips: each has to be reported, and none may hold up the others.
@Suite("clipcanvas batch is not held up by odd files", .ownThread)
struct BatchOddFilesTests {
  private static let clip = ProjectFolder.fixture("rotated-90.mp4")

  private func folder() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(Self.clip, as: "c/zz.mp4")
    return scratch
  }

  private func date(_ path: FilePath, _ seconds: Int) throws {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    guard utimensat(AT_FDCWD, path.string, times, 0) == 0 else { throw Errno(rawValue: errno) }
  }

  @Test("A pipe, a socket, a folder named like a clip, an empty file and a sparse terabyte do not hold up the run")
  func kinds() async throws {
    let scratch = try folder()
    try #require(mkfifo(scratch("c/pipe.mp4").string, 0o600) == 0)
    try #require(mknod(scratch("c/socket.mp4").string, S_IFSOCK | 0o600, 0) == 0)
    try FilePath.makeFolder(scratch("c/folder.mp4"))
    try scratch.write([], as: "c/empty.mp4")
    let sparse = try scratch.write([], as: "c/sparse.mp4")
    try #require(truncate(sparse.string, 1 << 40) == 0)
    let run = try await BatchRun(["--timeout", "10", "c"], in: scratch.path)
    #expect(run.status == 1 && run.records.count == 5, "\(run.essence)")
    #expect(run["pipe.mp4"]?.reason == "notRegular" && run["socket.mp4"]?.reason == "notRegular")
    #expect(run["empty.mp4"]?.status == "incomplete" && run["empty.mp4"]?.reason == "empty")
    #expect(run["sparse.mp4"]?.status == "incomplete" && run["sparse.mp4"]?.reason == "truncated")
    #expect(run["zz.mp4"]?.status == "cover")
  }

  @Test("A device is refused", .enabled(if: geteuid() == 0, "making one takes root"))
  func device() async throws {
    let scratch = try folder()
    // /dev/zero under another name; reading it would never end.
    try #require(mknod(scratch("c/zero.mp4").string, S_IFCHR | 0o600, 0x105) == 0)
    let run = try await BatchRun(["c"], in: scratch.path)
    #expect(run["zero.mp4"]?.reason == "notRegular" && run["zz.mp4"]?.status == "cover")
  }

  @Test(
    "A clip and a folder without read permission are reported",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "becoming another user takes root")
  )
  func unreadable() async throws {
    let scratch = try folder()
    try scratch.copy(Self.clip, as: "c/secret.mp4")
    try FilePath.makeFolder(scratch("c/locked"))
    for (path, mode) in [("c/secret.mp4", 0o000), ("c/locked", 0o000), ("c", 0o777), (".", 0o755)] {
      try #require(chmod(scratch(path).string, mode_t(mode)) == 0)
    }
    // The build folder may be accessible to root only.
    let programs = try ScratchFolder()
    try #require(chmod(programs.path.string, 0o755) == 0)
    for program in ["clipcanvas", "clipcanvas-decoder"] {
      try await programs.install(ProjectFolder.program(program), as: program)
    }
    let arguments = ["--reuid=65534", "--regid=65534", "--clear-groups", programs("clipcanvas").string]
    let result = try await Program.runTool("setpriv", arguments + ["batch", "--json", "c"], in: scratch.path)
    let run = try BatchRun(of: result)
    #expect(run.status == 1 && run.records.count == 3, "\(result.errorOutput)")
    #expect(run["secret.mp4"]?.reason == "denied" && run["locked"]?.reason == "denied")
    #expect(run["locked"]?.message?.contains("the folder cannot be read: permission denied") == true)
    #expect(run["zz.mp4"]?.status == "cover")
    // Every shard finds the folder, and the first one reports it.
    for (share, isReporting) in [("1/2", true), ("2/2", false)] {
      let result = try await Program.runTool(
        "setpriv",
        arguments + ["batch", "--json", "--shard", share, "c"],
        in: scratch.path
      )
      #expect((try BatchRun(of: result)["locked"] != nil) == isReporting)
    }
    // A user who may read the clip gets its cover in the next run.
    #expect(try await BatchRun(["c"], in: scratch.path).status == 0)
  }

  @Test(
    "A folder for covers that is not writable is reported once, before any clip is decoded",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "becoming another user takes root"),
    arguments: [["-j1"], ["-j4"], ["--no-cover", "--storyboard"], ["--no-cover", "--sheet", "--animate"], ["--json"]]
  )
  func readOnlyOutput(_ options: [String]) async throws {
    let scratch = try folder()
    for number in 1...5 { try scratch.copy(Self.clip, as: "c/\(number).mp4") }
    try FilePath.makeFolder(scratch("out"))
    for (path, mode) in [("c", 0o755), (".", 0o755), ("out", 0o555)] {
      try #require(chmod(scratch(path).string, mode_t(mode)) == 0)
    }
    let programs = try ScratchFolder()
    try #require(chmod(programs.path.string, 0o755) == 0)
    for program in ["clipcanvas", "clipcanvas-decoder", "clipcanvas-view"] {
      try await programs.install(ProjectFolder.program(program), as: program)
    }
    func run(_ options: [String]) async throws -> ProgramResult {
      try await Program.runTool(
        "setpriv",
        ["--reuid=65534", "--regid=65534", "--clear-groups", programs("clipcanvas").string, "batch"] + options + ["c"],
        in: scratch.path
      )
    }
    let result = try await run(options + ["-o", "out"])
    #expect(result.exitStatus == 2 && result.text.isEmpty, "\(result.text)")
    #expect(
      result.errorOutput == "clipcanvas: cannot write to the folder out: permission denied; specify another with -o\n"
    )
    #expect(try ScratchFolder.names(in: scratch("out")).isEmpty)
    // A dry run and covers that are up to date take no writing.
    #expect(try await run(["--dry-run", "-o", "out"]).exitStatus == 0)
    #expect(try await Program.run("clipcanvas", ["batch", "-o", "out", "c"], in: scratch.path).exitStatus == 0)
    let again = try await run(["-o", "out"])
    #expect(again.exitStatus == 0 && again.text.contains("6 fresh"), "\(again.text)\(again.errorOutput)")
  }

  // After 2262, nanoseconds since 1970 do not fit in 64 bits. A file system that cannot store a date clamps it.
  @Test(
    "Dates from 1901 to 2400 are handled",
    .enabled(if: Scope.isFull),
    arguments: [-2_147_483_648, -1, 0, 4_294_967_295, 10_413_792_000, 13_569_465_600]
  )
  func dates(_ seconds: Int) async throws {
    let scratch = try folder()
    try date(scratch("c/zz.mp4"), seconds)
    let run = try await BatchRun(["c"], in: scratch.path)
    #expect(run.status == 0 && run.summary?.covers == 1, "\(run.result.errorOutput)")
    #expect(try await BatchRun(["c"], in: scratch.path).summary?.fresh == 1)
  }

  // The names of covers and notes are longer by up to 20 bytes.
  private static let lengths = Array(stride(from: 196, to: 235, by: LongForm.isWanted ? 1 : 4)) + Array(235...255)

  @Test(
    "A long name gets shortened names for its cover and its note",
    .enabled(if: Scope.isFull),
    arguments: ["a", "日"]
  )
  func longName(letter: String) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    // Two names that differ only at the end, in a folder for each length; one clip gives a cover, the other does not.
    let names = try Self.lengths.map { bytes in
      let stem = String(repeating: letter, count: (bytes - 5) / letter.utf8.count)
      let names = ["1.mp4", "2.mp4"].map { stem + String(repeating: "x", count: bytes - 5 - stem.utf8.count) + $0 }
      try #require(names.allSatisfy { $0.utf8.count == bytes })
      try FilePath.makeFolder(scratch("c/\(bytes)"))
      try scratch.copy(Self.clip, as: "c/\(bytes)/" + names[0])
      try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/\(bytes)/" + names[1])
      return names
    }
    let run = try await BatchRun(["c"], in: scratch.path)
    #expect(run.records.count == 2 * names.count)
    for names in names {
      #expect(run[names[0]]?.status == "cover" && run[names[1]]?.status == "failed", "\(names[0].utf8.count)")
    }
    let second = try await BatchRun(["c"], in: scratch.path)
    #expect(second.summary?.fresh == names.count && second.summary?.known == names.count)
    #expect(second.summary?.decoders == 0)
    for bytes in Self.lengths { #expect(try ScratchFolder.entries(of: scratch("c/\(bytes)")).count == 4, "\(bytes)") }
    let paths = zip(Self.lengths, names).map { "c/\($0)/" + $1[0] }
    let alone = try await Program.run("clipcanvas", ["cover"] + paths, in: scratch.path)
    let fresh = alone.text.split(separator: "\n").count { $0.contains("fresh") }
    #expect(fresh == names.count && alone.exitStatus == 0, "\(alone.text) \(alone.errorOutput)")
  }

  @Test("Folders may be renamed and clips may change while a batch runs", .enabled(if: Scope.isFull))
  func changing() async throws {
    let scratch = try folder()
    let bytes = try ScratchFolder.read(Self.clip)
    for number in 0..<30 {
      try FilePath.makeFolder(scratch("c/\(number)"))
      for clip in 0..<8 { try scratch.write(bytes, as: "c/\(number)/\(clip).mp4") }
    }
    let program = try RunningProgram("clipcanvas", ["batch", "--json", "-j2", "c"], scratch: scratch)
    var numbers = SeededNumbers(seed: 8)
    while !program.hasEnded {
      let folder = Int.random(in: 0..<30, using: &numbers)
      let clip = Int.random(in: 0..<12, using: &numbers)
      let path = "c/\(folder)/\(clip).mp4"
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0: _ = unlink(scratch(path).string)
      case 1: _ = rename(scratch("c/\(folder)").string, scratch("c/gone-\(folder)").string)
      case 2: _ = try? scratch.write(bytes.prefix(Int.random(in: 0..<bytes.count, using: &numbers)), as: path)
      default: _ = try? scratch.write(bytes, as: path)
      }
      try await pause(.microseconds(300))
    }
    let run = try BatchRun(of: try await program.end())
    #expect(run.status <= 1 && run.summary != nil, "\(run.result.errorOutput)")
    #expect(Set(run.records.map(\.clip.path)).count == run.records.count && run.records.count > 30)
    // Once nothing changes any more, the last run has nothing to do.
    _ = try await BatchRun(["c"], in: scratch.path)
    let rest = try await BatchRun(["c"], in: scratch.path)
    #expect(
      rest.summary?.covers == 0
        && rest.summary?.known == (rest.summary?.failed ?? 0) + (rest.summary?.incomplete ?? 0)
          - (rest.records.filter { $0.reason == "empty" }.count)
    )
  }
}
