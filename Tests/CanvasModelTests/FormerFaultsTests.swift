import CanvasModel
import Testing

/// Tests for bugs that earlier implementations of this screen had.
@Suite("Bugs of earlier implementations")
struct FormerFaultsTests {
  private static func selected(_ board: Board) -> [CanvasID] {
    Snapshot(board).canvases.filter(\.isSelected).map(\.id)
  }

  private static let start = Event.recordStart(take: Parts.take(1))

  @Test("Focus is compared by ID, not by object identity, even in copies and restored boards")
  func identity() throws {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c2))
    var copy = try Board(Snapshot(board), revision: board.revision, history: board.history)
    let id = try #require(CanvasID("c" + "2"))
    #expect(copy.send(.tap(id))[0].isChanged)
    #expect(copy.session == .idle && board.session == .previewing(c2))
  }

  @Test("Focus follows its canvas, not a position")
  func position() {
    var board = Board(columns: 3, rows: 1)
    board.send(.tap(c1), .moveCanvas(c1, to: 2))
    #expect(Self.selected(board) == [c1])
    board.send(.tap(c2))
    #expect(board.session == .previewing(c2))
    board.send(.tap(c2))
    #expect(board.session == .idle)
  }

  @Test("A tap never sets the status to recording, not even a deselecting one")
  func tapsRecordNothing() {
    var board = Board(columns: 2, rows: 1)
    for canvas in [c1, c2, c2, c1, c1] {
      let changes = board.send(.tap(canvas))[0].changes
      #expect(!changes.contains { $0.new == .status(.recording) })
      #expect(Snapshot(board).canvases.allSatisfy { $0.status != .recording })
    }
    #expect(Snapshot(board).canvases.allSatisfy { $0.status == .noPreview })
  }

  @Test("The previous focus is cleared and reported, so that there is at most one red border")
  func twoBorders() {
    var board = Board(columns: 2, rows: 2)
    for (canvas, last) in [(c2, c1), (c3, c2), (c4, c3), (c1, c4)] {
      if board.session == .idle { board.send(.select(last)) }
      let changes = board.send(.tap(canvas))[0].changes
      #expect(Self.selected(board) == [canvas])
      #expect(changes.first == Change(canvas: last, key: .isSelected, old: .isSelected(true), new: .isSelected(false)))
    }
  }

  @Test("The lock is enforced by the board, not by the view: no event bypasses it")
  func lock() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1), Self.start)
    for event in [Event.tap(c1), .tap(c2), .select(c2), .preview(c2), .deselect, .stopPreview] {
      let before = board
      #expect(board.send(event) == [.noop(.locked)] && board == before)
      #expect(board.sendTogether(event, event) == (.noop(.locked), nil) && board == before)
    }
    for event in [Event.removeCanvas(c1), .moveCanvas(c1, to: 1), .importClip(c2, Parts.clip("a")), .removeClip(c1)] {
      let before = board
      #expect(board.send(event) == [.refused(.locked)] && board == before)
    }
  }

  @Test("A clip is attached to its take's canvas, not to the one selected when the recorder answers")
  func attached() {
    var board = Board(columns: 2, rows: 1)
    board.send(
      .tap(c1),
      Self.start,
      .recordStop,
      .recordDiscard,
      .tap(c2),
      .recordStart(take: Parts.take(2)),
      .recordStop
    )
    #expect(board.send(.takeFinished(Parts.take(1), Parts.clip("late"))) == [.refused(.wrongTake)])
    #expect(board.send(.takeFailed(Parts.take(1), reason: "late")) == [.noop(.stale)])
    board.send(.takeFinished(Parts.take(2), Parts.clip("b")))
    #expect(board.path(of: c1) == nil && board.path(of: c2) == "b.mp4")
    #expect(board.send(.takeFinished(Parts.take(1), Parts.clip("late"))) == [.refused(.noTake)])
  }

  @Test("After a failed start or at the maximum length, discarding or stopping unlocks the board")
  func lockedForEver() {
    for ending in [[], [Event.recordPause], [.recordStop]] {
      var board = Board(columns: 2, rows: 1)
      board.send([.tap(c1), Self.start] + ending + [.takeFailed(Parts.take(1), reason: "maximum length")])
      #expect(board.session.name == .paused && board.session.take?.interruption == "maximum length")
      var other = board
      board.send(.recordDiscard, .tap(c2))
      #expect(board.session == .previewing(c2))
      other.send(.recordStop, .takeFinished(Parts.take(1), Parts.clip("a")), .tap(c2))
      #expect(other.session == .previewing(c2) && other.path(of: c1) == "a.mp4")
    }
  }

  @Test("A clip always has a path, and a take without a clip fails")
  func nilClip() {
    #expect(ClipFile(path: "") == nil && CoverFile(path: "") == nil)
    var board = Board(columns: 1, rows: 1)
    board.send(.tap(c1), Self.start, .recordStop, .takeFailed(Parts.take(1), reason: "no clip"), .recordDiscard)
    #expect(board.canvases[0].clip == nil && board.canvases[0].cover == .none)
    #expect(board.send(.coverRetry(c1)) == [.refused(.noClip)])
  }

  @Test("A canvas recorded several times counts as one clip")
  func full() {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c1))
    for number in 1...3 {
      let take = Parts.take(number)
      board.send(.recordStart(take: take, replace: true), .recordStop, .takeFinished(take, Parts.clip("\(number)")))
    }
    #expect(board.canvases.filter { $0.clip != nil }.map(\.id) == [c1])
    #expect(board.path(of: c1) == "3.mp4" && board.shows(board.canvases[1]) == .plus)
  }

  @Test("A change is a value that any number of observers can read")
  func observers() {
    var board = Board(columns: 1, rows: 1)
    let changes = board.send(.tap(c1))[0].changes
    #expect(changes.filter { $0.canvas == c1 && $0.key == .isSelected }.count == 1)
    #expect(board.history.transactions.last?.changes == changes)
  }
}
