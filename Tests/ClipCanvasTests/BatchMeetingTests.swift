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

  @Test("Every run reports whose cover is in the way", arguments: [["-j1"], ["-j2"], ["-j1", "--force"]])
  func twoOfAList(_ options: [String]) async throws {
    let scratch = try clips()
    var kept: FolderTree?
    for round in 0..<3 {
      let run = try await run(options, list: ["../one/a.mp4", "one/a.mp4"], in: scratch)
      #expect(run.status == 1 && run.records.count == 2)
      let refused = try #require(run.records.first { $0.status == "failed" }, "\(round): \(run.essence)")
      #expect(refused.reason == "outputDuplicate" && refused.stage == "output")
      let other = refused.clip.path == "one/a.mp4" ? "/one/a.mp4" : "/two/one/a.mp4"
      #expect(refused.message?.contains(other + " has its cover at ../covers/one/a.mp4.png") == true, "\(refused)")
      let covers = try FolderTree(below: scratch("covers"))
      #expect(covers.paths == ["one/a.mp4.png"])
      if let kept { #expect(covers == kept, "round \(round)") }
      kept = covers
    }
  }

  @Test("A list entry does not replace the cover of a clip in a named folder")
  func listAndFolder() async throws {
    let scratch = try clips()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let run = try await run(["-j1", "one"], list: ["../a.mp4"], in: scratch)
    #expect(run["one/a.mp4"]?.status == "cover" && run["../a.mp4"]?.reason == "outputDuplicate", "\(run.essence)")
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
    #expect(run.status == 2 && run.result.errorOutput.contains("holds zero bytes"))
    #expect(run.records.map(\.status) == ["cover"])
  }

  @Test("Two names of one clip do not conflict, nor does a clip that was removed or has changed")
  func noOther() async throws {
    let scratch = try clips()
    let list = ["one/a.mp4", "./one/a.mp4", scratch("two").string + "/../two/one/a.mp4"]
    let one = try await run(["-j1"], list: Array(list.prefix(2)), in: scratch)
    #expect(one.records.map(\.status) == ["cover", "fresh"])
    // The other clip's cover keeps its place until that clip changes or is removed.
    #expect(try await run([], list: ["../one/a.mp4"], in: scratch)["a.mp4"]?.reason == "outputDuplicate")
    try scratch.copy(ProjectFolder.fixture("1x1.mkv"), as: "two/one/a.mp4")
    #expect(try await run([], list: ["../one/a.mp4"], in: scratch)["a.mp4"]?.status == "cover")
    // Covers never conflict without a list, and a stale cover is replaced.
    let named = try await BatchRun(["-o", "../covers/one", "one"], in: scratch("two"))
    #expect(named.status == 0 && named.records.map(\.status) == ["cover"])
  }
}
