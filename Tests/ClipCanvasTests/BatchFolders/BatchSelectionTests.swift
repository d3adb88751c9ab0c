import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// Which files count as clips, and where their covers are written.
@Suite("clipcanvas batch finds clips")
struct BatchSelectionTests {
  private static let clip = ProjectFolder.fixture("rotated-90.mp4")

  /// Creates a folder with copies of one clip at the given paths, including the necessary subfolders.
  private func clips(_ paths: [String]) throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    for path in paths {
      try FilePath.makeFolders(scratch(path).removingLastComponent())
      try scratch.copy(Self.clip, as: path)
    }
    return scratch
  }

  private func found(_ arguments: [String], in scratch: ScratchFolder) async throws -> [String] {
    try await BatchRun(["-j1", "-o", "covers"] + arguments, in: scratch.path).records.map(\.clip.path)
  }

  @Test("Clips are found in byte order of their names, without hidden files and covers")
  func order() async throws {
    let scratch = try clips([
      "c/b.mp4", "c/B.MP4", "c/a/z.webm", "c/a.mp4", "c/ä.mkv", "c/.hidden.mp4", "c/._b.mp4", "c/.cache/x.mp4",
      "c/b.mp4.png", "c/notes.txt", "c/b.mp4.jpg", "c/mp4", "c/.mp4",
    ])
    let expected = ["c/B.MP4", "c/a/z.webm", "c/a.mp4", "c/b.mp4", "c/ä.mkv"]
    #expect(try await found(["c"], in: scratch) == expected)
    #expect(try await found(["c"], in: scratch) == expected)
    #expect(try FolderTree(below: scratch("covers")).paths == expected.map { $0 + ".png" }.sorted())
  }

  @Test("--exclude and .clipcanvasignore pass over clips in folders, named clips and lists", .enabled(if: Scope.isFull))
  func exclusions() async throws {
    let scratch = try clips(["c/a.mp4", "c/b.mkv", "c/raw/a.mp4", "c/raw/b.mkv", "c/old/a.mp4", "d.mp4", "d.mkv"])
    try scratch.write(Array("old/\n".utf8), as: "c/.clipcanvasignore")
    #expect(try await found(["c"], in: scratch) == ["c/a.mp4", "c/b.mkv", "c/raw/a.mp4", "c/raw/b.mkv"])
    #expect(
      try await found(["--exclude", "*.mkv", "--exclude=/raw", "c", "d.mp4", "d.mkv"], in: scratch) == [
        "c/a.mp4", "d.mp4",
      ]
    )
    try scratch.write(Array("c/raw/a.mp4\nd.mkv\nd.mp4\n".utf8), as: "list")
    let listed = try await found(["--exclude", "raw/", "--exclude", "*.mkv", "--files-from", "list"], in: scratch)
    #expect(listed == ["d.mp4"])
  }

  @Test("A folder with a list of ignored files that cannot be read fails the run", .enabled(if: Scope.isFull))
  func unreadableList() async throws {
    let scratch = try clips(["c/a.mp4", "c/raw/a.mp4"])
    try FilePath.makeFolder(scratch("c/raw/.clipcanvasignore"))
    let run = try await BatchRun(["-j1", "c"], in: scratch.path)
    #expect(run.status == 1 && run.records.map(\.status) == ["cover", "failed"])
  }

  @Test(
    "Covers next to the clips are not taken for clips in any format, even with --all",
    .enabled(if: Scope.isFull),
    arguments: ["png", "jpeg", "webp"]
  )
  func covers(_ format: String) async throws {
    let scratch = try clips(["c/a.mp4"])
    for round in 0..<2 {
      let run = try await BatchRun(["--format", format, "--all", "c"], in: scratch.path)
      #expect(run.records.map(\.clip.path) == ["c/a.mp4"] && run.status == 0)
      #expect(run.summary?.notClips == round)
    }
  }

  @Test("--all recognises clips by content, whatever their extension")
  func all() async throws {
    let scratch = try clips(["c/a.mp4", "c/noending", "c/wrong.txt"])
    try scratch.write(Array("Notes of a meeting.\n".utf8), as: "c/notes.txt")
    try scratch.write(Array("{\"a\": 1}".utf8), as: "c/data.json")
    try scratch.write([], as: "c/empty")
    try scratch.write(Array(repeating: 0, count: 5000), as: "c/zeros.bin")
    try scratch.copy(ProjectFolder.program("faulty-decoder"), as: "c/program")
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/sound.m4a")
    let photo = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", scratch("c/photo.jpg").string]
    )
    try #require(photo.exitStatus == 0)
    let run = try await BatchRun(["--all", "c"], in: scratch.path)
    #expect(run.records.map(\.clip.path).sorted() == ["c/a.mp4", "c/noending", "c/wrong.txt"], "\(run.essence)")
    #expect(run.status == 0 && run.summary?.notClips == 7)
    #expect(try ScratchFolder.names(in: scratch("c")).filter { $0.hasPrefix(".") } == [])
  }

  @Test(
    "The content of a file with a shared extension decides whether its failure is reported",
    .enabled(if: Scope.isFull)
  )
  func sharedExtensions() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    func make(_ name: String, _ arguments: [String]) async throws -> [UInt8] {
      let result = try await Program.runTool(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i"] + arguments + [scratch(name).string]
      )
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
      return try ScratchFolder.read(scratch(name))
    }
    let stream = try await make("a.ts", ["testsrc2=s=160x120:d=1", "-c:v", "mpeg2video"])
    let video = try await make("a.ogv", ["testsrc2=s=160x120:d=1"])
    let sound = try await make("a.oga", ["sine=d=1", "-c:a", "libvorbis"])
    // What follows the first byte of each packet is unreadable, or too little is there. In lines.ts, FFmpeg recognises
    // the container, but not one stream.
    let scrambled = stream.enumerated().map { $0 % 188 == 0 ? $1 : $1 ^ 0x5A }
    for (name, content) in [
      ("scrambled.ts", scrambled), ("lines.ts", Array(repeating: 0xFF, count: 100) + scrambled),
      ("short.ts", Array(stream.prefix(4 * 188))), ("cut.ogg", Array(video.prefix(1000))),
      ("sound.ogg", sound), ("cut-sound.ogg", Array(sound.prefix(1000))),
      ("code.ts", Array("export const greeting = \"Good morning\";\n".utf8)),
    ] {
      try scratch.write(content, as: "c/\(name)")
    }
    for _ in 1...2 {
      let run = try await BatchRun(["--all", "--strict", "-o", "covers", "c"], in: scratch.path)
      let reported = run.records.map(\.clip.path).sorted()
      #expect(reported == ["c/cut.ogg", "c/scrambled.ts", "c/short.ts"], "\(run.essence)")
      #expect(run.status == 1 && run.summary?.notClips == 4)
    }
  }

  @Test("Named files are clips whatever their extension, and missing ones are reported")
  func named() async throws {
    let scratch = try clips(["c/noending", "c/.hidden"])
    let run = try await BatchRun(["c/noending", "c/.hidden", "c/missing.mp4"], in: scratch.path)
    #expect(run.records.map(\.status).sorted() == ["cover", "cover", "failed"])
    #expect(run["missing.mp4"]?.reason == "missing" && run.status == 1)
  }

  @Test(
    "Several folders stay separate in the output folder, and two with the same name are refused",
    .enabled(if: Scope.isFull)
  )
  func severalFolders() async throws {
    let scratch = try clips(["x/one/a.mp4", "y/two/a.mp4", "y/one/b.mp4", "z.mp4"])
    let run = try await BatchRun(["-o", "covers", "x/one", "y/two/", "z.mp4"], in: scratch.path)
    #expect(run.status == 0)
    #expect(try FolderTree(below: scratch("covers")).paths == ["one/a.mp4.png", "two/a.mp4.png", "z.mp4.png"])
    let clash = try await Program.run("clipcanvas", ["batch", "-o", "covers", "x/one", "y/one"], in: scratch.path)
    #expect(clash.exitStatus == 64 && clash.errorOutput.contains("have the same name"))
    #expect(try await BatchRun(["x/one", "y/one"], in: scratch.path).status == 0)
  }

  @Test("Links are followed only with --follow, and never into a loop")
  func links() async throws {
    let scratch = try clips(["c/in/a.mp4", "elsewhere/b.mp4"])
    for (target, link) in [
      ("..", "c/in/up"), (".", "c/in/self"), ("../elsewhere", "c/out"), ("../elsewhere/b.mp4", "c/b.mp4"),
      ("loop.mp4", "c/loop.mp4"), ("nowhere", "c/broken.mp4"),
    ] {
      try #require(symlink(target, scratch(link).string) == 0)
    }
    let plain = try await BatchRun(["-o", "covers", "c"], in: scratch.path)
    #expect(plain.records.map(\.clip.path) == ["c/in/a.mp4"])
    #expect(plain.summary?.passedLinks == 6 && plain.status == 0)
    let followed = try await BatchRun(["--follow", "-o", "covers", "c"], in: scratch.path)
    #expect(
      followed.records.map(\.clip.path).sorted()
        == ["c/b.mp4", "c/broken.mp4", "c/in/a.mp4", "c/loop.mp4", "c/out/b.mp4"]
    )
    #expect(followed["loop.mp4"]?.status == "failed" && followed["broken.mp4"]?.reason == "missing")
    #expect(followed.summary?.passedLinks == 2)
  }

  @Test("A dry run examines ambiguous files, and so counts the same clips as a run; both report what was left out")
  func counts() async throws {
    let scratch = try clips(["c/a.mp4", "c/b.mts", "c/d.ts", "c/@eaDir/e.mp4", "c/m/f.mp4"])
    try scratch.write("export const a = 1;\n".utf8, as: "c/code.mts")
    try scratch.write("export const a = 1;\n".utf8, as: "c/code.ts")
    try scratch.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8), as: "c/photo.thm")
    for name in ["c/m/.nomedia", "c/notes.txt"] { try scratch.write([], as: name) }
    let dry = try await BatchRun(["--dry-run", "-o", "covers", "c"], in: scratch.path)
    #expect(dry.status == 0 && dry.summary?.notClips == 3 && !ProjectFolder.isThere(scratch("covers")))
    let plan = try await Program.run("clipcanvas", ["batch", "--dry-run", "-o", "covers", "c"], in: scratch.path)
    let left = "1 other file not examined (--all), 2 excluded by default (--no-default-excludes)"
    #expect(plan.text.contains("dry run: 3 to make, 0 fresh, 0 incomplete, 0 failed, \(left)"))
    let real = try await BatchRun(["-o", "covers", "c"], in: scratch.path)
    #expect(real.records.count == 3 && real.summary?.covers == 3 && real.summary?.notClips == 3 && real.status == 0)
    #expect(real.summary?.otherFiles == 1 && real.summary?.defaultExclusions == 2)
    let again = try await Program.run("clipcanvas", ["batch", "-o", "covers", "c"], in: scratch.path)
    #expect(again.text.contains(left) && again.exitStatus == 0)
    let all = try await BatchRun(["--no-default-excludes", "-o", "covers", "c"], in: scratch.path)
    #expect(all.summary?.covers == 2 && all.summary?.fresh == 3 && all.summary?.defaultExclusions == 0)
  }

  @Test("Names may be any bytes", .enabled(if: Scope.isFull))
  func oddNames() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    let bytes = try ScratchFolder.read(Self.clip)
    // A walk does not take names such as `pipe:0` for clips.
    let ending = Array(".mp4".utf8)
    let names = (OddNames.all + [Array(repeating: 0x61, count: 247) + ending]).map {
      $0.suffix(4) == ending[...] || $0.count > 240 ? $0 : $0 + ending
    }
    for (number, name) in names.enumerated() {
      try FilePath.makeFolder(scratch("c/\(number)"))
      try ScratchFolder.write(bytes, to: scratch("c/\(number)").bytesAppending(name))
    }
    for place in [["c"], ["-o", "covers", "c"]] {
      let run = try await BatchRun(place, in: scratch.path)
      #expect(run.status == 0 && run.summary?.covers == names.count, "\(run.result.errorOutput)")
    }
    for (number, name) in names.enumerated() {
      for folder in ["c", "covers/c"] {
        let cover = scratch("\(folder)/\(number)").bytesAppending(name + Array(".png".utf8))
        #expect(ProjectFolder.isThere(cover), "\(cover)")
      }
    }
    #expect(try await BatchRun(["c"], in: scratch.path).summary?.fresh == names.count)
  }

  @Test("A list is read from a file or standard input, separated by newlines or NUL bytes")
  func lists() async throws {
    let scratch = try clips(["c/a.mp4", "c/b b.mp4", "c/new\nline.mp4", "-x.mp4"])
    try scratch.write(Array("\nc/a.mp4\n\nc/b b.mp4\n-x.mp4".utf8), as: "lines")
    try scratch.write(Array("c/a.mp4\0\0c/new\nline.mp4\0".utf8), as: "zeros")
    try scratch.write([], as: "none")
    #expect(try await found(["--files-from", "lines"], in: scratch) == ["c/a.mp4", "c/b b.mp4", "-x.mp4"])
    #expect(try await found(["--files-from", "zeros", "-0"], in: scratch) == ["c/a.mp4", "c/new\\x0aline.mp4"])
    #expect(try await found(["--files-from", "none"], in: scratch) == [])
    #expect(try await found(["c/a.mp4", "--files-from", "zeros", "-0"], in: scratch).count == 3)

    let program = ProjectFolder.program("clipcanvas").string
    for command in [
      "cat lines | '\(program)' batch --json -j1 --files-from -",
      "'\(program)' batch --json -j1 --files-from - < lines",
    ] {
      let piped = try BatchRun(of: try await Program.runTool("sh", ["-c", command], in: scratch.path))
      #expect(piped.records.map(\.clip.path) == ["c/a.mp4", "c/b b.mp4", "-x.mp4"] && piped.status == 0)
    }
  }

  @Test("A list that cannot be read ends the run with a reason")
  func badLists() async throws {
    let scratch = try clips(["c/a.mp4"])
    try scratch.write(Array("c/a.mp4\0c/b.mp4\0".utf8), as: "zeros")
    try scratch.write(Array(repeating: 0x61, count: 200_000), as: "endless")
    for (arguments, words) in [
      (["--files-from", "missing"], "cannot read the list of clips from missing: no such file or directory"),
      (["--files-from", "zeros"], "contains NUL bytes: read it with -0"),
      (["--files-from", "endless"], "which is not a path"),
      (["--files-from", "c"], "cannot read the list of clips from c: is a directory"),
    ] {
      let result = try await Program.run("clipcanvas", ["batch"] + arguments, in: scratch.path)
      #expect(result.exitStatus == 2 && result.errorOutput.contains(words), "\(result.errorOutput)")
    }
  }

  @Test(
    "Shards never overlap and together contain every clip, on every machine",
    .enabled(if: Scope.isFull),
    arguments: [1, 2, 3, 5, 7]
  )
  func shards(_ count: Int) async throws {
    func names(_ paths: [String]) -> [Substring?] { paths.map { $0.split(separator: "/").last } }
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    // Shards are chosen by name, so these need not be real clips.
    for number in 0..<30 { try scratch.write([UInt8(number)], as: "c/\(number).mp4") }
    var told: [String] = []
    for index in 1...count {
      let share = try await found(["--shard", "\(index)/\(count)", "c"], in: scratch)
      #expect(share.count > 0)
      let again = try await found(["--shard", "\(index)/\(count)", scratch("c").string], in: scratch)
      #expect(names(again) == names(share))
      told += share
    }
    #expect(told.sorted() == (0..<30).map { "c/\($0).mp4" }.sorted())
  }

  @Test(
    "Invalid usage is refused",
    .enabled(if: Scope.isFull),
    arguments: [
      [], ["-0", "c"], ["--shard", "0/3", "c"], ["--shard", "4/3", "c"], ["--shard", "1", "c"], ["-o", "-", "c"],
      ["--json", "--quiet", "c"], ["-j0", "c"], ["-j257", "c"], ["--timeout", "0", "c"],
    ]
  )
  func usage(_ arguments: [String]) async throws {
    let scratch = try clips(["c/a.mp4"])
    #expect(try await Program.run("clipcanvas", ["batch"] + arguments, in: scratch.path).exitStatus == 64)
    #expect(try ScratchFolder.names(in: scratch("c")) == ["a.mp4"])
  }
}
