import SystemPackage
import TestSupport
import Testing

/// Copies of interlaced H.264 whose frames are stored as two fields, as broadcasters do.
@Suite("clipcanvas remux of frames stored as fields")
struct RemuxFieldTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// libavformat splits the frames of a transport stream into fields, and only the first ones have times.
  @Test("Fields that share a time are joined to frames", .enabled(if: Scope.isFull), arguments: ["mp4", "mov", "mkv"])
  func joined(_ ending: String) async throws {
    // AVI keeps both fields of a frame in one packet, which gets one time in a transport stream.
    let frames = FieldPictures.frames(12)
    let input = "testsrc2=s=64x64:r=25:d=0.48"
    try await TestClip.make("a.avi", inputs: [input], ["-c:v", "libx264", "-bf", "0"], in: scratch)
    var file = try AVIFile(ScratchFolder.read(scratch("a.avi")))
    for (index, frame) in zip(file.videoIndices, frames) { file.chunks[index].data = frame }
    try scratch.write(file.bytes, as: "fields.avi")
    let words = ["-v", "error", "-fflags", "+genpts", "-i", "fields.avi", "-c", "copy", "a.ts"]
    try #require(try await Program.runTool("ffmpeg", words, in: scratch.path).exitStatus == 0)
    let list = ["-v", "error", "-show_entries", "packet=pts", "-of", "csv=p=0", "a.ts"]
    let times = try await Program.runTool("ffprobe", list, in: scratch.path).text
    try #require(times.matches(of: /N\/A/).count == 12, "\(times)")

    try scratch.write(frames.flatMap { $0 }, as: "a.h264")
    let wanted = try await RemuxedVideo(path: scratch("a.h264")).hashes()
    #expect(wanted.count == 12 && Set(wanted).count == 12)
    for (clips, count) in [(["a.ts"], 1), (["a.ts", "a.ts"], 2)] {
      let result = try await scratch.remux(clips + ["-o", "b.\(ending)", "--force"])
      try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let copied = try await RemuxedVideo(path: scratch("b.\(ending)")).frames()
      #expect(copied.map(\.hash) == Array(repeating: wanted, count: count).flatMap { $0 })
      for (number, frame) in copied.enumerated() {
        #expect(abs(frame.time - Double(number) / 25) < 0.0021, "\(frame.time)")
      }
    }
  }
}
