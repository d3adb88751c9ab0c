import Glibc
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
    .enabled(if: Scope.isFull),
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

  @Test(
    "If a pattern gives several clips one cover, the message suggests the token that distinguishes them, in every run",
    .enabled(if: Scope.isFull),
    arguments: [("poster.{ext}", "{stem}"), ("{stem}.{ext}", "{name}")]
  )
  func advice(_ pattern: String, _ token: String) async throws {
    for _ in 0..<2 {
      let result = try await Program.run("clipcanvas", ["batch", "--name", pattern, "-j1", "c"], in: scratch.path)
      let lines = result.errorOutput.split(separator: "\n")
      #expect(result.exitStatus == 1 && lines.count == (token == "{stem}" ? 2 : 1))
      for line in lines {
        #expect(
          line.hasSuffix("; use \(token) in the pattern given with --name") && !line.contains("--force"),
          "\(line)"
        )
      }
    }
  }

  @Test(
    "After their folder was moved, one of two clips still has the cover",
    .enabled(if: Scope.isFull),
    arguments: ["{stem}.{ext}", "poster.jpg"]
  )
  func movedFolder(_ pattern: String) async throws {
    let arguments = ["--name", pattern, "-j1"]
    let first = try await BatchRun(arguments + ["c"], in: scratch.path)
    let covers = try FolderTree(below: scratch("c"))
    try #require(rename(scratch("c").string, scratch("moved").string) == 0)
    for _ in 0..<2 {
      let again = try await BatchRun(arguments + ["moved"], in: scratch.path)
      #expect(again.status == 1 && again.records.allSatisfy { $0.status == "fresh" || $0.reason == "outputDuplicate" })
      let statuses = first.records.map { $0.status == "cover" ? "fresh" : $0.status }
      #expect(again.records.map(\.status) == statuses, "\(again.essence)")
      #expect(try FolderTree(below: scratch("moved")) == covers)
    }
  }

  @Test(
    "A dry run announces a picture that several clips may have once, and names its clip",
    arguments: [[], ["--force"]]
  )
  func dryRun(_ options: [String]) async throws {
    let pictures = ["--name", "{stem}.{ext}", "--storyboard", "--layout", "jellyfin", "-j1"]
    let dry = try await Program.run(
      "clipcanvas",
      ["batch", "--dry-run"] + options + pictures + ["c"],
      in: scratch.path
    )
    #expect(dry.exitStatus == 1)
    #expect(
      dry.text.hasPrefix(
        """
        would make c/a.png
        would make c/a.trickplay/320 - 10x10
        would make c/b.png
        would make c/b.trickplay/320 - 10x10
        dry run: 4 to make, 0 fresh, 0 incomplete, 1 failed; 
        """
      ),
      "\(dry.text)"
    )
    #expect(
      dry.errorOutput
        == "c/a.mp4: the cover of c/a.mkv is also written to c/a.png; use {name} in the pattern given with --name\n"
    )
    let storyboards = ["--no-cover"] + pictures.dropFirst(2)
    let other = try await Program.run("clipcanvas", ["batch", "--dry-run"] + storyboards + ["c"], in: scratch.path)
    #expect(other.text.contains("dry run: 2 to make, 0 fresh, 0 incomplete, 1 failed; "), "\(other.text)")
    #expect(other.errorOutput.hasPrefix("c/a.mp4: c/a.trickplay/320 - 10x10 is the storyboard of c/a.mkv; "))
  }

  @Test("Another clip of the same stem, size and time does not share a cover")
  func twins() async throws {
    for (name, byte) in [("a.mkv", 1), ("a.mp4", 2)] as [(String, UInt8)] {
      try scratch.write(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")) + [byte], as: "c/\(name)")
      try #require(utimensat(AT_FDCWD, scratch("c/\(name)").string, [timespec(), timespec()], 0) == 0)
    }
    let run = try await BatchRun(["--name", "{stem}.{ext}", "-j1", "c"], in: scratch.path)
    #expect(run["a.mkv"]?.status == "cover" && run["a.mp4"]?.reason == "outputDuplicate", "\(run.essence)")
  }

  @Test("A file that clipcanvas did not make is not replaced, whatever the pattern", .enabled(if: Scope.isFull))
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

  @Test(
    "A pattern that cannot work is refused before anything is made",
    .enabled(if: Scope.isFull),
    arguments: contradictions
  )
  func mistakes(_ mistake: (arguments: [String], message: String)) async throws {
    let result = try await Program.run("clipcanvas", mistake.arguments, in: scratch.path)
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.hasPrefix("clipcanvas: \(mistake.message)\n"), "\(result.errorOutput)")
    #expect(try ScratchFolder.names(in: scratch("c")).count == 3)
  }
}
