import Glibc
import SystemPackage
import TestSupport
import Testing

/// Compares the parts of clips in a video, and their covers, with the frames that ffmpeg's trim filter passes.
@Suite("Parts of clips in an exported board")
struct ExportTrimTests {
  private static let place = (width: 316, height: 176)
  private static let corners = [(2, 2), (322, 2), (2, 182), (322, 182)]
  private static let mpeg4 = ["-c:v", "mpeg4", "-q:v", "2"]

  /// A container with a clip of 3 s in it, and the part that is played.
  struct Part: Sendable {
    let name: String
    let options: [String]
    let from: Double
    let to: Double?
    /// Whether the file has no colour matrix, so that only grey frames are the same in all programs.
    var isUntagged = false
  }

  private static let groups: [[Part]] = [
    [
      Part(name: "a.mp4", options: ["-bf", "2"], from: 0.8, to: 2.4),
      Part(name: "b.mkv", options: [], from: 0.81, to: 2.43),
      Part(
        name: "c.webm",
        options: ["-c:v", "libvpx", "-b:v", "4M", "-g", "25"],
        from: 1.234,
        to: nil,
        isUntagged: true
      ),
      Part(name: "d.mov", options: ["-g", "12", "-bf", "3"], from: 0.02, to: 1.98),
    ],
    [
      Part(name: "e.ts", options: ["-g", "10"], from: 0.79, to: 2.41),
      Part(name: "f.avi", options: mpeg4 + ["-g", "10"], from: 0.81, to: 2.39, isUntagged: true),
      Part(name: "g.flv", options: ["-g", "250"], from: 0, to: 1.5),
      Part(name: "h.mpg", options: ["-c:v", "mpeg2video", "-q:v", "2", "-bf", "2"], from: 1, to: 2),
    ],
    [
      Part(name: "i.nut", options: mpeg4, from: 2.9, to: nil, isUntagged: true),
      Part(name: "j.wmv", options: ["-c:v", "wmv2", "-q:v", "2"], from: 0.333, to: 2.667, isUntagged: true),
      Part(name: "k.mxf", options: ["-c:v", "mpeg2video", "-q:v", "2"], from: 0.5, to: 0.54),
      Part(name: "l.gif", options: ["-c:v", "gif", "-pix_fmt", "rgb8"], from: 0.4, to: 1.6, isUntagged: true),
    ],
  ]

  private static func trim(_ part: Part) -> String {
    "trim=start=\(part.from)" + (part.to.map { ":end=\($0)" } ?? "")
  }

  private func bring(_ part: Part, to canvas: String, of board: ExportBoard) async throws {
    try await board.bring(
      part.name,
      to: canvas,
      video: "testsrc2=size=320x180:rate=25:duration=3" + (part.isUntagged ? ",hue=s=0" : ""),
      options: part.options
    )
    let end = part.to.map { ["--to", "\($0)"] } ?? []
    try await board.done(["clip", "trim", canvas] + (part.from > 0 ? ["--from", "\(part.from)"] : []) + end)
  }

  @Test(
    "A part has the frames that ffmpeg's trim filter passes, in every container",
    .enabled(if: Scope.isFull),
    arguments: groups.indices
  )
  func frames(_ group: Int) async throws {
    let board = try await ExportBoard("--grid", "2x2")
    let parts = Self.groups[group]
    for (index, part) in parts.enumerated() { try await bring(part, to: "c\(index + 1)", of: board) }
    try await board.export(["--size", "640x360", "--after", "hold"])
    let exported = try await board.frames(of: "out.mp4", width: 640, height: 360)
    let lengths = parts.map { Int(((($0.to ?? 3) - $0.from) * 30).rounded()) }
    #expect(abs(exported.count - (lengths.max() ?? 0)) <= 1, "\(exported.count) frames")
    for (index, part) in parts.enumerated() {
      let filter =
        "\(Self.trim(part)),setpts=PTS-round(\(part.from)/TB),fps=30:start_time=0,"
        + "scale=316:178:flags=bicubic,format=yuv444p,crop=316:176:0:1,format=yuv420p"
      let reference = try await board.frames(
        of: part.name,
        width: Self.place.width,
        height: Self.place.height,
        filter: filter
      )
      try #require(!reference.isEmpty)
      for number in 0..<max(1, lengths[index]) where number < exported.count {
        let shown = exported[number].part(
          x: Self.corners[index].0,
          y: Self.corners[index].1,
          width: Self.place.width,
          height: Self.place.height
        )
        let quality = shown.quality(comparedWith: reference[min(number, reference.count - 1)])
        #expect(quality >= 33, "\(part.name): frame \(number) has \(quality) dB")
      }
    }
  }

  @Test(
    "The cover of a part is the first frame that ffmpeg's trim filter passes",
    arguments: Scope.cases(groups.indices, quick: 1)
  )
  func covers(_ group: Int) async throws {
    let board = try await ExportBoard("--grid", "2x2")
    for (index, part) in Self.groups[group].enumerated() {
      try await bring(part, to: "c\(index + 1)", of: board)
      let path = board.scratch("board.covers/c\(index + 1)-\(3 + 4 * index).png")
      let cover = try await Oracle.pixels(ofPNG: path, hasAlpha: false)
      let reference = try await Oracle.cover(of: board.scratch(part.name), before: Self.trim(part))
      let difference = try #require(PixelDifference(cover, reference))
      #expect(difference.decibels > 30, "\(part.name): \(difference)")
    }
  }

  @Test("The sound of a part starts and ends with it, and so does each repetition")
  func sound() async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let beep = "aevalsrc='if(between(t,1.5,1.6),0.5*sin(2*PI*1000*t),0)':duration=3:sample_rate=48000"
    try await board.bring(
      "a.mp4",
      to: "c1",
      video: "testsrc2=size=320x180:rate=25:duration=3",
      sound: beep,
      options: ["-c:a", "aac"]
    )
    try await board.done(["clip", "trim", "c1", "--from", "1", "--to", "2"])
    try await board.export(["--size", "320x180", "--after", "loop", "--length", "2"])
    let samples = try await board.samples(of: "out.mp4")
    let loud = samples.indices.filter { abs(samples[$0]) > 0.1 }.map { Double($0) / 48_000 }
    let first = try #require(loud.first)
    let second = try #require(loud.first { $0 > 1 })
    #expect(abs(first - 0.5) < 0.02 && abs(second - 1.5) < 0.02, "\(first), \(second)")
    #expect(loud.allSatisfy { (0.48...0.62).contains($0) || (1.48...1.62).contains($0) })
  }

  @Test("A part that the file no longer has is reported, and its canvas shows its cover", .enabled(if: Scope.isFull))
  func beyond() async throws {
    let board = try await ExportBoard("--grid", "2x1")
    let source = "testsrc2=size=320x180:rate=25:duration="
    try await board.bring("a.mp4", to: "c1", video: source + "3")
    try await board.bring("b.mp4", to: "c2", video: source + "1")
    try await board.done(["clip", "trim", "c1", "--from", "2"])
    try await board.ffmpeg(["-i", "b.mp4", "-c", "copy", "a.mp4"])
    let result = try await board.run(["export", "-o", "out.mp4"])
    #expect(result.exitStatus == 1, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("a.mp4 of c1 cannot be shown: the clip has only 1 s, and the part"))
  }

  @Test("A picture of the board has the length of the part, as it has that of a clip")
  func length() async throws {
    var pictures: [[UInt8]] = []
    for (seconds, trim) in [(3, ["--from", "1", "--to", "2"]), (1, []), (3, [])] {
      let board = try await ExportBoard("--grid", "1x1")
      // One colour, so that the cover of the part is that of the clip.
      try await board.bring("a.mp4", to: "c1", video: "color=red:size=320x180:rate=25:duration=\(seconds)")
      if !trim.isEmpty { try await board.done(["clip", "trim", "c1"] + trim) }
      try await board.done(["render", "--labels", "full", "--size", "640x400", "-o", "board.png"])
      pictures.append(try await Oracle.pixels(ofPNG: board.scratch("board.png"), hasAlpha: false).bytes)
    }
    #expect(pictures[0] == pictures[1] && pictures[0] != pictures[2])
  }

  @Test("A clip whose part was cleared is exported as before", .enabled(if: Scope.isFull))
  func cleared() async throws {
    let board = try await ExportBoard("--grid", "1x1")
    try await board.bring("a.mp4", to: "c1", video: "testsrc2=size=320x180:rate=25:duration=3")
    try await board.export(["--size", "320x180"], as: "whole.mp4")
    try await board.done(["clip", "trim", "c1", "--from", "1", "--to", "2"])
    try await board.export(["--size", "320x180"], as: "part.mp4")
    try await board.done(["clip", "trim", "c1", "--clear"])
    try await board.export(["--size", "320x180"], as: "again.mp4")
    let (whole, again) = (board.scratch("whole.mp4"), board.scratch("again.mp4"))
    #expect(try ScratchFolder.read(whole) == ScratchFolder.read(again))
    #expect(try await board.frames(of: "part.mp4", width: 320, height: 180).count == 30)
  }
}
