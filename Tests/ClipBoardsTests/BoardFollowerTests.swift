import ClipBoards
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("The example that follows a board")
struct BoardFollowerTests {
  @Test("It prints the changes of another program")
  func changes() async throws {
    let scratch = try ScratchFolder()
    let board = try await ClipBoard.create(scratch("board.json").string, columns: 2, rows: 2)
    let follower = try RunningProgram("board-follower", [board.path], scratch: scratch)
    try await eventually("the board is printed") { try follower.outputSoFar().contains("4 canvases, 0 with a clip") }
    #expect(try await Program.run("clipcanvas", ["board", "select", "c3", "--board", board.path]).exitStatus == 0)
    try await eventually("the change is printed") {
      try follower.outputSoFar().contains("1: c3 isSelected: isSelected(false) → isSelected(true)")
    }
    follower.send(SIGTERM)
    _ = try await follower.end()
  }
}
