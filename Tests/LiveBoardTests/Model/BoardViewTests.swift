import CanvasModel
import KeyValueObserving
import LiveBoard
import TestSupport
import Testing

@Suite struct BoardViewTests {
  /// A view together with its board and surface.
  private final class Scene {
    var board: Board
    let surface: FakeSurface
    let view: BoardView

    init(canvases: Int, visible: Range<Int>) {
      board = Board(columns: canvases, rows: 1)
      view = BoardView(board, now: .at(0))
      surface = FakeSurface(of: view)
      view.show(visible)
    }

    /// The number of registrations that the visible cells and the header need.
    var registrations: Int {
      view.visibleCells * BoardView.registrationsPerCell + BoardView.registrationsOfHeader
    }

    /// Applies an event to the board, passes the changes to the view, and returns what was drawn.
    func send(_ event: Event, at seconds: Double = 0) -> [String] {
      guard case .changed(_, let changes) = board.apply(event, at: .at(seconds)) else { return ["nothing"] }
      view.update(to: board, changes: changes, now: .at(seconds))
      return surface.takeWords()
    }
  }

  private static let c = (0...9).map { CanvasID(number: $0) }

  private static func clip(_ path: String) -> ClipFile {
    guard let clip = ClipFile(path: path) else { preconditionFailure("the path is not empty") }
    return clip
  }

  private static let take: TakeID = {
    guard let take = TakeID("t") else { preconditionFailure("the text is not empty") }
    return take
  }()

  @Test("A tap draws only the canvases whose border or content changes, each once")
  func onlyChanged() {
    let scene = Scene(canvases: 4, visible: 0..<4)
    #expect(scene.surface.takeWords() == ["c1 plus", "c2 plus", "c3 plus", "c4 plus"])
    #expect(scene.send(.tap(Self.c[2])) == ["c2 preview red"])
    #expect(scene.send(.tap(Self.c[3])) == ["c2 plus", "c3 preview red"])
    #expect(scene.send(.stopPreview) == ["c3 plus red"])
    #expect(scene.send(.deselect) == ["c3 plus"])
    #expect(scene.view.drawnInTotal == 9)
  }

  @Test("Showing the same canvases again draws them only if their content was lost")
  func shownAgain() {
    let scene = Scene(canvases: 2, visible: 0..<2)
    #expect(scene.surface.takeWords() == ["c1 plus", "c2 plus"])
    scene.view.show(0..<2)
    #expect(scene.surface.takeWords() == [])
    scene.view.show(0..<2, redrawing: true)
    #expect(scene.surface.takeWords() == ["c1 plus", "c2 plus"])
  }

  @Test("A recording draws its canvas and those with a clip; its duration draws only its canvas")
  func recording() {
    let scene = Scene(canvases: 4, visible: 0..<4)
    _ = scene.send(.importClip(Self.c[1], Self.clip("a.mp4")))
    _ = scene.send(.preview(Self.c[2]))
    #expect(scene.send(.recordStart(take: Self.take), at: 10) == ["c1 playing", "c2 live red"])
    scene.view.tick(now: .at(10.9))
    #expect(scene.surface.takeWords() == [])
    scene.view.tick(now: .at(11.2))
    let drawn = scene.surface.takeDrawn()
    #expect(drawn.map(\.face.id) == [Self.c[2]])
    #expect(drawn.first?.face.take?.seconds == 1)
    #expect(scene.send(.recordPause, at: 13) == ["c1 coverPending", "c2 take red"])
    scene.view.tick(now: .at(20))
    #expect(scene.surface.takeWords() == [])
    #expect(scene.surface.present[1]?.take?.seconds == 3)
    #expect(scene.surface.present[1]?.isPaused == true)
    #expect(scene.send(.recordStop, at: 21) == ["c2 take red"])
    #expect(scene.surface.present[1]?.isPaused == false)
    #expect(scene.send(.recordDiscard, at: 22) == ["c2 preview red"])
  }

  @Test("A change outside the visible range is drawn when it becomes visible")
  func outOfSight() {
    let scene = Scene(canvases: 9, visible: 0..<3)
    _ = scene.surface.takeDrawn()
    #expect(scene.send(.tap(Self.c[7])) == [])
    scene.view.show(4..<7)
    #expect(scene.surface.takeWords() == ["c5 plus", "c6 plus", "c7 preview red"])
    #expect(scene.send(.tap(Self.c[1])) == ["c7 plus"])
  }

  @Test("Moving a canvas draws the canvases whose position changed, and the red border moves with its canvas")
  func moving() {
    let scene = Scene(canvases: 4, visible: 0..<4)
    _ = scene.send(.select(Self.c[4]))
    #expect(scene.send(.moveCanvas(Self.c[4], to: 2)) == ["c4 plus red", "c3 plus"])
    #expect(scene.send(.removeCanvas(Self.c[1])) == ["c2 plus", "c4 plus red", "c3 plus"])
    #expect(scene.view.order == [2, 4, 3].map { Self.c[$0] })
  }

  @Test("If the changes are not known, all canvases are compared and only those that differ are drawn")
  func unknownChanges() {
    let scene = Scene(canvases: 4, visible: 0..<4)
    _ = scene.surface.takeDrawn()
    var other = Board(columns: 4, rows: 1)
    for number in [1, 3] { _ = other.apply(.tap(Self.c[number]), at: .at(0)) }
    scene.view.update(to: other, changes: nil, now: .at(0))
    #expect(scene.surface.takeWords() == ["c3 preview red"])
    scene.view.update(to: Board(columns: 2, rows: 1), changes: nil, now: .at(0))
    #expect(scene.surface.takeWords() == [])
    #expect(scene.view.visibleCells == 2)
  }

  @Test("While 1 000 canvases are scrolled at random, only the visible cells are registered")
  func scrolling() {
    let scene = Scene(canvases: 1000, visible: 0..<12)
    var numbers = SeededNumbers(seed: 7)
    for step in 0..<(Scope.isFull ? 1500 : 300) {
      if step % 3 == 0 {
        let canvas = scene.board.canvases[Int.random(in: 0..<1000, using: &numbers)].id
        _ = scene.send(.tap(canvas))
      } else {
        let start = Int.random(in: 0..<1005, using: &numbers)
        scene.view.show(start..<start + Int.random(in: 0...30, using: &numbers))
      }
      #expect(scene.view.ledger.counts.live == scene.registrations)
    }
    #expect(scene.view.ledger.counts.repeatedAdds == 0)
    #expect(scene.view.ledger.counts.unmatchedRemovals == 0)
    scene.view.show(0..<0)
    #expect(scene.view.ledger.counts.live == BoardView.registrationsOfHeader)
  }

  @Test("The header is drawn only when something that it shows has changed")
  func header() {
    let scene = Scene(canvases: 4, visible: 0..<2)
    #expect(scene.view.takeHeader()?.visible == 0..<2)
    #expect(scene.view.takeHeader() == nil)
    _ = scene.send(.tap(Self.c[1]))
    #expect(scene.view.takeHeader() == nil)
    scene.view.status.title = "revision 1"
    scene.view.status.covers = BoardStatus.Progress(done: 0, total: 2)
    #expect(scene.view.takeHeader()?.title == "revision 1")
    scene.view.status.title = "revision 1"
    #expect(scene.view.takeHeader() == nil)
    _ = scene.send(.removeCanvas(Self.c[4]))
    #expect(scene.view.takeHeader()?.canvasCount == 3)
    scene.view.redraw()
    #expect(scene.view.takeHeader()?.covers == BoardStatus.Progress(done: 0, total: 2))
    #expect(scene.view.headersDrawn == 4)
  }

  @Test("A change of the mode draws each visible cell once, and cells that come later follow it too")
  func mode() {
    let scene = Scene(canvases: 9, visible: 0..<3)
    _ = scene.surface.takeDrawn()
    scene.view.status.isRemoving = true
    #expect(scene.surface.takeWords() == ["c1 plus", "c2 plus", "c3 plus"])
    scene.view.status.title = "other"
    #expect(scene.surface.takeWords() == [])
    scene.view.show(6..<9)
    _ = scene.surface.takeDrawn()
    scene.view.status.isRemoving = false
    #expect(scene.surface.takeWords() == ["c7 plus", "c8 plus", "c9 plus"])
  }

  @Test("A suspended view observes nothing, and draws once what has changed when it resumes")
  func suspended() {
    let scene = Scene(canvases: 4, visible: 0..<4)
    _ = (scene.surface.takeDrawn(), scene.view.takeHeader())
    scene.view.suspend()
    scene.view.suspend()
    #expect(scene.view.ledger.counts.live == 0)
    #expect(scene.send(.tap(Self.c[1])) == [])
    #expect(scene.send(.tap(Self.c[2])) == [])
    scene.view.status.title = "other"
    #expect(scene.view.takeHeader() == nil)
    scene.view.resume()
    #expect(scene.surface.takeWords() == ["c2 preview red"])
    #expect(scene.view.takeHeader()?.title == "other")
    #expect(scene.view.ledger.counts.live == scene.registrations)
    scene.view.suspend()
    scene.view.status.isRemoving = true
    scene.view.resume()
    #expect(scene.surface.takeWords() == ["c1 plus", "c2 preview red", "c3 plus", "c4 plus"])
  }

  @Test(
    "After many random events, reported one by one or several at once, the surface shows the state of the board",
    arguments: Scope.cases([1, 2, 7], quick: 1)
  )
  func agreesWithTheBoard(together: Int) {
    let scene = Scene(canvases: 9, visible: 0..<9)
    _ = scene.surface.takeDrawn()
    var numbers = SeededNumbers(seed: 3)
    var changes: [Change] = []
    for step in 0..<3000 {
      let canvas = Self.c[Int.random(in: 1...9, using: &numbers)]
      let events: [Event] = [
        .tap(canvas), .select(canvas), .preview(canvas), .deselect, .recordStart(take: Self.take, replace: true),
        .recordPause, .recordResume(), .recordStop, .recordDiscard, .undo, .redo, .removeClip(canvas),
        .importClip(canvas, Self.clip("\(step).mp4")), .takeFinished(Self.take, Self.clip("t\(step).mp4")),
        .takeFailed(Self.take, reason: "unplugged"), .moveCanvas(canvas, to: step % 9),
      ]
      let now = Instant.at(Double(step))
      let outcome = scene.board.apply(events[Int.random(in: events.indices, using: &numbers)], at: now)
      if case .changed(_, let more) = outcome { changes += more }
      guard step % together == 0 else { continue }
      scene.view.update(to: scene.board, changes: changes, now: now)
      changes = []
      _ = scene.surface.takeDrawn()
      for (index, canvas) in scene.board.canvases.enumerated() {
        let face = scene.surface.present[index]
        #expect(face?.id == canvas.id)
        #expect(face?.shows == scene.board.shows(canvas), "step \(step), \(canvas.id)")
        #expect(face?.isSelected == (scene.board.session.focus == canvas.id))
        #expect(face?.clip == canvas.clip?.file)
        #expect(face?.cover == canvas.cover)
      }
    }
  }
}
