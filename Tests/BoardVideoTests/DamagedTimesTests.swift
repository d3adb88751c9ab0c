import SystemPackage
import TestSupport
import Testing

/// Clips with a timestamp that no clip can have, beside an intact one.
@Suite("Exporting a board with damaged timestamps")
struct DamagedTimesTests {
  /// Files, their codecs, and by how many seconds the last frames are late; `nil` if all frames last for years, because
  /// a single time cannot be damaged in that container.
  static let clips: [(name: String, codec: String, seconds: String?)] = [
    ("bad.mkv", "libx264", "5e12"), ("bad.mkv", "libx264", "4e6"), ("bad.webm", "libvpx", "5e12"),
    ("bad.flv", "libx264", "4e6"), ("bad.ts", "libx264", "4e6"), ("bad.mpg", "mpeg2video", "5e12"),
    ("bad.ogv", "libtheora", "5e12"), ("bad.nut", "mpeg4", "5e12"), ("bad.wmv", "msmpeg4", "4e6"),
    ("bad.avi", "mpeg4", nil), ("bad.mp4", "libx264", nil),
  ]

  @Test(
    "Its canvas shows the cover, the others play, and the video is as long as they are",
    .enabled(if: Scope.isFull),
    arguments: clips
  )
  func damaged(_ clip: (name: String, codec: String, seconds: String?)) async throws {
    let board = try await ExportBoard("--grid", "2x1")
    try await board.bring("good.mp4", to: "c1", video: "testsrc2=size=160x90:rate=30:duration=1")
    let codec = ["-c:v", clip.codec, "-g", "5", "-bf", "0"]
    // An edit list of MP4 would leave out all but the first frame.
    let options = codec + (clip.name.hasSuffix("mp4") ? ["-use_editlist", "0"] : [])
    try await board.bring(clip.name, to: "c2", video: "testsrc2=size=160x90:rate=25:duration=1", options: options)
    if let seconds = clip.seconds {
      let shift = "if(gte(N\\,20)\\,\(seconds)/TB\\,0)"
      let filter = "setts=pts='PTS+\(shift)':dts='DTS+\(shift)'"
      try await board.ffmpeg(["-i", clip.name, "-c", "copy", "-copyts", "-bsf:v", filter, "late-\(clip.name)"])
      let bytes = try ScratchFolder.read(board.scratch("late-\(clip.name)"))
      try ScratchFolder.write(bytes, to: board.scratch(clip.name))
    } else {
      try Self.slow(board.scratch(clip.name))
    }
    let result = try await board.run(["export", "-o", "out.mp4", "--size", "320x90", "--json"])
    #expect(result.exitStatus == 1)
    let message = "clipcanvas: \(clip.name) of c2 cannot be shown: its timestamps are damaged\n"
    #expect(result.errorOutput == message, "\(result.errorOutput)")
    #expect(result.text.contains(#""frames":30"#))
    let frames = try await board.frames(of: "out.mp4", width: 320, height: 90)
    #expect(frames.count == 30)
  }

  /// Has each frame last for years: in AVI by the scale of the rate, in MP4 by the duration of
  /// samples and the time base.
  private static func slow(_ path: FilePath) throws {
    var bytes = try ScratchFolder.read(path)
    func replace(after name: String, at offset: Int, with value: [UInt8]) throws {
      let word = Array(name.utf8)
      let start = try #require((0..<bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == word })
      bytes.replaceSubrange(start + offset..<start + offset + value.count, with: value)
    }
    if path.extension == "avi" {
      try replace(after: "strh", at: 28, with: [0xFF, 0xFF, 0xFF, 0x7F, 1, 0, 0, 0])
    } else {
      try replace(after: "stts", at: 16, with: [0x0F, 0xFF, 0xFF, 0xFF])
      try replace(after: "mdhd", at: 16, with: [0, 0, 0, 1])
    }
    try ScratchFolder.write(bytes, to: path)
  }
}
