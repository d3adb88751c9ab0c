import SystemPackage
import TestSupport
import Testing

/// If a decoder breaks down, its clip is retried once with another decoder, and the other clips still get their covers.
@Suite("A decoder that breaks down costs at most one clip")
struct BrokenDecoderTests {
  struct Fault: CustomTestStringConvertible {
    let name: String
    let reason: String
    let words: String

    var testDescription: String { name }
  }

  static let faults = [
    Fault(name: "killed", reason: "decoderDied", words: "the decoder was killed by signal 9"),
    Fault(name: "exits", reason: "decoderDied", words: "the decoder exited with status 3"),
    Fault(name: "garbage", reason: "invalidReply", words: "the decoder sent an invalid reply"),
    Fault(name: "wrongNumber", reason: "invalidReply", words: "the decoder sent an invalid reply"),
    Fault(name: "noPicture", reason: "invalidReply", words: "the decoder wrote an invalid picture: not a PNG"),
    Fault(
      name: "halfPicture",
      reason: "invalidReply",
      words: "the decoder wrote an invalid picture: truncated or malformed"
    ),
    Fault(
      name: "hugePicture",
      reason: "invalidReply",
      words: "the decoder wrote an invalid picture: 1073741824 bytes, more than the "
    ),
    Fault(
      name: "otherClip",
      reason: "invalidReply",
      words: "the decoder wrote an invalid picture: the text Thumb::URI is missing or wrong"
    ),
    Fault(name: "silent", reason: "timedOut", words: "did not reply within 1 second"),
  ]

  /// - Parameter bytes: The size of the clips that trigger the fault each time, or `nil` for a fault that happens once.
  private func run(
    _ fault: String,
    _ arguments: [String],
    scratch: ScratchFolder,
    bytes: Int? = nil
  ) async throws -> ProgramResult {
    let decoder = try TestDecoder.broken(by: fault, in: scratch, bytes: bytes)
    return try await Program.run(
      "clipcanvas",
      arguments,
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
  }

  /// Creates two clips of different sizes that give the same cover, and returns the size of the first.
  private func twoClips() throws -> (scratch: ScratchFolder, bytes: Int) {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("clips"))
    let clip = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    // An empty `free` box, which players skip.
    try scratch.write(clip + [0, 0, 0, 8] + Array("free".utf8), as: "clips/first.mp4")
    try scratch.write(clip, as: "clips/second.mp4")
    return (scratch, clip.count + 8)
  }

  private static let commands = [
    ["cover", "--json", "--timeout", "1", "clips/first.mp4", "clips/second.mp4"],
    ["batch", "--json", "--timeout", "1", "-j1", "clips"],
  ]

  @Test(
    "A clip is made in the second attempt if the decoder breaks down once",
    .enabled(if: Scope.isFull),
    arguments: faults.filter { !["silent", "otherClip"].contains($0.name) },
    commands
  )
  func once(_ fault: Fault, _ command: [String]) async throws {
    let (scratch, _) = try twoClips()
    let run = try BatchRun(of: try await run(fault.name, command, scratch: scratch))
    #expect(run.status == 0, "\(run.result.errorOutput)")
    #expect(run.records.allSatisfy { $0.status == "cover" } && run.records.count == 2)
    #expect(run["first.mp4"]?.attempts == 2 && run["second.mp4"]?.attempts == nil)
    #expect(
      try ScratchFolder.names(in: scratch("clips"))
        == ["first.mp4", "first.mp4.png", "second.mp4", "second.mp4.png"]
    )
  }

  // `cover` does not retry a clip that used up its time; in a batch, other clips may have slowed down the decoder.
  @Test(
    "A clip that breaks the decoder every time fails and keeps its older cover",
    .enabled(if: Scope.isFull),
    arguments: faults,
    commands
  )
  func eachTime(_ fault: Fault, _ command: [String]) async throws {
    let (scratch, bytes) = try twoClips()
    try #require(try await BatchRun(["--size", "64", "clips"], in: scratch.path).status == 0)
    let older = try ScratchFolder.read(scratch("clips/first.mp4.png"))

    let run = try BatchRun(of: try await run(fault.name, command, scratch: scratch, bytes: bytes))
    #expect(run.status == 1 && run.records.count == 2)
    let first = try #require(run["first.mp4"])
    #expect(first.status == "failed" && first.reason == fault.reason)
    #expect(first.message?.contains(fault.words) == true, "\(first)")
    #expect(first.attempts == (fault.name == "silent" && command[0] == "cover" ? nil : 2))
    #expect(run["second.mp4"]?.status == "cover" && run["second.mp4"]?.attempts == nil)
    #expect(try ScratchFolder.read(scratch("clips/first.mp4.png")) == older)
    let marker = command[0] == "batch" ? [".first.mp4.failed.json"] : []
    #expect(
      try ScratchFolder.names(in: scratch("clips"))
        == marker + ["first.mp4", "first.mp4.png", "second.mp4", "second.mp4.png"]
    )
  }

  @Test("An animation may take ten times as long, and the message contains that time", .enabled(if: Scope.isFull))
  func animation() async throws {
    let (scratch, bytes) = try twoClips()
    let result = try await run(
      "silent",
      ["animate", "--timeout", "1", "clips/first.mp4"],
      scratch: scratch,
      bytes: bytes
    )
    #expect(result.exitStatus == 1)
    let words = "the decoder did not reply within 10 seconds and was stopped; allow more time with --timeout"
    #expect(result.errorOutput.contains(words), "\(result.errorOutput)")
  }

  @Test("A later batch does not start a decoder for a clip that is known to break it", .enabled(if: Scope.isFull))
  func known() async throws {
    let (scratch, bytes) = try twoClips()
    let command = Self.commands[1]
    _ = try await run("killed", command, scratch: scratch, bytes: bytes)
    let second = try BatchRun(of: try await run("killed", command, scratch: scratch, bytes: bytes))
    #expect(second["first.mp4"]?.known == true && second.summary?.decoders == 0 && second.summary?.fresh == 1)
  }

  @Test("No note is left next to a cover that is still fresh", .enabled(if: Scope.isFull))
  func forced() async throws {
    let (scratch, bytes) = try twoClips()
    let names = ["first.mp4", "first.mp4.png", "second.mp4", "second.mp4.png"]
    try #require(try await BatchRun(["clips"], in: scratch.path).status == 0)
    let forced = Self.commands[1] + ["--force"]
    let broken = try BatchRun(of: try await run("killed", forced, scratch: scratch, bytes: bytes))
    #expect(broken["first.mp4"]?.reason == "decoderDied" && broken["first.mp4"]?.attempts == 2)
    #expect(try ScratchFolder.names(in: scratch("clips")) == names)
    #expect(try await BatchRun(["clips"], in: scratch.path).summary?.fresh == 2)
  }

  @Test(
    "A decoder that sends data unasked is replaced four times per attempt before the clip fails",
    .enabled(if: Scope.isFull)
  )
  func speaksUnasked() async throws {
    let (scratch, _) = try twoClips()
    let command = ["cover", "--json", "clips/first.mp4"]
    let run = try BatchRun(of: try await run("speaksUnasked", command, scratch: scratch))
    #expect(run["first.mp4"]?.reason == "decoderDied" && run["first.mp4"]?.attempts == 2)
    #expect(try ScratchFolder.read(scratch("mark.starts")).count == 10)
  }

  @Test("A decoder of another version is reported as such, not as broken")
  func otherVersion() async throws {
    let scratch = try ScratchFolder()
    let result = try await run("otherWire", ["--version"], scratch: scratch)
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("its version differs from that of clipcanvas"))
  }

  @Test("A decoder that cannot be started ends the run with advice")
  func missing() async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"))
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "h264.mp4"],
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": scratch("no-such-decoder").string]
    )
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("which is missing or cannot be run; correct or unset it"))
    #expect(result.errorOutput.contains("CLIPCANVAS_DECODER"))
    #expect(try scratch.names() == ["h264.mp4"])
  }
}
