import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas --name")
struct BatchNameTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for (name, fixture) in [("a.mkv", "1x1.mkv"), ("a.mp4", "h264.mp4"), ("b.mp4", "h264.mp4")] {
      try scratch.copy(ProjectFolder.fixture(fixture), as: "c/\(name)")
    }
  }

  @Test(
    "Of two clips with one place, the first in the order of names keeps it, from run to run",
    arguments: ["-j1", "-j2"]
  )
  func collision(_ jobs: String) async throws {
    let arguments = ["--name", "{stem}-thumb.{ext}", jobs, "c"]
    let first = try await BatchRun(arguments, in: scratch.path)
    #expect(first.status == 1 && first["b.mp4"]?.cover == "c/b-thumb.png")
    let refused = try #require(first.records.first { $0.status == "failed" })
    #expect(refused.reason == "outputDuplicate")
    let owner = refused.clip.path == "c/a.mkv" ? "c/a.mp4" : "c/a.mkv"
    #expect(refused.message == "c/a-thumb.png is the cover of \(scratch(owner))")
    let covers = try FolderTree(below: scratch.path)
    for options in [[], ["--size", "32"], ["--retry"]] {
      let again = try await BatchRun(options + arguments, in: scratch.path)
      #expect(again.records.first { $0.status == "failed" }?.clip.path == refused.clip.path)
      if options.isEmpty { #expect(try FolderTree(below: scratch.path) == covers) }
    }
    let forced = try await BatchRun(["--force"] + arguments, in: scratch.path)
    #expect(forced.records.count { $0.status == "cover" } == 2, "one of the two has the cover: \(forced.essence)")
  }

  @Test("A file that clipcanvas did not make is not replaced, whatever the pattern")
  func foreign() async throws {
    try scratch.write(Array("mine".utf8), as: "c/b.jpg")
    let run = try await BatchRun(["--name", "{stem}.jpg", "c/b.mp4"], in: scratch.path)
    #expect(run.records.first?.reason == "outputExists")
    #expect(try ScratchFolder.read(scratch("c/b.jpg")) == Array("mine".utf8))
  }

  @Test("A single cover takes the pattern, too, and the format of its extension")
  func cover() async throws {
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--name", "{stem}.cover.jpg", "--at", "first,50%", "c/b.mp4"],
      in: scratch.path
    )
    #expect(result.exitStatus == 0)
    #expect(
      try ScratchFolder.names(in: scratch("c")).filter { $0.hasSuffix("jpg") } == ["b.cover.1.jpg", "b.cover.2.jpg"]
    )
    #expect(try ScratchFolder.read(scratch("c/b.cover.1.jpg")).starts(with: [0xFF, 0xD8]))
  }

  static let contradictions: [(arguments: [String], message: String)] = [
    (["batch", "--name", "{stem}", "c"], "'--name {stem}': the pattern has no file extension: end it with .{ext}"),
    (
      ["batch", "--name", "{x}.{ext}", "c"],
      "'--name {x}.{ext}': '{x}' is not a token: use {name}, {stem}, and {ext} at the end"
    ),
    (
      ["batch", "--name", "{stem}.png", "--format", "jpeg", "c"],
      "'--name {stem}.png' and '--format jpeg' name two formats; end the pattern with .{ext}"
    ),
    (
      ["batch", "--name", "{name}.sheet.png", "--sheet", "c"],
      "'--name {name}.sheet.png' is the name that '--sheet' gives to its pictures; use another"
    ),
    (
      ["batch", "--name", "{stem}.{ext}", "--no-cover", "--sheet", "c"],
      "'--name' is for covers: leave out '--no-cover'"
    ),
    (["batch", "--name", "{stem}.{ext}", "--freedesktop", "c"], "'--freedesktop' cannot be combined with '--name'"),
    (
      ["cover", "--name", "{stem}.{ext}", "-o", "x.png", "c/b.mp4"],
      "'-o x.png' already names the cover: leave out '--name'"
    ),
  ]

  @Test("A pattern that cannot work is refused before anything is made", arguments: contradictions)
  func mistakes(_ mistake: (arguments: [String], message: String)) async throws {
    let result = try await Program.run("clipcanvas", mistake.arguments, in: scratch.path)
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.hasPrefix("clipcanvas: \(mistake.message)\n"), "\(result.errorOutput)")
    #expect(try ScratchFolder.names(in: scratch("c")).count == 3)
  }
}
