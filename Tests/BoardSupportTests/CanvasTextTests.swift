import BoardSupport
import CanvasModel
import Testing

@Suite("Words for boards and canvases")
struct CanvasWordsTests {
  private let c1 = CanvasID(number: 1)

  private func at(_ seconds: Double) throws -> Instant { try #require(Instant(secondsSince1970: seconds)) }

  private func face(_ board: Board, at seconds: Double = 0) throws -> CanvasFace {
    board.face(of: board.canvases[0], at: try at(seconds))
  }

  private func clip(_ path: String) throws -> ClipFile { try #require(ClipFile(path: path)) }

  @Test("A recording has its time, without pauses, and whether it was interrupted")
  func time() throws {
    var board = Board(columns: 2, rows: 1)
    let take = try #require(TakeID("t"))
    for (event, seconds) in [(Event.tap(c1), 0.0), (.recordStart(take: take), 10), (.recordPause, 75.5)] {
      _ = board.apply(event, at: try at(seconds))
    }
    #expect(try face(board, at: 9000).take?.time == "1:05")
    #expect(try face(board).sign == "‖ paused")
    _ = board.apply(.recordResume(), at: try at(100))
    #expect(try face(board, at: 99).take?.time == "1:05")
    #expect(try face(board, at: 104.4).take?.time == "1:09")
    #expect(try face(board, at: 105).take?.time == "1:10")
    #expect(try face(board, at: 100 + 7200).take?.time == "121:05")
    #expect(try face(board).sign == "● REC")
    _ = board.apply(.takeFailed(take, reason: "unplugged"), at: try at(101))
    #expect(try face(board).take?.time == "1:06 interrupted")
    _ = board.apply(.recordStop, at: try at(102))
    #expect(try face(board).sign == "… finalizing")
    _ = board.apply(.recordDiscard, at: try at(103))
    #expect(try face(board).take == nil && face(board).sign == "◉ preview")
  }

  @Test(
    "The name of a clip is the last part of its path, safe on a terminal",
    arguments: [
      ("clip.mp4", "clip.mp4"), ("/a/b/clip.mp4", "clip.mp4"), ("a/\u{1B}[31m.mp4", "\\x1b[31m.mp4"), ("/", ""),
    ]
  )
  func clipName(path: String, expected: String) throws {
    var board = Board(columns: 1, rows: 1)
    #expect(try face(board).clipName == "")
    _ = board.apply(.importClip(c1, try clip(path)), at: try at(0))
    #expect(try face(board).clipName == expected)
  }

  @Test("The headline has revision, session, focus and the number of canvases")
  func headline() throws {
    var board = Board(columns: 1, rows: 1)
    #expect(board.headline == "revision 0 · idle · 1 canvas")
    // Boards of older versions may have such names.
    let old = try #require(CanvasID("a\nb"))
    var snapshot = Snapshot(Board(columns: 2, rows: 1))
    snapshot.canvases[1].id = old
    board = try Board(snapshot, revision: 0, history: History())
    _ = board.apply(.tap(c1), at: try at(0))
    #expect(board.headline == "revision 1 · previewing on c1 · 2 canvases")
    _ = board.apply(.select(old), at: try at(0))
    #expect(board.headline == "revision 2 · selected on a\\x0ab · 2 canvases")
  }

  @Test("New names are free")
  func names() throws {
    var board = Board(columns: 3, rows: 1)
    #expect(board.nextID.description == "c4")
    _ = board.apply(.removeCanvas(c1), at: try at(0))
    #expect(board.nextID.description == "c4")
    #expect(board.nextTake.description == "t2" && board.openTake.description == "none")
  }
}
