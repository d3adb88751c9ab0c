import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Entries of a list whose covers would get the same path below the output folder.
@Suite("clipcanvas batch never replaces the cover of another clip in a list")
struct BatchMeetingTests {
  /// Creates two clips with different covers: `one/a.mp4` and `two/one/a.mp4`.
  private func clips() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    for folder in ["one", "two", "two/one"] { try FilePath.makeFolder(scratch(folder)) }
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "one/a.mp4")
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "two/one/a.mp4")
    return scratch
  }

  /// Runs a batch in the folder `two`, where the covers of `../one/a.mp4` and `one/a.mp4` have the same path.
  private func run(_ arguments: [String], list: [String], in scratch: ScratchFolder) async throws -> BatchRun {
    try scratch.write(Array(list.joined(separator: "\n").utf8), as: "list")
    let options = ["--files-from", "../list", "-o", "../covers"]
    return try await BatchRun(options + arguments, in: scratch("two"))
  }

  @Test(
    "Every run reports whose cover is in the way",
    .enabled(if: Scope.isFull),
    arguments: [["-j1"], ["-j2"], ["-j1", "--force"]]
  )
  func twoOfAList(_ options: [String]) async throws {
    let scratch = try clips()
    var kept: FolderTree?
    for round in 0..<3 {
      let run = try await run(options, list: ["../one/a.mp4", "one/a.mp4"], in: scratch)
      #expect(run.status == 1 && run.records.count == 2)
      let refused = try #require(run.records.first { $0.status == "failed" }, "\(round): \(run.essence)")
      #expect(refused.reason == "outputDuplicate" && refused.stage == "output")
      let other = scratch(refused.clip.path == "one/a.mp4" ? "one/a.mp4" : "two/one/a.mp4")
      let message =
        options.contains("--force")
        ? "the cover of \(other) is also written to ../covers/one/a.mp4.png"
        : "../covers/one/a.mp4.png is the cover of \(other)"
      #expect(refused.message == message)
      let covers = try FolderTree(below: scratch("covers"))
      #expect(covers.paths == ["one/a.mp4.png"])
      if let kept { #expect(covers == kept, "round \(round)") }
      kept = covers
    }
  }

  @Test("A list entry does not replace the cover of a clip in a named folder")
  func listAndFolder() async throws {
    let scratch = try clips()
    let run = try await run(["-j1", "one"], list: ["../one/a.mp4"], in: scratch)
    #expect(run.records.map(\.status) == ["cover", "failed"] && run.records.last?.reason == "outputDuplicate")
  }

  @Test("A clip named more than once gets its cover once", arguments: ["-j1", "-j4"])
  func namedTwice(_ jobs: String) async throws {
    let scratch = try clips()
    let run = try await BatchRun([jobs, "one/a.mp4", "one/a.mp4", "one/a.mp4"], in: scratch.path)
    #expect(run.records.map(\.status) == ["cover", "fresh", "fresh"])
  }

  @Test("Finished covers are reported even if the rest of the list cannot be read")
  func brokenList() async throws {
    let scratch = try clips()
    let result = try await Program.run(
      "clipcanvas",
      ["batch", "--json", "-j1", "--files-from", "-", "-o", "covers"],
      input: "one/a.mp4\nnext\0\n",
      in: scratch.path
    )
    let run = try BatchRun(of: result)
    #expect(run.status == 2 && run.result.errorOutput.contains("contains NUL bytes"))
    #expect(run.records.map(\.status) == ["cover"])
  }

  @Test("Two names of one clip do not conflict, nor does a clip that was removed", .enabled(if: Scope.isFull))
  func noOther() async throws {
    let scratch = try clips()
    let list = ["one/a.mp4", "./one/a.mp4", scratch("two").string + "/../two/one/a.mp4"]
    let one = try await run(["-j1"], list: Array(list.prefix(2)), in: scratch)
    #expect(one.records.map(\.status) == ["cover", "fresh"])
    // The other clip's cover keeps its place until that clip is removed, or the cover is replaced by force.
    #expect(try await run([], list: ["../one/a.mp4"], in: scratch)["a.mp4"]?.reason == "outputDuplicate")
    try scratch.copy(ProjectFolder.fixture("1x1.mkv"), as: "two/one/a.mp4")
    #expect(try await run([], list: ["../one/a.mp4"], in: scratch)["a.mp4"]?.reason == "outputDuplicate")
    #expect(try await run(["--force"], list: ["../one/a.mp4"], in: scratch)["a.mp4"]?.status == "cover")
    #expect(try await run([], list: ["one/a.mp4"], in: scratch)["a.mp4"]?.reason == "outputDuplicate")
    try ScratchFolder.remove(scratch("one/a.mp4"))
    #expect(try await run([], list: ["one/a.mp4"], in: scratch)["a.mp4"]?.status == "cover")
  }

  @Test("Folders of one name do not take each other's places from run to run")
  func runs() async throws {
    let scratch = try clips()
    let other = ["--size", "32", "-o", "covers", "two/one"]
    #expect(try await BatchRun(["-o", "covers", "one"], in: scratch.path)["a.mp4"]?.cover == "covers/one/a.mp4.png")
    let cover = try ScratchFolder.read(scratch("covers/one/a.mp4.png"))
    let refused = try await BatchRun(other, in: scratch.path)
    #expect(refused.status == 1)
    #expect(
      refused["a.mp4"]?.message == "covers/one/a.mp4.png is the cover of \(scratch("one/a.mp4"))",
      "\(refused.essence)"
    )
    #expect(try ScratchFolder.read(scratch("covers/one/a.mp4.png")) == cover)
    // The same holds for single covers in a folder; a file that was named itself is replaced.
    let single = ["cover", "--json", "-o"]
    let inFolder = try await Program.run("clipcanvas", single + ["covers/one/", "two/one/a.mp4"], in: scratch.path)
    #expect(inFolder.exitStatus == 1 && inFolder.text.contains("outputDuplicate"))
    let named = try await Program.run("clipcanvas", single + ["x.png", "one/a.mp4"], in: scratch.path)
    let again = try await Program.run("clipcanvas", single + ["x.png", "two/one/a.mp4"], in: scratch.path)
    #expect(named.exitStatus == 0 && again.exitStatus == 0)
    #expect(try await BatchRun(other + ["--force"], in: scratch.path)["a.mp4"]?.status == "cover")
  }

  @Test(
    "Another clip of the same size and time is another clip",
    .enabled(if: Scope.isFull),
    arguments: [[], ["--storyboard", "--sheet", "--animate"]]
  )
  func twins(_ kinds: [String]) async throws {
    let scratch = try clips()
    // What follows the end of a clip is not read.
    for (folder, byte) in [("one", 1), ("two/one", 2)] as [(String, UInt8)] {
      try scratch.write(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")) + [byte], as: "\(folder)/a.mp4")
      try #require(utimensat(AT_FDCWD, scratch("\(folder)/a.mp4").string, [timespec(), timespec()], 0) == 0)
    }
    let options = ["--json", "-j1", "-o", "covers"] + (kinds.isEmpty ? [] : ["--no-cover"]) + kinds
    #expect(try await Program.run("clipcanvas", ["batch"] + options + ["one"], in: scratch.path).exitStatus == 0)
    let before = try FolderTree(below: scratch("covers"))
    let second = try await Program.run("clipcanvas", ["batch"] + options + ["two/one"], in: scratch.path)
    #expect(second.exitStatus == 1)
    #expect(second.text.components(separatedBy: #""reason":"outputDuplicate""#).count == max(1, kinds.count) + 1)
    #expect(try FolderTree(below: scratch("covers")) == before)
    // A file that was named itself is replaced.
    for clip in ["one/a.mp4", "two/one/a.mp4"] {
      let cover = try await Program.run("clipcanvas", ["cover", "-o", "x.png", clip], in: scratch.path)
      #expect(cover.exitStatus == 0 && !cover.text.contains("fresh"))
    }
    // By force, it replaces the older cover, but of two in one run only the first is made.
    #expect(try await BatchRun(["--force", "-o", "covers", "two/one"], in: scratch.path)["a.mp4"]?.status == "cover")
    let both = try await run(["-j1", "--force"], list: ["../one/a.mp4", "one/a.mp4"], in: scratch)
    #expect(both.records.map(\.status) == ["cover", "failed"] && both.records.last?.reason == "outputDuplicate")
    // A clip that was moved, and a copied folder, keep their covers.
    try #require(rename(scratch("one").string, scratch("three").string) == 0)
    _ = try await Program.runTool("cp", ["-rp", "three", "one"], in: scratch.path)
    _ = try await BatchRun(["three"], in: scratch.path)
    _ = try await Program.runTool("cp", ["-rp", "three", "four"], in: scratch.path)
    #expect(try await BatchRun(["four"], in: scratch.path)["a.mp4"]?.status == "fresh")
  }

  @Test(
    "A copied folder keeps its covers, which name the clips of the original, and may replace them",
    .enabled(if: Scope.isFull)
  )
  func copiedFolder() async throws {
    let scratch = try clips()
    _ = try await BatchRun(["--storyboard", "--layout", "jellyfin", "one"], in: scratch.path)
    _ = try await Program.runTool("cp", ["-r", "one", "copy"], in: scratch.path)
    let copy = try await BatchRun(["--storyboard", "--layout", "jellyfin", "--size", "32", "copy"], in: scratch.path)
    #expect(copy.status == 0 && copy.records.map(\.status) == ["cover", "storyboard"], "\(copy.essence)")
  }
}
