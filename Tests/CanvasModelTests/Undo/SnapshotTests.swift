import CanvasModel
import Testing

@Suite("Snapshots")
struct SnapshotTests {
  private static let take = Take(id: Parts.take(1), canvas: c1, segments: [.init(start: Parts.at(0))])

  /// A snapshot with two canvases; `c1` has a clip and is in preview.
  private static func snapshot(_ change: (inout Snapshot) -> Void = { _ in }) -> Snapshot {
    var board = Board(columns: 2, rows: 1)
    board.send(.importClip(c1, Parts.clip("a")), .tap(c1))
    var snapshot = Snapshot(board)
    change(&snapshot)
    return snapshot
  }

  private static let contradictions: [(String, Snapshot)] = [
    ("two of one name", snapshot { $0.canvases[1].id = c1 }),
    (
      "two borders",
      snapshot {
        $0.canvases[1].isSelected = true
        $0.canvases[1].status = .inPreview
      }
    ),
    ("a border while idle", snapshot { $0.session = .idle }),
    ("no border", snapshot { $0.canvases[0].isSelected = false }),
    ("a preview without a border", snapshot { $0.canvases[1].status = .inPreview }),
    ("a border without its preview", snapshot { $0.canvases[0].status = .noPreview }),
    ("a take while unlocked", snapshot { $0.take = take }),
    (
      "no take while locked",
      snapshot {
        $0.session = .recording
        $0.canvases[0].status = .recording
      }
    ),
    (
      "a take on another canvas",
      snapshot {
        $0.session = .paused
        $0.canvases[0].status = .recording
        $0.take = Take(id: Parts.take(1), canvas: c2, segments: [])
      }
    ),
    ("a clip without any cover", snapshot { $0.canvases[0].cover = .none }),
    ("a cover without a clip", snapshot { $0.canvases[1].cover = .pending }),
  ]

  @Test("A snapshot restores its board")
  func whole() throws {
    #expect(Self.snapshot().problems == [])
    let board = try Board(Self.snapshot(), revision: 2, history: History())
    #expect(Snapshot(board) == Self.snapshot() && board.revision == 2)
  }

  @Test("A contradictory snapshot is rejected", arguments: contradictions.indices)
  func contradiction(index: Int) {
    let (what, snapshot) = Self.contradictions[index]
    #expect(!snapshot.problems.isEmpty, "\(what)")
    let error = #expect(throws: InvalidSnapshot.self) { try Board(snapshot, revision: 2, history: History()) }
    #expect(error?.problems == snapshot.problems)
  }

  // The next clip would get a generation that is already used.
  @Test("A board older than its clips is rejected", arguments: [-1, 0])
  func older(revision: Int) {
    #expect(throws: InvalidSnapshot.self) { try Board(Self.snapshot(), revision: revision, history: History()) }
  }
}
