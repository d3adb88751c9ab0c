import SystemPackage
import TestSupport
import Testing

/// One clip's decoder breaks down; the clip is told to have failed, and the next one has its cover all the same.
@Suite("a decoder that breaks down costs one clip")
struct BrokenDecoderTests {
  struct Fault: CustomTestStringConvertible {
    let name: String
    let reason: String
    let words: String

    var testDescription: String { name }
  }

  static let faults = [
    Fault(name: "killed", reason: "decoderDied", words: "the decoder was ended by signal 9"),
    Fault(name: "exits", reason: "decoderDied", words: "the decoder ended with status 3"),
    Fault(name: "garbage", reason: "decoderNonsense", words: "the decoder answered nonsense"),
    Fault(name: "wrongNumber", reason: "decoderNonsense", words: "the decoder answered nonsense"),
    Fault(name: "noPicture", reason: "decoderNonsense", words: "the decoder wrote no whole picture"),
    Fault(name: "halfPicture", reason: "decoderNonsense", words: "the decoder wrote no whole picture"),
    Fault(name: "silent", reason: "timedOut", words: "gave no answer within 1 seconds"),
  ]

  private func run(_ fault: String, _ arguments: [String], scratch: ScratchFolder) async throws -> ProgramResult {
    try await Program.run(
      "clipcanvas",
      arguments,
      in: scratch.path,
      environment: [
        "CLIPCANVAS_DECODER": ProjectFolder.program("faulty-decoder").string,
        "FAULTY_DECODER_FAULT": fault,
        "FAULTY_DECODER_MARK": scratch("mark").string,
        "FAULTY_DECODER_REAL": ProjectFolder.program("clipcanvas-decoder").string,
      ]
    )
  }

  @Test("in mid-clip", arguments: faults)
  func midClip(_ fault: Fault) async throws {
    let scratch = try ScratchFolder()
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "first.mp4")
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "second.mp4")
    let older = try scratch.write(Array("an older cover".utf8), as: "first.mp4.png")

    let arguments = ["cover", "--json", "--force", "--timeout", "1", "first.mp4", "second.mp4"]
    let records = try CoverRecord.all(in: try await run(fault.name, arguments, scratch: scratch))
    #expect(records.map(\.clip.path) == ["first.mp4", "second.mp4"])
    let first = try #require(records.first)
    #expect(first.status == "failed" && first.reason == fault.reason)
    #expect(first.message?.contains(fault.words) == true, "\(first)")
    #expect(records.last?.status == "cover")
    #expect(try ScratchFolder.read(older) == Array("an older cover".utf8))
    #expect(
      try scratch.names() == ["first.mp4", "first.mp4.png", "mark", "second.mp4", "second.mp4.png"]
    )
  }

  @Test("one of another version is told apart from a broken one")
  func otherVersion() async throws {
    let scratch = try ScratchFolder()
    let result = try await run("otherWire", ["--version"], scratch: scratch)
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput.contains("it is of another version than clipcanvas"))
  }

  @Test("one that cannot be started ends the run with what to do")
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
