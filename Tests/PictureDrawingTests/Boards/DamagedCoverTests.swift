import Glibc
import SystemPackage
import TestSupport
import Testing

/// A cover file is untrusted, so it is decoded like a clip; an unreadable cover is reported and shown struck through.
@Suite("Damaged covers")
struct DamagedCoverTests {
  private static let size = ["--size", "320x180"]

  /// Returns the picture of the same board if no cover could be made for its clip.
  private func missing() async throws -> RawPixels {
    let board = try await RenderBoard("--canvases", "2")
    try await board.bringWithoutCover(["c1"])
    try await board.send(#"{"event":"coverFailed","canvas":"c1","generation":1,"reason":"none"}"#)
    return try await board.pixels(Self.size)
  }

  private func expectMissing(
    _ board: RenderBoard,
    environment: [String: String] = [:],
    at location: SourceLocation = #_sourceLocation
  ) async throws -> ProgramResult {
    let result = try await board.run(["render", "-o", "picture.png"] + Self.size, environment: environment)
    #expect(result.exitStatus == 0 && result.text == "board.json → picture.png  320×180\n", sourceLocation: location)
    #expect(
      result.errorOutput.hasPrefix("clipcanvas: the cover cover.png of c1 cannot be shown: ")
        && result.errorOutput.filter { $0 == "\n" }.count == 1,
      "\(result.errorOutput)",
      sourceLocation: location
    )
    let picture = try await Oracle.pixels(ofPNG: board.scratch("picture.png"), hasAlpha: false)
    #expect(picture.bytes == (try await missing()).bytes, sourceLocation: location)
    return result
  }

  private func board() async throws -> RenderBoard {
    let board = try await RenderBoard("--canvases", "2")
    try await board.claimCover("cover.png", on: "c1")
    return board
  }

  /// Returns the bytes of a valid cover.
  private func cover() async throws -> [UInt8] {
    let scratch = try ScratchFolder()
    let made = try await Program.run(
      "clipcanvas",
      ["cover", "-o", scratch("cover.png").string, ProjectFolder.fixture("1080p.mp4").string]
    )
    try #require(made.exitStatus == 0)
    return try ScratchFolder.read(scratch("cover.png"))
  }

  @Test("A cover that is missing, empty, a folder, a pipe or a dangling link is reported", .enabled(if: Scope.isFull))
  func gone() async throws {
    let board = try await board()
    let path = board.scratch("cover.png")
    #expect(try await expectMissing(board).errorOutput.contains("no such file"))
    try board.scratch.write([], as: "cover.png")
    #expect(try await expectMissing(board).errorOutput.contains("empty"))
    #expect(unlink(path.string) == 0 && mkfifo(path.string, 0o600) == 0)
    #expect(try await expectMissing(board).errorOutput.contains("not a regular file"))
    #expect(unlink(path.string) == 0 && mkdir(path.string, 0o700) == 0)
    #expect(try await expectMissing(board).errorOutput.contains("folder"))
    #expect(rmdir(path.string) == 0 && symlink("nowhere", path.string) == 0)
    _ = try await expectMissing(board)
  }

  @Test(
    "A cover of another file type, a playlist and an oversized picture are reported",
    .enabled(if: Scope.isFull),
    arguments: ["h264.mp4", "palette.gif", "playlist-hls.mp4", "playlist-concat.mp4", "huge.png", "text.mp4"]
  )
  func otherKind(_ fixture: String) async throws {
    let board = try await board()
    try board.scratch.copy(ProjectFolder.fixture(fixture), as: "cover.png")
    _ = try await expectMissing(board)
  }

  @Test("A truncated or damaged cover is reported", .enabled(if: Scope.isFull))
  func damaged() async throws {
    let (board, whole) = (try await board(), try await cover())
    try board.scratch.write(whole.dropLast(20), as: "cover.png")
    #expect(try await expectMissing(board).errorOutput.contains("truncated"))
    var zeroed = whole
    for index in whole.count / 2..<whole.count / 2 + 4000 { zeroed[index] = 0 }
    try board.scratch.write(zeroed, as: "cover.png")
    _ = try await expectMissing(board)
    // The header declares a different number of pixels.
    var taller = whole
    taller[22] = 0x7F
    try board.scratch.write(taller, as: "cover.png")
    _ = try await expectMissing(board)
  }

  @Test(
    "A cover that always breaks the decoder is reported, and a single decoder failure is retried",
    .enabled(if: Scope.isFull),
    arguments: ["killed", "exits", "garbage", "noPicture", "halfPicture"]
  )
  func brokenDecoder(_ fault: String) async throws {
    let (board, cover) = (try await board(), try await cover())
    try board.scratch.write(cover, as: "cover.png")
    let always = try TestDecoder.broken(by: fault, in: board.scratch, as: "each", bytes: cover.count)
    _ = try await expectMissing(board, environment: ["CLIPCANVAS_DECODER": always.string])
    let once = try TestDecoder.broken(by: fault, in: board.scratch, as: "once")
    let again = try await board.run(
      ["render", "--force", "-o", "picture.png"] + Self.size,
      environment: ["CLIPCANVAS_DECODER": once.string]
    )
    #expect(again.exitStatus == 0 && again.errorOutput.isEmpty, "\(again.errorOutput)")
    #expect(try board.scratch.names().contains("mark"), "the decoder did break")
  }

  @Test("The decoder is sandboxed as for clips")
  func sandbox() async throws {
    let board = try await board()
    try board.scratch.write(try await cover(), as: "cover.png")
    let decoder = try TestDecoder.broken(by: "killed", in: board.scratch, missing: "landlock")
    let environment = ["CLIPCANVAS_DECODER": decoder.string]
    let refused = try await board.run(["render", "-o", "a.png", "--sandbox", "require"], environment: environment)
    #expect(refused.exitStatus == 2 && refused.errorOutput.contains("landlock ("))
    let warned = try await board.run(["render", "-o", "a.png"], environment: environment)
    #expect(warned.exitStatus == 0 && warned.errorOutput.contains("clipcanvas: the decoder's sandbox is incomplete"))
    #expect(try await board.render(["--sandbox", "off"]).exitStatus == 0)
  }
}
