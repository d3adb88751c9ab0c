import CanvasModel
import TestSupport
import Testing

@Suite("Transition table")
struct TableTests {
  @Test("The board behaves according to every cell of the table", arguments: TableOfThePage.cells)
  func cell(cell: TableOfThePage.Cell) throws {
    let session = try #require(SessionName(rawValue: cell.session))
    let scene = try #require(Scene.all[cell.label], "no scene for \(cell.label)")
    for canvases in [3, 5] {
      var board = Board(columns: canvases, rows: 1)
      for event in scene.before + Scene.way(to: session) + scene.inside { board.send(event) }
      if scene.isForgetful {
        board = try Board(Snapshot(board), revision: board.revision, history: History())
      }
      try #require(board.session.name == session)
      let before = board
      switch board.send(scene.event)[0] {
      case .changed(let revision, _):
        #expect(cell.answer == "✓ \(board.session.name.rawValue)")
        #expect(revision == before.revision + 1 && board.revision == revision)
      case .noop(let reason):
        #expect(cell.answer == "· \(reason.rawValue)")
        #expect(board == before)
      case .refused(let reason):
        #expect(cell.answer == "✗ \(reason.rawValue)")
        #expect(board == before)
      }
    }
  }

  @Test("The table contains every event in every session")
  func complete() {
    let cells = TableOfThePage.cells
    let names = Set(cells.map { String($0.label.prefix { $0 != " " }) })
    #expect(names == Set(EventName.allCases.map(\.rawValue)))
    for name in names {
      let sessions = Set(cells.filter { $0.label == name || $0.label.hasPrefix("\(name) ") }.map(\.session))
      #expect(sessions == Set(SessionName.allCases.map(\.rawValue)))
    }
    #expect(cells.count == 423)
    #expect(Set(cells.map(\.label)) == Set(Scene.all.keys))
  }

  @Test("The generated table matches the one written by hand, in the same order")
  func generated() {
    let generated = TransitionTable().rows.map { row in
      let answer =
        switch row.answer {
        case .changed(let session): "✓ \(session.rawValue)"
        case .noop(let reason): "· \(reason.rawValue)"
        case .refused(let reason): "✗ \(reason.rawValue)"
        }
      return "\(row.label) in \(row.session.rawValue): \(answer)"
    }
    let expected = TableOfThePage.cells.map(\.description)
    for (line, other) in zip(expected, generated) { #expect(line == other) }
    #expect(generated.count == expected.count)
  }
}

/// The events that set up a row of the table, on a board where `c2` has the focus and `c3` is another canvas.
struct Scene {
  var before: [Event] = []
  var inside: [Event] = []
  var isForgetful = false
  let event: Event

  static func way(to session: SessionName) -> [Event] {
    let start = [Event.tap(c1), .tap(c2), .recordStart(take: Parts.take(1), replace: true)]
    switch session {
    case .idle: return []
    case .selected: return [.select(c1), .select(c2)]
    case .previewing: return [.tap(c1), .tap(c2)]
    case .recording: return start + [.recordPause, .recordResume()]
    case .paused: return start + [.recordPause]
    case .finalizing: return start + [.recordPause, .recordStop]
    }
  }

  private static let clip = Parts.clip("clip")
  private static let cover = Parts.cover("cover")
  // The clip on `c2` is imported in the first revision, which is its generation.
  private static let clipOnFocus: [Event] = [.importClip(c2, clip)]
  private static let ready: [Event] = clipOnFocus + [.coverReady(c2, generation: 1, cover)]
  private static let failed: [Event] = clipOnFocus + [.coverFailed(c2, generation: 1, reason: "dark")]

  static let all: [String: Scene] = [
    "tap (the focus)": Scene(event: .tap(c2)),
    "tap (another)": Scene(event: .tap(c3)),
    "tap (an unknown canvas)": Scene(event: .tap(stranger)),
    "select (the focus)": Scene(event: .select(c2)),
    "select (another)": Scene(event: .select(c3)),
    "select (an unknown canvas)": Scene(event: .select(stranger)),
    "deselect": Scene(event: .deselect),
    "preview (the focus)": Scene(event: .preview(c2)),
    "preview (another)": Scene(event: .preview(c3)),
    "preview (an unknown canvas)": Scene(event: .preview(stranger)),
    "stopPreview": Scene(event: .stopPreview),
    "recordStart (no clip)": Scene(before: [.importClip(c3, clip)], event: .recordStart(take: Parts.take(2))),
    "recordStart (a clip)": Scene(before: clipOnFocus, event: .recordStart(take: Parts.take(2))),
    "recordStart (a clip, replace)": Scene(
      before: clipOnFocus,
      event: .recordStart(take: Parts.take(2), replace: true)
    ),
    "recordPause": Scene(event: .recordPause),
    "recordResume": Scene(event: .recordResume()),
    "recordStop": Scene(event: .recordStop),
    "recordDiscard": Scene(event: .recordDiscard),
    "takeFinished (any take)": Scene(event: .takeFinished(Parts.take(1), clip)),
    "takeFinished (its take)": Scene(event: .takeFinished(Parts.take(1), clip)),
    "takeFinished (another take)": Scene(event: .takeFinished(Parts.take(2), clip)),
    "takeFailed (any take)": Scene(event: .takeFailed(Parts.take(1), reason: "full")),
    "takeFailed (its take)": Scene(event: .takeFailed(Parts.take(1), reason: "full")),
    "takeFailed (another take)": Scene(event: .takeFailed(Parts.take(2), reason: "full")),
    "takeFailed (its take, interrupted already)": Scene(
      inside: [.takeFailed(Parts.take(1), reason: "unplugged")],
      event: .takeFailed(Parts.take(1), reason: "full")
    ),
    "importClip (no clip)": Scene(event: .importClip(c2, clip)),
    "importClip (a clip)": Scene(before: clipOnFocus, event: .importClip(c2, clip)),
    "importClip (a clip, replace)": Scene(before: clipOnFocus, event: .importClip(c2, clip, replace: true)),
    "importClip (an unknown canvas)": Scene(event: .importClip(stranger, clip)),
    "removeClip (a clip)": Scene(before: clipOnFocus, event: .removeClip(c2)),
    "removeClip (no clip)": Scene(before: [.importClip(c3, clip)], event: .removeClip(c2)),
    "removeClip (an unknown canvas)": Scene(event: .removeClip(stranger)),
    "trimClip (a part)": Scene(before: clipOnFocus, event: .trimClip(c2, Parts.trim(0.8, 12))),
    "trimClip (the same part)": Scene(
      before: clipOnFocus + [.trimClip(c2, Parts.trim(0.8))],
      event: .trimClip(c2, Parts.trim(0.8))
    ),
    "trimClip (the whole clip)": Scene(
      before: clipOnFocus + [.trimClip(c2, Parts.trim(0, 12))],
      event: .trimClip(c2, nil)
    ),
    "trimClip (beyond the clip)": Scene(
      before: [.importClip(c2, Parts.clip("clip", seconds: 2.5))],
      event: .trimClip(c2, Parts.trim(2.5))
    ),
    "trimClip (no clip)": Scene(before: [.importClip(c3, clip)], event: .trimClip(c2, Parts.trim(1))),
    "trimClip (an unknown canvas)": Scene(event: .trimClip(stranger, nil)),
    "useTake (a take)": Scene(
      before: clipOnFocus + [.importClip(c2, Parts.clip("other"), replace: true)],
      event: .useTake(c2, generation: 1)
    ),
    "useTake (the clip)": Scene(before: clipOnFocus, event: .useTake(c2, generation: 1)),
    "useTake (an unknown take)": Scene(before: clipOnFocus, event: .useTake(c2, generation: 2)),
    "useTake (an unknown canvas)": Scene(event: .useTake(stranger, generation: 1)),
    "removeTake (a take)": Scene(
      before: clipOnFocus + [.removeClip(c2)],
      event: .removeTake(c2, generation: 1)
    ),
    "removeTake (the clip)": Scene(before: clipOnFocus, event: .removeTake(c2, generation: 1)),
    "removeTake (an unknown take)": Scene(
      before: [.importClip(c3, clip), .removeClip(c3)],
      event: .removeTake(c2, generation: 1)
    ),
    "removeTake (an unknown canvas)": Scene(event: .removeTake(stranger, generation: 1)),
    "coverReady (pending)": Scene(before: clipOnFocus, event: .coverReady(c2, generation: 1, cover)),
    "coverReady (answered already)": Scene(before: failed, event: .coverReady(c2, generation: 1, cover)),
    "coverReady (another generation)": Scene(
      before: clipOnFocus + [.importClip(c2, clip, replace: true)],
      event: .coverReady(c2, generation: 1, cover)
    ),
    "coverReady (no clip)": Scene(
      before: clipOnFocus + [.removeClip(c2)],
      event: .coverReady(c2, generation: 1, cover)
    ),
    "coverReady (an unknown canvas)": Scene(event: .coverReady(stranger, generation: 1, cover)),
    "coverFailed (pending)": Scene(before: clipOnFocus, event: .coverFailed(c2, generation: 1, reason: "dark")),
    "coverFailed (answered already)": Scene(before: ready, event: .coverFailed(c2, generation: 1, reason: "dark")),
    "coverFailed (another generation)": Scene(
      before: clipOnFocus,
      event: .coverFailed(c2, generation: 2, reason: "dark")
    ),
    "coverFailed (no clip)": Scene(event: .coverFailed(c2, generation: 0, reason: "dark")),
    "coverFailed (an unknown canvas)": Scene(event: .coverFailed(stranger, generation: 1, reason: "dark")),
    "coverRetry (ready)": Scene(before: ready, event: .coverRetry(c2)),
    "coverRetry (failed)": Scene(before: failed, event: .coverRetry(c2)),
    "coverRetry (pending)": Scene(before: clipOnFocus, event: .coverRetry(c2)),
    "coverRetry (no clip)": Scene(event: .coverRetry(c2)),
    "coverRetry (an unknown canvas)": Scene(event: .coverRetry(stranger)),
    "addCanvas (a new id)": Scene(event: .addCanvas(stranger)),
    "addCanvas (an id that exists)": Scene(event: .addCanvas(c2)),
    "addCanvas (an invalid id)": Scene(event: .addCanvas(CanvasID("no name") ?? c1)),
    "removeCanvas (the focus)": Scene(event: .removeCanvas(c2)),
    "removeCanvas (another)": Scene(event: .removeCanvas(c3)),
    "removeCanvas (an unknown canvas)": Scene(event: .removeCanvas(stranger)),
    "moveCanvas (to another position)": Scene(event: .moveCanvas(c2, to: 0)),
    "moveCanvas (to its own position)": Scene(event: .moveCanvas(c2, to: 1)),
    "moveCanvas (to an invalid position)": Scene(event: .moveCanvas(c2, to: -1)),
    "moveCanvas (an unknown canvas)": Scene(event: .moveCanvas(stranger, to: 0)),
    "undo (an import)": Scene(inside: [.importClip(c3, clip)], event: .undo),
    "undo (nothing)": Scene(isForgetful: true, event: .undo),
    "redo (an import)": Scene(inside: [.importClip(c3, clip), .undo], event: .redo),
    "redo (nothing)": Scene(isForgetful: true, event: .redo),
  ]
}
