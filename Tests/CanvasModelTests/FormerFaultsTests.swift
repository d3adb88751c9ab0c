import CanvasModel
import Testing

/// What earlier implementations of this screen did wrong.
@Suite("a fault of an earlier implementation")
struct FormerFaultsTests {
  private static func selected(_ board: Board) -> [CanvasID] {
    Snapshot(board).canvases.filter(\.isSelected).map(\.id)
  }

  private static let start = Event.recordStart(take: Parts.take(1))

  @Test("focus compared by object identity: here by name, in a copy and in a board that was read back too")
  func identity() throws {
    var board = Board(columns: 2, rows: 1)
    board.send(.tap(c2))
    var copy = try Board(Snapshot(board), revision: board.revision, history: board.history)
    let id = try #require(CanvasID("c" + "2"))
    #expect(copy.send(.tap(id))[0].isChanged)
    #expect(copy.session == .idle && board.session == .previewing(c2))
  }

  @Test("focus compared by position: here it follows its canvas")
  func position() {
    var board = Board(columns: 3, rows: 1)
    board.send(.tap(c1), .moveCanvas(c1, to: 2))
    #expect(Self.selected(board) == [c1])
    board.send(.tap(c2))
    #expect(board.session == .previewing(c2))
    board.send(.tap(c2))
    #expect(board.session == .idle)
  }

  @Test("status set to recording by every tap, even a deselecting one: here by none")
  func tapsRecordNothing() {
    var board = Board(columns: 2, rows: 1)
    for canvas in [c1, c2, c2, c1, c1] {
      let changes = board.send(.tap(canvas))[0].changes
      #expect(!changes.contains { $0.new == .status(.recording) })
      #expect(Snapshot(board).canvases.allSatisfy { $0.status != .recording })
    }
    #expect(Snapshot(board).canvases.allSatisfy { $0.status == .noPreview })
  }

  @Test("the last focus never cleared, two red borders: here one at most, and its loss is told")
  func twoBorders() {
    var board = Board(columns: 2, rows: 2)
    for (canvas, last) in [(c2, c1), (c3, c2), (c4, c3), (c1, c4)] {
      if board.session == .idle { board.send(.select(last)) }
      let changes = board.send(.tap(canvas))[0].changes
      #expect(Self.selected(board) == [canvas])
      #expect(changes.first == Change(canvas: last, key: .isSelected, old: .isSelected(true), new: .isSelected(false)))
    }
  }

  @Test("lock checked only in the view: here no event gets past it, whoever sends it")
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

  @Test("the clip attached to the canvas that is selected when the recorder answers: here to the take's, by its id")
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

  @Test("a failed start, or the maximum length, leaving the board locked for ever: here two ways lead out")
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

  @Test("a nil clip reported and then used: here a clip has a path, and a take without one has failed")
  func nilClip() {
    #expect(ClipFile(path: "") == nil && CoverFile(path: "") == nil)
    var board = Board(columns: 1, rows: 1)
    board.send(.tap(c1), Self.start, .recordStop, .takeFailed(Parts.take(1), reason: "no clip"), .recordDiscard)
    #expect(board.canvases[0].clip == nil && board.canvases[0].cover == .none)
    #expect(board.send(.coverRetry(c1)) == [.refused(.noClip)])
  }

  @Test("full counted by recordings instead of distinct canvases: here a clip recorded again is one clip")
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

  @Test("two observers of one key, the second dropped: here a change is a value, which any number can read")
  func observers() {
    var board = Board(columns: 1, rows: 1)
    let changes = board.send(.tap(c1))[0].changes
    #expect(changes.filter { $0.canvas == c1 && $0.key == .isSelected }.count == 1)
    #expect(board.history.transactions.last?.changes == changes)
  }
}
