import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Clips without video")
struct StreamsTests {
  private func failure(of clip: FilePath) throws -> CoverFailure? {
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      #expect(throws: CoverFailure.self) { _ = try ClipDecoder(descriptor: file.rawValue).facts }
    }
  }

  @Test(
    "The message contains the number of audio streams",
    arguments: [
      (0, "contains neither video nor sound"), (1, "no video stream (1 audio stream)"),
      (2, "no video stream (2 audio streams)"),
    ]
  )
  func audioStreams(count: Int, words: String) async throws {
    let scratch = try ScratchFolder()
    try scratch.write(Array("1\n00:00:00,000 --> 00:00:01,000\na subtitle\n".utf8), as: "words.srt")
    let inputs = Array(repeating: ["-f", "lavfi", "-i", "sine=d=0.1"], count: count).flatMap(\.self)
    let maps = (0...count).flatMap { ["-map", "\($0)"] }
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", "words.srt"] + inputs + maps + ["-c:a", "pcm_s16le", "clip.mkv"],
      in: scratch.path
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let failure = try failure(of: scratch("clip.mkv"))
    #expect(failure?.cause == .noVideoStream && failure?.message == words)
  }

  @Test("The message mentions artwork", arguments: ["artwork-only.m4a", "artwork-only.mp3"])
  func artwork(_ fixture: String) throws {
    let failure = try failure(of: ProjectFolder.fixture(fixture))
    #expect(failure?.message == "no video stream (1 audio stream and artwork)")
  }
}
