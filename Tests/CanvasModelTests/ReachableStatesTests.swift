import CanvasModel
import TestSupport
import Testing

@Suite("Reachable states")
struct ReachableStatesTests {
  // A canvas has one of 8 contents: nothing, a take, or a clip, whole or trimmed, whose cover is pending, ready or failed.
  // A canvas with the focus is in one of 7 situations: selected, previewing, recording, paused, finalizing, and the last
  // two also interrupted.
  // No canvas: 1 state. One canvas: 8 × (idle + 7) = 64. Two: 8 × 8 × (idle + 2 × 7) = 960, in 2 orders.
  // This gives 1 + 64 = 65 states with up to one canvas, and 1 + 2 × 64 + 2 × 960 = 2049 with up to two.
  //
  // Events: 14 without a canvas; 21 and one per position for each canvas, one fewer for an unknown one: 57 and 82.
  // Changes of one canvas according to the transition table: adding it 1; idle 8 × 3; selected 8 × 3; previewing 8 × 3,
  // and recording 4 + 6; in these three, removing the canvas 24, importing 30, removing the clip 18, trimming it 18, using
  // the take 3 and removing it 3; in all eight, the cover 8 each; recording 8 × 4; paused 8 × 4, and interrupted 8 × 3;
  // finalizing 8 × 3, twice: 379.
  @Test(
    "Every event in every reachable state preserves the invariants",
    .enabled(if: Scope.isFull),
    arguments: [
      Extent(canvases: 1, states: 1 + 64, tried: 65 * 57, changed: 379, noop: 744, refused: 2582),
      Extent(
        canvases: 2,
        states: 1 + 2 * 64 + 2 * 960,
        tried: 2049 * 82,
        changed: 19_558,
        noop: 36_298,
        refused: 112_162
      ),
    ]
  )
  func all(extent: Extent) throws {
    var search = Search(canvases: extent.canvases)
    try search.run()
    print("\(extent.canvases) canvases: \(search.seen.count) states, \(search.tried) tried, \(search.counts)")
    #expect(search.seen.count == extent.states)
    #expect(search.tried == extent.tried)
    #expect(search.counts == ["changed": extent.changed, "noop": extent.noop, "refused": extent.refused])
  }

  struct Extent: Sendable {
    let canvases: Int
    let states: Int
    let tried: Int
    let changed: Int
    let noop: Int
    let refused: Int
  }

  /// A breadth-first search over boards, ignoring irrelevant details: revisions, generations, instants and history.
  struct Search {
    let ids: [CanvasID]
    let events: [Event]
    var seen: Set<Snapshot> = []
    var tried = 0
    /// The number of outcomes of each kind.
    var counts: [String: Int] = [:]

    init(canvases: Int) {
      ids = (1...canvases).map { CanvasID(number: $0) }
      events = Self.events(on: ids)
    }

    mutating func run() throws {
      var front = [Self.normalised(Snapshot(Board(regions: ids.map { _ in .whole })))]
      seen = Set(front)
      while !front.isEmpty {
        var next: [Snapshot] = []
        for state in front {
          let board = try Board(state, revision: 1000, history: History())
          #expect(Invariants.broken(by: board) == [], "\(state)")
          for event in events {
            let after = Self.normalised(try result(of: event, on: board))
            if seen.insert(after).inserted { next.append(after) }
          }
        }
        front = next
      }
    }

    /// Applies one event and checks everything that holds for any event.
    private mutating func result(of event: Event, on before: Board) throws -> Snapshot {
      var board = before
      tried += 1
      switch board.apply(event, at: Parts.at(1)) {
      case .changed(let revision, let changes):
        counts["changed", default: 0] += 1
        #expect(revision == 1001 && board.revision == 1001 && !changes.isEmpty && Snapshot(board) != Snapshot(before))
        checkUndo(of: event, from: before, to: board)
      case .noop:
        counts["noop", default: 0] += 1
        #expect(board == before, "\(event)")
      case .refused:
        counts["refused", default: 0] += 1
        #expect(board == before, "\(event)")
      }
      return Snapshot(board)
    }

    private func checkUndo(of event: Event, from before: Board, to after: Board) {
      guard !after.isLocked, !before.isLocked else { return }
      var board = after
      switch event.name {
      case .coverReady, .coverFailed, .coverRetry:
        #expect(board.send(.undo) == [.noop(.nothing)])
      case .tap, .select, .deselect, .preview, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop,
        .recordDiscard, .takeFinished, .takeFailed, .importClip, .removeClip, .trimClip, .useTake, .removeTake,
        .addCanvas, .removeCanvas, .moveCanvas, .undo, .redo:
        #expect(board.send(.undo)[0].isChanged && Snapshot(board) == Snapshot(before), "\(event)")
        #expect(board.send(.redo)[0].isChanged && Snapshot(board) == Snapshot(after), "\(event)")
      }
    }

    /// Returns every event with every argument that can make a difference.
    private static func events(on ids: [CanvasID]) -> [Event] {
      let fixed: [Event] =
        [.deselect, .stopPreview, .recordPause, .recordResume(), .recordStop, .recordDiscard, .undo, .redo]
        + [false, true].map { .recordStart(take: Parts.take(1), replace: $0) }
        + [1, 2].map { .takeFinished(Parts.take($0), Parts.clip("a")) }
        + [1, 2].map { .takeFailed(Parts.take($0), reason: "full") }
      let each: [(CanvasID) -> [Event]] = [
        { [.tap($0), .select($0), .preview($0), .removeClip($0), .coverRetry($0), .addCanvas($0), .removeCanvas($0)] },
        { id in [false, true].map { .importClip(id, Parts.clip("a"), replace: $0) } },
        { id in [5, 6].map { .coverReady(id, generation: $0, Parts.cover("a")) } },
        { id in [5, 6].map { .coverFailed(id, generation: $0, reason: "dark") } },
        { id in (-1...ids.count).map { .moveCanvas(id, to: $0) } },
        { id in [nil, Parts.trim(1)].map { .trimClip(id, $0) } },
        { id in [4, 5].flatMap { [.useTake(id, generation: $0), .removeTake(id, generation: $0)] } },
      ]
      let onCanvases = ids.flatMap { id in each.flatMap { $0(id) } }
      // Events on an unknown canvas, which must not be added: otherwise the search would not end.
      let onStranger = each.flatMap { $0(stranger) }.filter { $0 != .addCanvas(stranger) }
      return fixed + onCanvases + onStranger
    }

    /// Returns a snapshot whose clips have generation 5, whose takes have generation 4 and lost their covers and parts,
    /// and whose recordings end when they start.
    private static func normalised(_ snapshot: Snapshot) -> Snapshot {
      var normal = snapshot
      for index in normal.canvases.indices {
        normal.canvases[index].clip = normal.canvases[index].clip.map {
          Clip(file: $0.file, generation: 5, trim: $0.trim)
        }
        normal.canvases[index].takes = normal.canvases[index].takes.map {
          KeptTake(clip: Clip(file: $0.clip.file, generation: 4), cover: .pending)
        }
        normal.canvases[index].region = .whole
      }
      if let end = normal.take?.segments.last?.end {
        normal.take?.segments = [.init(start: Parts.at(1), end: max(end, Parts.at(1)))]
      } else if normal.take != nil {
        normal.take?.segments = [.init(start: Parts.at(1))]
      }
      return normal
    }
  }
}
