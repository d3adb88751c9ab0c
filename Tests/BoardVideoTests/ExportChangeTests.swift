import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Clips that are replaced or changed while the composer, stopped in the middle of the video, has read a part of them.
@Suite("Clips that change while a board is exported", .ownThread)
struct ExportChangeTests {
  private static let options = ["--size", "320x90"]

  /// Returns a board whose clips have no compression, so that any change goes unnoticed by a decoder.
  private func board() async throws -> ExportBoard {
    let board = try await ExportBoard("--grid", "2x1")
    for (index, colour) in ["red", "green"].enumerated() {
      try await board.bring(
        "\(index).avi",
        to: "c\(index + 1)",
        video: "color=\(colour):size=160x90:rate=30:duration=2",
        options: ["-c:v", "rawvideo"]
      )
    }
    return board
  }

  /// Exports a board, and makes a change while the video is half done.
  private func export(_ board: ExportBoard, change: () async throws -> Void) async throws -> ProgramResult {
    try await PausedComposer.run(
      ["board", "export", "-o", "out.mp4", "--force", "--quality", "100"] + Self.options,
      atCall: 30,
      of: "avcodec_send_frame",
      in: board.scratch.path
    ) { _ in try await change() }
  }

  @Test(
    "A clip that is changed is named, and the old file stays",
    .enabled(if: Scope.isFull),
    arguments: InPlaceChange.allCases
  )
  func inPlace(_ change: InPlaceChange) async throws {
    let board = try await board()
    let clip = board.scratch("1.avi")
    let (red, green) = (try ScratchFolder.read(board.scratch("0.avi")), try ScratchFolder.read(clip))
    try #require(red.count == green.count)
    try ScratchFolder.write(Array("old".utf8), to: board.scratch("out.mp4"))
    let before = try board.scratch.names()
    let result = try await export(board) { try change.apply(to: clip, with: red) }
    let message = "1.avi of c2: the file was changed while it was read; try again once nothing writes to it"
    #expect(result.exitStatus == 2)
    #expect(result.errorOutput == "clipcanvas: cannot export the board: \(message)\n")
    #expect(try ScratchFolder.read(board.scratch("out.mp4")) == Array("old".utf8))
    #expect(try board.scratch.names() == before)
  }

  @Test("`board clean` removes nothing while the video is made", .enabled(if: Scope.isFull))
  func cleaned() async throws {
    let board = try await board()
    let orphan = board.scratch("board.clips/orphan.avi")
    try FilePath.makeFolder(board.scratch("board.clips"))
    try ScratchFolder.write([0], to: orphan)
    let result = try await export(board) {
      let clean = try await board.run(["clean", "--force"])
      #expect(clean.exitStatus == 3 && clean.errorOutput.contains("another process is exporting the board"))
      #expect(try ScratchFolder.read(orphan) == [0])
    }
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    #expect(try await board.run(["clean", "--force"]).exitStatus == 0)
    #expect(try ScratchFolder.names(in: board.scratch("board.clips")).isEmpty)
  }

  @Test(
    "A clip that is replaced or removed is shown as it was when the export began",
    .enabled(if: Scope.isFull),
    arguments: [true, false]
  )
  func replaced(_ isReplaced: Bool) async throws {
    let board = try await board()
    try await board.export(Self.options, as: "expected.mp4")
    let result = try await export(board) {
      let clip = board.scratch("1.avi")
      try ScratchFolder.remove(clip)
      if isReplaced { try ScratchFolder.write(try ScratchFolder.read(board.scratch("0.avi")), to: clip) }
    }
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let expected = try ScratchFolder.read(board.scratch("expected.mp4"))
    #expect(try ScratchFolder.read(board.scratch("out.mp4")) == expected)
  }
}
