import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas batch --prune and --dry-run")
struct BatchTidyingTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try FilePath.makeFolder(scratch("c/d"))
    for name in ["a.mp4", "b.mp4", "d/c.mp4", "d/e.mp4"] {
      try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "c/\(name)")
    }
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/s.mp4")
  }

  private func batch(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["batch"] + arguments, in: scratch.path)
  }

  /// Runs shell commands; `$f` is the folder of the fixtures.
  private func shell(_ command: String) async throws {
    let script = "f='\(ProjectFolder.fixtures)'; \(command)"
    let result = try await Program.runTool("sh", ["-ec", script], in: scratch.path)
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  private func remove(_ clips: [String]) throws { for clip in clips { try ScratchFolder.remove(scratch("c/\(clip)")) } }

  /// The lines about what was removed, or would be.
  private func removals(_ result: ProgramResult, _ verb: String = "removed") -> [String] {
    result.text.split(separator: "\n").filter { $0.hasPrefix("\(verb) ") }.map { String($0.dropFirst(verb.count + 1)) }
  }

  private static let everything = ["--sheet", "--animate", "--storyboard", "--interval", "0.5s"]

  @Test(
    "Everything made from clips that are gone is removed, and nothing else",
    .enabled(if: Scope.isFull),
    arguments: [[], ["-o", "out"]]
  )
  func prune(_ place: [String]) async throws {
    let start = place.isEmpty ? "c" : "out/c"
    let first = try await batch(Self.everything + place + ["c"])
    try #require(first.exitStatus == 1 && removals(first, "failed").isEmpty, "\(first.text)\(first.errorOutput)")
    _ = try await Program.run(
      "clipcanvas",
      ["cover", "--at", "first,50%", "-o", "\(start)/", "c/b.mp4"],
      in: scratch.path
    )
    // Files of others, however they are named, and the cover of a clip that is elsewhere.
    _ = try await Program.run("clipcanvas", ["cover", "-o", "\(start)/cover.png", "c/a.mp4"], in: scratch.path)
    try scratch.write(Array("mine".utf8), as: "\(start)/b.mp4.sheet.txt")
    try scratch.write(Array("mine".utf8), as: "\(start)/x.png")
    try scratch.write(Array("{}".utf8), as: "\(start)/.x.mp4.failed.json")
    let before = try FolderTree(below: scratch.path).paths
    try remove(["b.mp4", "s.mp4", "d/c.mp4", "d/e.mp4"])
    if !place.isEmpty { try remove(["d"]) }
    let kinds = ["png", "preview.webp", "sheet.png", "storyboard"]
    let gone =
      kinds.map { "\(start)/b.mp4.\($0)" } + ["\(start)/.s.mp4.failed.json"]
      + ["1.png", "2.png"].map { "\(start)/b.mp4.\($0)" }
      + ["c", "e"].flatMap { clip in kinds.map { "\(start)/d/\(clip).mp4.\($0)" } }

    let dry = try await batch(["--prune", "--dry-run"] + Self.everything + place + ["c"])
    #expect(removals(dry, "would remove").sorted() == gone.sorted())
    #expect(dry.text.contains("; 15 to remove; "), "\(dry.text)")
    let left = try await batch(["--prune"] + Self.everything + place + ["c"])
    #expect(left.exitStatus == 0, "\(left.errorOutput)")
    #expect(removals(left).sorted() == gone.sorted())
    let clips = Set(["c/b.mp4", "c/s.mp4", "c/d/c.mp4", "c/d/e.mp4"])
    let after = try FolderTree(below: scratch.path).paths
    #expect(
      after
        == before.filter { path in !clips.contains(path) && !gone.contains { path == $0 || path.hasPrefix($0 + "/") } }
    )
    #expect(
      ProjectFolder.isThere(scratch("\(start)/d")) == place.isEmpty,
      "only a folder whose clips' folder is gone goes"
    )
    #expect(try removals(await batch(["--prune"] + Self.everything + place + ["c"])).isEmpty)
  }

  @Test("Covers follow a pattern, moved folders keep theirs, and other formats count as a clip's")
  func names() async throws {
    let pattern = ["--name", "{stem}-thumb.{ext}"]
    _ = try await batch(pattern + ["c"])
    _ = try await batch(["--format", "webp", "c"])
    #expect(try removals(await batch(["--prune", "--no-cover"] + pattern + ["c"])).isEmpty)
    // Every cover now names a clip that does not exist.
    _ = try await Program.runTool("mv", ["c/d", "c/moved"], in: scratch.path)
    #expect(try removals(await batch(["--prune", "--no-cover"] + pattern + ["c"])).isEmpty)
    try remove(["moved/c.mp4"])
    let result = try await batch(["--prune", "--no-cover"] + pattern + ["c"])
    #expect(removals(result) == ["c/moved/c-thumb.png", "c/moved/c.mp4.webp"])
    #expect(result.exitStatus == 0)
    // A clip that was not in a named folder may be on a disk that is not mounted.
    _ = try await Program.runTool("mv", ["c", "elsewhere"], in: scratch.path)
    try ScratchFolder.remove(scratch("elsewhere/a.mp4"))
    #expect(try removals(await batch(["--prune", "--no-cover"] + pattern + ["elsewhere"])).isEmpty)
  }

  @Test(
    "Pictures that are fresh for a clip in a moved folder stay, however they are named, and go with it",
    .enabled(if: Scope.isFull),
    arguments: [
      (["batch", "--name", "poster.jpg"], ["poster.jpg"]),
      (["batch", "--name", "{name}.{ext}"], ["NAME.png"]),
      (["batch", "--name", "\(longText)-{stem}.jpg"], ["\(longText)-STEM.jpg"]),
      (["cover", "--at", "first,90%", "--name", "{stem}-t.{ext}"], ["STEM-t.1.png", "STEM-t.2.png"]),
      (["cover", "--at", "first,90%", "--name", "poster.png"], ["poster.1.png", "poster.2.png"]),
      (["cover", "--at", "first,90%"], ["NAME.1.png", "NAME.2.png"]),
      (["batch", "--no-cover", "--storyboard", "--layout", "jellyfin"], ["STEM.trickplay"]),
      (
        ["batch", "--no-cover", "--storyboard", "--sheet", "--animate"],
        [
          "NAME.storyboard", "NAME.sheet.png", "NAME.preview.webp",
        ]
      ),
    ],
    ["a", String(repeating: "a", count: 110), String(repeating: "a", count: 248)]
  )
  func movedNames(_ command: (arguments: [String], pictures: [String]), _ stem: String) async throws {
    try await shell("rm -r c; mkdir -p c/x; cp $f/h264.mp4 c/x/\(stem).mp4; cp $f/h264.mp4 c/z.mp4")
    let clips = command.arguments[0] == "batch" ? ["c/x"] : ["c/x/\(stem).mp4"]
    let made = try await Program.run("clipcanvas", command.arguments + clips, in: scratch.path)
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let names = try ScratchFolder.names(in: scratch("c/x"))
    try #require(names.count == command.pictures.count + 1, "\(names)")
    if stem == "a" {
      #expect(
        Set(names)
          == Set(command.pictures.map { $0.replacing("NAME", with: "a.mp4").replacing("STEM", with: "a") } + ["a.mp4"])
      )
    }
    try await shell("mv c/x c/y")
    let name = command.arguments.firstIndex(of: "--name").map { ["--name", command.arguments[$0 + 1]] } ?? []
    let options = command.arguments.contains("--no-cover") || clips != ["c/x"] ? ["--no-cover"] : []
    let run = try await batch(["--prune"] + options + name + ["c"])
    #expect(removals(run).isEmpty && run.exitStatus == 0)
    #expect(try ScratchFolder.names(in: scratch("c/y")) == names)
    try remove(["y/\(stem).mp4"])
    #expect(removals(try await batch(["--prune", "--no-cover"] + name + ["c"])).count == command.pictures.count)
  }

  /// The text of a pattern that leaves little room for the name of a clip.
  private static let longText = String(repeating: "t", count: 140)

  @Test("Covers of clips on another disk are kept when it is not there, in any place")
  func otherDisk() async throws {
    try await shell("mkdir usb; cp $f/h264.mp4 usb/a.mp4")
    _ = try await batch(["-o", "c/covers", "usb"])
    try await shell("mv usb unmounted")
    #expect(removals(try await batch(["--prune", "c"])).isEmpty)
    #expect(ProjectFolder.isThere(scratch("c/covers/usb/a.mp4.png")))
  }

  @Test("Covers of boards are kept, and other folders of such a name are tidied", .enabled(if: Scope.isFull))
  func boards() async throws {
    for command in [["new", "--canvases", "1"], ["clip", "import", "c1", "b.mp4"]] {
      let result = try await Program.run("clipcanvas", ["board"] + command, in: scratch("c"))
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
    }
    let covers = try ScratchFolder.names(in: scratch("c/board.covers"))
    try #require(!covers.isEmpty)
    try await shell("mkdir c/other.covers; cp $f/h264.mp4 c/other.covers/g.mp4")
    _ = try await batch(["c"])
    try remove(["b.mp4", "other.covers/g.mp4"])
    for path in ["c", "c/board.covers"] {
      let run = try await batch(["--prune", "--no-cover", "--force", path])
      #expect(removals(run) == (path == "c" ? ["c/b.mp4.png", "c/other.covers/g.mp4.png"] : []))
    }
    #expect(try ScratchFolder.names(in: scratch("c/board.covers")) == covers)
  }

  @Test(
    "A cover that has the stem of its clip is not taken for a clip of that name",
    .enabled(if: Scope.isFull),
    arguments: ["{ext}", "tbn"]
  )
  func stems(_ ending: String) async throws {
    let pattern = ["--name", "{stem}.\(ending)"]
    let cover = "a.\(ending == "tbn" ? "tbn" : "png")"
    _ = try await batch(pattern + ["c"])
    #expect(try ScratchFolder.names(in: scratch("c")).contains(cover))
    #expect(removals(try await batch(["--prune"] + pattern + ["c"])).isEmpty)
    try remove(["a.mp4"])
    #expect(removals(try await batch(["--prune"] + pattern + ["c"])) == ["c/\(cover)"])
    // Another clip of the same stem keeps it.
    _ = try await Program.runTool("cp", ["c/b.mp4", "c/b.mov"], in: scratch.path)
    try remove(["b.mp4"])
    #expect(removals(try await batch(["--prune", "--no-cover"] + pattern + ["c"])).isEmpty)
  }

  @Test("The storyboards of Jellyfin go with their clips", .enabled(if: Scope.isFull))
  func jellyfin() async throws {
    _ = try await batch(["--storyboard", "--no-cover", "--layout", "jellyfin", "--interval", "0.5s", "c"])
    #expect(try ScratchFolder.names(in: scratch("c")).contains("a.trickplay"))
    try remove(["a.mp4"])
    #expect(removals(try await batch(["--prune", "--no-cover", "c"])) == ["c/a.trickplay/160 - 10x10"])
  }

  @Test("Pictures of a folder without any clips are kept until that is forced")
  func emptyFolder() async throws {
    _ = try await batch(["-o", "out", "c"])
    try remove(["a.mp4", "b.mp4", "s.mp4", "d"])
    let kept = try await batch(["--prune", "-o", "out", "c"])
    #expect(kept.exitStatus == 0 && removals(kept).isEmpty)
    #expect(
      kept.errorOutput
        == "c has no clips, so 5 pictures are kept; check that its disk is mounted, or remove them with --force\n"
    )
    #expect(removals(try await batch(["--prune", "--force", "-o", "out", "c"])).count == 5)
    #expect(try FolderTree(below: scratch("out")).paths.isEmpty)
  }

  @Test("Below another folder, a picture whose clip was in another named folder is kept", .enabled(if: Scope.isFull))
  func otherRoot() async throws {
    _ = try await batch(["-o", "out", "c"])
    try FilePath.makeFolder(scratch("x"))
    _ = try await Program.runTool("mv", ["c", "x/c"], in: scratch.path)
    try ScratchFolder.remove(scratch("x/c/a.mp4"))
    #expect(removals(try await batch(["--prune", "--no-cover", "-o", "out", "x/c"])).isEmpty)
  }

  @Test("A link in place of a picture or a folder is not followed")
  func links() async throws {
    _ = try await batch(["-o", "out", "c"])
    _ = try await Program.runTool("mv", ["out/c/d", "elsewhere"], in: scratch.path)
    _ = try await Program.runTool("ln", ["-s", "../../elsewhere", "out/c/d"], in: scratch.path)
    _ = try await Program.runTool("mv", ["out/c/b.mp4.png", "kept.png"], in: scratch.path)
    _ = try await Program.runTool("ln", ["-s", "../../kept.png", "out/c/b.mp4.png"], in: scratch.path)
    try remove(["b.mp4", "d"])
    #expect(removals(try await batch(["--prune", "--no-cover", "-o", "out", "c"])).isEmpty)
    #expect(try ScratchFolder.names(in: scratch("elsewhere")) == ["c.mp4.png", "e.mp4.png"])
    #expect(ProjectFolder.isThere(scratch("kept.png")) && ProjectFolder.isThere(scratch("out/c/b.mp4.png")))
  }

  @Test("A dry run writes nothing, starts no decoder, and reports what a run then does", .enabled(if: Scope.isFull))
  func dryRun() async throws {
    let arguments = Self.everything + ["-j1", "-o", "out", "c"]
    func dry(_ options: [String]) async throws -> ProgramResult {
      try await Program.run(
        "clipcanvas",
        ["batch", "--dry-run"] + options + arguments,
        in: scratch.path,
        environment: ["CLIPCANVAS_DECODER": "/bin/false"]
      )
    }
    let first = try await dry([])
    #expect(first.exitStatus == 0 && !ProjectFolder.isThere(scratch("out")), "\(first.errorOutput)")
    #expect(first.text.hasPrefix("would make out/c/a.mp4.png\nwould make out/c/a.mp4.storyboard\n"), "\(first.text)")
    #expect(first.text.contains("dry run: 20 to make, 0 fresh, 0 incomplete, 0 failed; "))
    _ = try await batch(arguments)
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "c/a.mp4")
    try scratch.write(Array("mine".utf8), as: "out/c/b.mp4.png")
    let cover = try ScratchFolder.read(scratch("out/c/d/c.mp4.png"))
    try scratch.write(cover.prefix(cover.count / 2), as: "out/c/d/c.mp4.png")
    let before = try FolderTree(below: scratch.path)
    let second = try await dry([])
    #expect(second.exitStatus == 1)
    #expect(
      second.text.hasPrefix(
        """
        would make out/c/a.mp4.png: the clip has changed
        would make out/c/a.mp4.storyboard: the clip has changed
        would make out/c/a.mp4.sheet.png: the clip has changed
        would make out/c/a.mp4.preview.webp: the clip has changed
        would make out/c/d/c.mp4.png: the file is damaged
        dry run: 5 to make, 7 fresh, 0 incomplete, 1 failed, 1 known failure skipped (--retry); 
        """
      ),
      "\(second.text)"
    )
    #expect(second.errorOutput.contains("out/c/b.mp4.png exists and is not a cover made by clipcanvas"))
    #expect(try await dry(["--size", "32", "--retry"]).text.contains("out/c/d/e.mp4.png: made with other options\n"))
    #expect(try await dry(["--force"]).text.contains("out/c/d/e.mp4.png: --force\n"))
    #expect(try FolderTree(below: scratch.path) == before)
  }

  static let contradictions: [(arguments: [String], message: String)] = [
    (["--dry-run", "--gallery", "g.html", "c"], "'--dry-run' writes no files: leave out '--gallery'"),
    (["--dry-run", "--report", "r", "c"], "'--dry-run' writes no files: leave out '--report'"),
    (
      ["--prune", "--files-from", "list"],
      "'--prune' cannot be combined with '--files-from'; use it in a separate run over the folders"
    ),
    (
      ["--prune", "--shard", "1/2", "c"],
      "'--prune' cannot be combined with '--shard'; use it in a separate run over the folders"
    ),
    (
      ["--no-cover", "c"],
      "'--no-cover' leaves nothing to do: add '--storyboard', '--sheet', '--animate' or '--prune'"
    ),
  ]

  @Test("Options that contradict each other are refused", .enabled(if: Scope.isFull), arguments: contradictions)
  func mistakes(_ mistake: (arguments: [String], message: String)) async throws {
    let result = try await batch(mistake.arguments)
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.hasPrefix("clipcanvas: \(mistake.message)\n"), "\(result.errorOutput)")
  }
}
