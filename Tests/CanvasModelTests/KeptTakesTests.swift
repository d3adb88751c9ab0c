import CanvasModel
import TestSupport
import Testing

@Suite("Takes and parts of clips")
struct KeptTakesTests {
  private static let (a, b) = (Parts.clip("a"), Parts.clip("b"))
  private static let ready = Event.coverReady(c1, generation: 1, Parts.cover("a"))

  @Test("A replaced or removed clip becomes a take with its cover and the part that was played")
  func replaced() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Self.a), .trimClip(c1, Parts.trim(1, 3)))
    board.send(.coverReady(c1, generation: 2, Parts.cover("part")), .importClip(c1, Self.b, replace: true))
    let take = KeptTake(
      clip: Clip(file: Self.a, generation: 2, trim: Parts.trim(1, 3)),
      cover: .ready(Parts.cover("part"))
    )
    #expect(board[c1]?.takes == [take])
    #expect(board.path(of: c1) == "b.mp4" && board[c1]?.clip?.trim == nil)
    board.send(.removeClip(c1))
    #expect(board.takes(of: c1) == ["a.mp4", "b.mp4"] && board[c1]?.clip == nil)
  }

  @Test("A take that is used changes places with the clip, and keeps its number, part and cover")
  func used() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Self.a), Self.ready, .importClip(c1, Self.b, replace: true))
    #expect(board.send(.useTake(c1, generation: 1))[0].isChanged)
    #expect(board[c1]?.clip == Clip(file: Self.a, generation: 1) && board.cover(of: c1) == .ready(Parts.cover("a")))
    #expect(board.takes(of: c1) == ["b.mp4"])
    board.send(.useTake(c1, generation: 3))
    #expect(board.path(of: c1) == "b.mp4" && board.cover(of: c1) == .pending && board.takes(of: c1) == ["a.mp4"])
  }

  @Test("A file is never listed twice: a clip that is imported again leaves the takes")
  func importedAgain() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Self.a), .importClip(c1, Self.b, replace: true), .importClip(c1, Self.a, replace: true))
    #expect(board.takes(of: c1) == ["b.mp4"] && board.generation(of: c1) == 3)
  }

  @Test("A recording over a clip keeps the clip, and one undo restores it")
  func recorded() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Self.a), Self.ready)
    let before = Snapshot(board)
    board.send(.tap(c1), .recordStart(take: Parts.take(1), replace: true), .recordStop)
    board.sendTogether(.takeFinished(Parts.take(1), Self.b), .deselect)
    #expect(board.path(of: c1) == "b.mp4" && board.takes(of: c1) == ["a.mp4"])
    board.send(.undo)
    #expect(Snapshot(board) == before)
    board.send(.redo)
    #expect(board.path(of: c1) == "b.mp4" && board.takes(of: c1) == ["a.mp4"])
  }

  @Test("A removed take returns with undo, and clips of one transaction are all kept")
  func removed() {
    var board = Board(columns: 2, rows: 1)
    board.sendTogether(
      .importClip(c1, Self.a),
      .trimClip(c1, Parts.trim(1)),
      .importClip(c1, Self.b, replace: true),
      .importClip(c1, Parts.clip("c"), replace: true)
    )
    #expect(board.takes(of: c1) == ["a.mp4", "b.mp4"])
    board.send(.importClip(c1, Parts.clip("d"), replace: true))
    let before = Snapshot(board)
    board.send(.removeTake(c1, generation: 1))
    #expect(board.takes(of: c1).count == 2)
    board.send(.undo)
    #expect(Snapshot(board) == before)
  }

  @Test("A part gets another cover: an answer for the whole clip is out of date, and clearing the part restores it")
  func trimmed() {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a", seconds: 4)), Self.ready)
    let whole = Snapshot(board)
    #expect(board.send(.trimClip(c1, Parts.trim(0.5, 4)))[0].isChanged)
    #expect(board.cover(of: c1) == .pending && board.generation(of: c1) == 3 && board[c1]?.clip?.playedSeconds == 3.5)
    #expect(board.send(Self.ready) == [.noop(.stale)])
    #expect(board.send(.trimClip(c1, Parts.trim(0.5, 4))) == [.noop(.already)])
    board.send(.undo)
    #expect(Snapshot(board) == whole)
    board.send(.redo, .trimClip(c1, nil))
    #expect(board[c1]?.clip?.file == whole.canvases[0].clip?.file && board[c1]?.clip?.trim == nil)
  }

  @Test(
    "A part beyond the clip is refused",
    arguments: [(4, nil), (5, nil), (0, 4.001), (3, 5), (3.999, .greatestFiniteMagnitude)] as [(Double, Double?)]
  )
  func beyond(from: Double, to: Double?) {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a", seconds: 4)))
    #expect(board.send(.trimClip(c1, Parts.trim(from, to))) == [.refused(.badTrim)])
    #expect(board.send(.trimClip(c1, Parts.trim(3.999, 4)))[0].isChanged)
  }

  @Test(
    "A part that is empty, crossed, before the clip, whole or not a number is none",
    arguments: [
      (0, nil), (-0.0, nil), (0, 0), (2, 2), (3, 2), (-1, nil), (-1, 2), (.nan, nil), (0, .nan), (.infinity, nil),
      (0, .infinity), (1, -.infinity),
    ] as [(Double, Double?)]
  )
  func empty(from: Double, to: Double?) {
    #expect(Trim(from: from, to: to) == nil)
  }

  @Test("Negative zero is the start of the clip")
  func zero() {
    #expect(Trim(from: -0.0, to: 1)?.from.sign == .plus)
  }

  @Test("Ten thousand takes are compared, used and removed quickly")
  func many() {
    var snapshot = Snapshot(Board(columns: 2, rows: 1))
    snapshot.canvases[0].takes = (1...10_000).map {
      KeptTake(clip: Clip(file: Parts.clip("\($0)"), generation: $0), cover: .ready(Parts.cover("\($0)")))
    }
    guard var board = try? Board(snapshot, revision: 10_000, history: History()) else { return #expect(Bool(false)) }
    let time = ThreadTime.measure {
      #expect(board.send(.useTake(c1, generation: 5000), .useTake(c1, generation: 7000))[1].changes.count == 4)
      #expect(board.send(.removeTake(c1, generation: 1), .undo)[1].isChanged)
    }
    #expect(board.takes(of: c1).count == 9999 && time < .seconds(5))
  }
}
