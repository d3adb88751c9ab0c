import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A decoder under an attacker's control, in the same sandbox as the real one: its attacks change no cover, exhaust no
/// resources of the machine and reach no terminal.
@Suite("A decoder under an attacker's control", .ownThread)
struct HostileDecoderTests {
  /// Runs a batch with a decoder that performs the given attack.
  private func run(
    _ attack: String,
    clips: Int = 3,
    _ options: [String] = [],
    limits: [String] = [],
    in scratch: ScratchFolder
  ) async throws -> BatchRun {
    if !ProjectFolder.isThere(scratch("clips")) {
      try FilePath.makeFolder(scratch("clips"))
      for number in 0..<clips { try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clips/\(number).mp4") }
    }
    let decoder = try TestDecoder.faulty(["attack": attack], in: scratch)
    let command = [ProjectFolder.program("clipcanvas").string, "batch", "--json", "-o", "covers"] + options + ["clips"]
    return try BatchRun(
      of: try await Program.runTool(
        "env",
        ["CLIPCANVAS_DECODER=\(decoder.string)"] + (limits.isEmpty ? [] : ["prlimit"] + limits) + command,
        in: scratch.path
      )
    )
  }

  /// Checks that the covers are those that an honest decoder makes.
  private func expectHonestCovers(in scratch: ScratchFolder, _ options: [String] = []) async throws {
    let honest = try await BatchRun(["-o", "honest"] + options + ["clips"], in: scratch.path)
    try #require(honest.status == 0)
    let (made, expected) = (try FolderTree(below: scratch("covers")), try FolderTree(below: scratch("honest")))
    #expect(made.differences(from: expected) == [])
  }

  @Test(
    "Writes to a cover after the reply have no effect",
    .enabled(if: Scope.isFull),
    arguments: [[], ["--size", "64"], ["--format", "webp"]]
  )
  func lateWrites(_ options: [String]) async throws {
    let scratch = try ScratchFolder()
    let run = try await run("lateWrites", clips: 8, options, in: scratch)
    #expect(run.status == 0 && run.summary?.covers == 8, "\(run.result.errorOutput)")
    try await expectHonestCovers(in: scratch, options)
  }

  @Test("A cover that the decoder keeps mapped is discarded")
  func keepsMapping() async throws {
    let scratch = try ScratchFolder()
    let run = try await run("keepsMapping", in: scratch)
    #expect(
      run.records.allSatisfy { $0.reason == "invalidReply" && $0.stage == "service" } && run.records.count == 3
    )
    #expect(run.records.allSatisfy { $0.message?.contains("did not release the picture") == true })
    #expect(try FolderTree(below: scratch("covers")).paths.filter { !$0.hasSuffix(".failed.json") } == [])
  }

  @Test("The sandbox keeps the decoder from sealing a cover, and without it the seal is detected")
  func sealsItself() async throws {
    let scratch = try ScratchFolder()
    let locked = try await run("sealsItself", in: scratch)
    #expect(locked.status == 0, "\(locked.essence)")
    let open = try await run("sealsItself", ["--sandbox", "off", "--force"], in: scratch)
    #expect(open.records.allSatisfy { $0.reason == "invalidReply" } && open.status == 1, "\(open.essence)")
  }

  @Test(
    "The sandbox keeps the decoder from sending descriptors, and without it none stays open",
    .enabled(if: Scope.isFull)
  )
  func sendsDescriptors() async throws {
    let scratch = try ScratchFolder()
    let locked = try await run("sendsDescriptors", clips: 20, in: scratch)
    #expect(locked.status == 0, "\(locked.essence)")
    let open = try await run(
      "sendsDescriptors",
      ["--sandbox", "off", "--force", "-j1"],
      limits: ["--nofile=64:64"],
      in: scratch
    )
    #expect(open.records.count == 20 && open.records.allSatisfy { $0.reason == "invalidReply" }, "\(open.essence)")
  }

  @Test("The decoder cannot start threads", arguments: try await DecoderUser.possible())
  func threads(_ user: DecoderUser) async throws {
    let scratch = try ScratchFolder()
    let locked = try await run("threads", clips: 1, ["-j1"], in: scratch)
    #expect(locked.records.first?.warnings?.contains("started 0 threads") == true, "\(locked.essence)")
    let open = try await run("threads", ["-j1", "--sandbox", "off", "--force"], in: scratch)
    #expect(open.records.first?.warnings?.contains("started 200 threads") == true, "the attack can succeed")
  }

  @Test(
    "A forged reply is not believed",
    .enabled(if: Scope.isFull),
    arguments: [
      "oversizes", "forgesSize", "forgesLength", "forgesDuration", "forgesWords", "forgesFacts", "dripsBytes",
    ]
  )
  func forged(_ attack: String) async throws {
    let scratch = try ScratchFolder()
    let run = try await run(attack, clips: 1, ["--size", "64", "--timeout", "1"], in: scratch)
    #expect(run.status == 1 && run.records.count == 1, "\(run.result.errorOutput)")
    #expect(run.records.allSatisfy { ["invalidReply", "timedOut"].contains($0.reason) }, "\(run.essence)")
    #expect(try FolderTree(below: scratch("covers")).paths.filter { !$0.hasSuffix(".failed.json") } == [])
    #expect(run.result.output.count < 10_000)
  }

  @Test(
    "Forged frames of a contact sheet are not believed",
    arguments: ["forgesTiles", "forgesTileSize", "forgesTileCount"]
  )
  func forgedTiles(_ attack: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let decoder = try TestDecoder.faulty(["attack": attack], in: scratch)
    let result = try await Program.run(
      "clipcanvas",
      ["sheet", "a.mp4"],
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
    #expect(result.exitStatus == 1 && result.errorOutput.contains("its tiles are not those of the request"))
    #expect(!ProjectFolder.isThere(scratch("a.mp4.sheet.png")))
  }

  @Test(
    "Forged tiles of one half of a storyboard are not believed, and one decoder makes it",
    .enabled(if: Scope.isFull),
    arguments: ["forgesTiles", "forgesTileSize", "forgesTileCount"]
  )
  func forgedHalf(_ attack: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let decoder = try TestDecoder.faulty(["attack": attack], in: scratch)
    var sheets: [[UInt8]] = []
    for environment in [["CLIPCANVAS_DECODER": decoder.string], [:]] {
      let result = try await Program.run(
        "clipcanvas",
        ["storyboard", "--force", "--interval", "0.1", "a.mp4"],
        in: scratch.path,
        environment: environment
      )
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
      sheets.append(try ScratchFolder.read(scratch("a.mp4.storyboard/0.jpg")))
    }
    #expect(sheets[0] == sheets[1])
  }

  @Test(
    "A forged animation is not believed",
    .enabled(if: Scope.isFull),
    arguments: ["forgesFrames", "forgesTime", "forgesQuality", "forgesFacts"]
  )
  func forgedAnimation(_ attack: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let decoder = try TestDecoder.faulty(["attack": attack], in: scratch)
    for format in ["webp", "gif"] {
      let result = try await Program.run(
        "clipcanvas",
        ["animate", "--format", format, "a.mp4"],
        in: scratch.path,
        environment: ["CLIPCANVAS_DECODER": decoder.string]
      )
      #expect(
        result.exitStatus == 1 && result.errorOutput.contains("the decoder wrote an invalid picture"),
        "\(format)"
      )
      #expect(!ProjectFolder.isThere(scratch("a.mp4.preview.\(format)")))
    }
  }

  @Test("A second reply is not taken for that of the next clip", .enabled(if: Scope.isFull))
  func answersTwice() async throws {
    let scratch = try ScratchFolder()
    let run = try await run("answersTwice", clips: 6, ["-j1"], in: scratch)
    #expect(run.status == 0 && run.records.count == 6, "\(run.essence)")
    try await expectHonestCovers(in: scratch)
  }

  @Test(
    "Terminal escapes from the decoder are never printed",
    .enabled(if: Scope.isFull),
    arguments: ["forgesEscapes", "failsWithEscapes"]
  )
  func escapes(_ attack: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let decoder = try TestDecoder.faulty(["attack": attack], in: scratch)
    for arguments in [
      ["cover", "--force", "a.mp4"], ["cover", "--force", "--json", "a.mp4"], ["batch", "--force", "."],
      ["batch", "--force", "--json", "--report", "report.ndjson", "."], ["probe", "a.mp4"], ["--version"],
    ] {
      let result = try await Program.run(
        "clipcanvas",
        arguments,
        in: scratch.path,
        environment: ["CLIPCANVAS_DECODER": decoder.string]
      )
      let report =
        ProjectFolder.isThere(scratch("report.ndjson")) ? try ScratchFolder.read(scratch("report.ndjson")) : []
      Self.expectHarmless(result.output + Array(result.errorOutput.utf8) + report, "\(arguments)")
    }
    // A second run repeats the note left by the first one.
    let again = try await Program.run("clipcanvas", ["batch", "."], in: scratch.path)
    Self.expectHarmless(again.output + Array(again.errorOutput.utf8), "the note")
  }

  /// Checks that bytes are text without control characters, except newlines, and without bidirectional overrides.
  static func expectHarmless(_ bytes: [UInt8], _ what: String) {
    let harmful = String(decoding: bytes, as: UTF8.self).unicodeScalars.filter { scalar in
      (scalar.value < 0x20 && scalar != "\n") || (0x7F..<0xA0).contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value)
    }
    #expect(harmful.isEmpty, "\(what): \(String(decoding: bytes, as: UTF8.self).debugDescription.prefix(400))")
    #expect(
      !String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains { $0.hasPrefix("d") && $0.hasSuffix("f") }
    )
  }

  @Test(
    "A decoder that never ends is killed by its parent, or by its CPU limit if the parent was killed",
    .enabled(if: Scope.isFull)
  )
  func neverEnds() async throws {
    let scratch = try ScratchFolder()
    let run = try await run("neverEnds", clips: 1, ["--timeout", "1"], in: scratch)
    #expect(run.records.first?.reason == "timedOut")
    try await expectNone(of: scratch("decoder"))

    let decoder = try TestDecoder.faulty(["attack": "neverEnds"], in: scratch, as: "orphan")
    let parent = try RunningProgram(
      "clipcanvas",
      ["cover", "--force", "--timeout", "1", "-o", "cover.png", "clips/0.mp4"],
      scratch: scratch,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
    try await eventually("its decoder has received its request") {
      try Self.processes(of: decoder).compactMap { Int32($0) }.contains { process in
        RunningProgram.openFiles(of: process).contains { $0.hasSuffix("/0.mp4") }
      }
    }
    let process = try #require(try Self.processes(of: decoder).first)
    #expect(try ScratchFolder.read(FilePath("/proc/\(process)/environ")) == [], "a decoder has no environment")
    parent.send(SIGKILL)
    #expect(try await parent.end().exitStatus == 128 + Int(SIGKILL))
    try await expectNone(of: decoder)
  }

  private func expectNone(of decoder: FilePath) async throws {
    try await eventually("its decoder ends") { try Self.processes(of: decoder).isEmpty }
  }

  /// Returns the IDs of the processes that were started under a name.
  private static func processes(of program: FilePath) throws -> [String] {
    try ScratchFolder.names(in: "/proc").filter { name in
      guard Int(name) != nil, let words = try? ScratchFolder.read(FilePath("/proc/\(name)/cmdline")) else {
        return false
      }
      return words.starts(with: Array(program.string.utf8) + [0])
    }
  }
}
