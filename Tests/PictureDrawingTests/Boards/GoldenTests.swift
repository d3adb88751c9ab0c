import Glibc
import SystemPackage
import TestSupport
import Testing

/// Compares pictures of boards with manually reviewed reference pictures.
///
/// `CLIPCANVAS_RECORD_GOLDEN=1` records new reference pictures and makes the tests fail: review each before committing
/// it.
@Suite("Golden pictures")
struct GoldenTests {
  private static let size = "320x180"

  @Test(
    "A board without clips matches its reference pictures, with and without focus and in preview",
    .enabled(if: Scope.isFull)
  )
  func empty() async throws {
    let board = try await RenderBoard("--grid", "2x2")
    try await expect(board, "empty")
    try await board.done(["select", "c2"])
    try await expect(board, "selected")
    try await board.done(["deselect"])
    try await board.done(["tap", "c3"])
    try await expect(board, "preview")
  }

  @Test(
    "A recording next to playing clips matches its reference pictures from start to end",
    .enabled(if: Scope.isFull)
  )
  func recording() async throws {
    let board = try await RenderBoard("--grid", "3x2")
    try await board.bring([("c1", "1080p.mp4"), ("c4", "rotated-90.mp4")])
    // A clip without a picture has no cover.
    _ = try await board.run(["clip", "import", "--no-check", "c5", ProjectFolder.fixture("sound-only.m4a").string])
    try await board.bringWithoutCover(["c6"])
    try await expect(board, "covers")
    try await board.done(["select", "c1"])
    try await expect(board, "selected-cover")
    try await board.done(["tap", "c2"])
    try await board.done(["record", "start"])
    try await expect(board, "recording")
    try await board.done(["record", "pause"])
    try await expect(board, "paused")
    try await board.done(["record", "stop"])
    try await expect(board, "finalizing")
  }

  @Test("All labels match their reference pictures in both themes, small and large", .enabled(if: Scope.isFull))
  func labels() async throws {
    let board = try await RenderBoard("--grid", "3x2")
    try await board.bring([("c1", "1080p.mp4"), ("c4", "rotated-90.mp4")])
    _ = try await board.run(["clip", "import", "--no-check", "c5", ProjectFolder.fixture("sound-only.m4a").string])
    try await board.send(
      #"{"event":"importClip","canvas":"c6","clip":{"path":"חוף הים.mp4","durationSeconds":3723}}"#
    )
    try await board.done(["tap", "c2"])
    for (name, size) in [("labels-small", "480x270"), ("labels", "1280x720")] {
      try await expect(board, name, ["--size", size, "--labels", "full"])
    }
    try await expect(board, "light", ["--size", "480x270", "--labels", "full", "--theme", "light"])
    try await expect(board, "no-labels", ["--size", "480x270", "--labels", "none"])
  }

  @Test("Covers of every shape fill their canvas or are shown whole on it", .enabled(if: Scope.isFull))
  func shapes() async throws {
    let board = try await RenderBoard("--grid", "4x3")
    try await board.bring([
      ("c1", "1x1.mkv"), ("c2", "2x2.mp4"), ("c3", "1x320.mkv"), ("c4", "wide.mkv"), ("c5", "mirrored-90.mp4"),
      ("c6", "anamorphic.mp4"), ("c7", "vp9-alpha.webm"), ("c8", "gray16.mkv"), ("c9", "palette.gif"),
      ("c10", "hdr10.mp4"), ("c11", "odd-size.mkv"),
    ])
    try await expect(board, "shapes")
    try await expect(board, "shapes-column", ["--grid", "12x1"])
  }

  @Test(
    "Each layout matches its reference picture",
    .enabled(if: Scope.isFull),
    arguments: ["two", "one-left-two-right", "four", "nine"]
  )
  func layout(_ name: String) async throws {
    let board = try await RenderBoard("--layout", name)
    try await board.bring([("c1", "rotated-90.mp4"), ("c2", "h264.mp4")])
    try await expect(board, "layout-\(name)")
  }

  @Test("A thousand canvases match their reference picture", .enabled(if: Scope.isFull))
  func thousand() async throws {
    let board = try await RenderBoard("--canvases", "1000")
    try await board.bring([("c500", "h264.mp4")])
    try await board.done(["tap", "c501"])
    try await expect(board, "thousand", ["--size", "960x540"])
  }

  // MARK: - Comparing

  /// The tolerance per channel, because FFmpeg versions scale slightly differently.
  private static let largestDifference = 12
  /// The maximum fraction of channels outside the tolerance.
  private static let largestShare = 0.002

  private func expect(
    _ board: RenderBoard,
    _ name: String,
    _ options: [String] = [],
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let pixels = try await board.pixels(["--size", Self.size] + options)
    let path = FilePath(#filePath).removingLastComponent().appending("Golden").appending("\(name).png")
    guard getenv("CLIPCANVAS_RECORD_GOLDEN") == nil else {
      try await record(board.scratch("picture.png"), at: path)
      Issue.record("\(name).png was recorded; look at it and run the tests without CLIPCANVAS_RECORD_GOLDEN")
      return
    }
    let golden = try await Oracle.pixels(ofPNG: path, hasAlpha: false)
    try #require(golden.width == pixels.width && golden.height == pixels.height, sourceLocation: location)
    let far = zip(golden.bytes, pixels.bytes).count { abs(Int($0) - Int($1)) > Self.largestDifference }
    let share = Double(far) / Double(golden.bytes.count)
    #expect(share <= Self.largestShare, "\(name): \(far) channels are different", sourceLocation: location)
  }

  /// Stores a reference picture with ffmpeg's best compression.
  private func record(_ picture: FilePath, at path: FilePath) async throws {
    let options = ["-nostdin", "-y", "-v", "error", "-i", picture.string, "-pred", "mixed", "-compression_level", "9"]
    let result = try await Program.runTool(
      "ffmpeg",
      options + ["-map_metadata", "-1", "-fflags", "+bitexact", path.string]
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
  }
}
