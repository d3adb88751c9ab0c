import CanvasModel
import Testing

@Suite("Order of changes")
struct ChangeOrderTests {
  /// Returns the changes made by the last of some events, as `canvas key old new`.
  private static func changes(_ events: Event..., canvases: Int = 3) -> [String] {
    var board = Board(columns: canvases, rows: 1)
    board.send(Array(events.dropLast()))
    return board.send(Array(events.suffix(1)))[0].changes.map { change in
      "\(change.canvas?.description ?? "board") \(change.key.rawValue) \(word(change.old)) \(word(change.new))"
    }
  }

  private static func word(_ value: Value) -> String {
    switch value {
    case .none: "-"
    case .isSelected(let isSelected): "\(isSelected)"
    case .status(let status): status.rawValue
    case .clip(let clip): "\(clip.file.path)#\(clip.generation)"
    case .cover(let cover): cover.name.rawValue
    case .keptTake(let take): "\(take.clip.file.path)#\(take.clip.generation)"
    case .region(let region): "\(region.width)"
    case .position(let index): "\(index)"
    case .canvases(let order): order.map(\.description).joined(separator: ",")
    case .take(let take): "\(take.id)(\(take.segments.count))"
    case .session(let session): session.rawValue
    }
  }

  private static let start = Event.recordStart(take: Parts.take(1))
  private static let a = Parts.clip("a")

  @Test("Changes list the old focus before the new one, in either direction", arguments: [(c1, c3), (c3, c1)])
  func move(old: CanvasID, new: CanvasID) {
    #expect(
      Self.changes(.tap(old), .tap(new)) == [
        "\(old) isSelected true false", "\(new) isSelected false true", "\(old) status inPreview noPreview",
        "\(new) status noPreview inPreview",
      ]
    )
    #expect(
      Self.changes(.tap(old), .select(new)) == [
        "\(old) isSelected true false", "\(new) isSelected false true", "\(old) status inPreview noPreview",
        "board session previewing selected",
      ]
    )
    #expect(
      Self.changes(.select(old), .tap(new)) == [
        "\(old) isSelected true false", "\(new) isSelected false true", "\(new) status noPreview inPreview",
        "board session selected previewing",
      ]
    )
  }

  @Test("A tap reports that the preview starts or ends")
  func tap() {
    #expect(
      Self.changes(.tap(c2)) == [
        "c2 isSelected false true", "c2 status noPreview inPreview", "board session idle previewing",
      ]
    )
    #expect(
      Self.changes(.tap(c2), .tap(c2)) == [
        "c2 isSelected true false", "c2 status inPreview noPreview", "board session previewing idle",
      ]
    )
    #expect(
      Self.changes(.tap(c2), .stopPreview) == ["c2 status inPreview noPreview", "board session previewing selected"]
    )
  }

  @Test("A take is reported from its start to its clip, with the session last")
  func take() {
    #expect(
      Self.changes(.tap(c2), Self.start) == [
        "c2 status inPreview recording", "board take - t1(1)", "board session previewing recording",
      ]
    )
    #expect(
      Self.changes(.tap(c2), Self.start, .recordPause) == ["board take t1(1) t1(1)", "board session recording paused"]
    )
    #expect(
      Self.changes(.tap(c2), Self.start, .recordPause, .recordResume()) == [
        "board take t1(1) t1(2)", "board session paused recording",
      ]
    )
    #expect(
      Self.changes(.tap(c2), Self.start, .recordStop, .takeFinished(Parts.take(1), Self.a)) == [
        "c2 status recording inPreview", "c2 clip - a.mp4#4", "c2 cover none pending", "board take t1(1) -",
        "board session finalizing previewing",
      ]
    )
    #expect(
      Self.changes(.tap(c2), Self.start, .recordDiscard) == [
        "c2 status recording inPreview", "board take t1(1) -", "board session recording previewing",
      ]
    )
    #expect(
      Self.changes(.tap(c2), Self.start, .recordPause, .takeFailed(Parts.take(1), reason: "full")) == [
        "board take t1(1) t1(1)"
      ]
    )
  }

  @Test("Clips and covers are reported by canvas and key")
  func clips() {
    #expect(Self.changes(.importClip(c2, Self.a)) == ["c2 clip - a.mp4#1", "c2 cover none pending"])
    #expect(
      Self.changes(.importClip(c2, Self.a), .importClip(c2, Self.a, replace: true)) == ["c2 clip a.mp4#1 a.mp4#2"]
    )
    #expect(
      Self.changes(.importClip(c2, Self.a), .coverReady(c2, generation: 1, Parts.cover("a"))) == [
        "c2 cover pending ready"
      ]
    )
    #expect(
      Self.changes(.importClip(c2, Self.a), .removeClip(c2)) == [
        "c2 clip a.mp4#1 -", "c2 cover pending none", "c2 takes - a.mp4#1",
      ]
    )
    #expect(
      Self.changes(.importClip(c2, Self.a), .importClip(c2, Parts.clip("b"), replace: true)) == [
        "c2 clip a.mp4#1 b.mp4#2", "c2 takes - a.mp4#1",
      ]
    )
    #expect(
      Self.changes(
        .importClip(c2, Self.a),
        .importClip(c2, Parts.clip("b"), replace: true),
        .useTake(c2, generation: 1)
      ) == ["c2 clip b.mp4#2 a.mp4#1", "c2 takes a.mp4#1 -", "c2 takes - b.mp4#2"]
    )
    #expect(
      Self.changes(.importClip(c2, Self.a), .trimClip(c2, Parts.trim(1))) == ["c2 clip a.mp4#1 a.mp4#2"]
    )
  }

  @Test("Added and removed canvases are reported with all their keys, and then the order")
  func canvases() {
    #expect(Self.changes(.addCanvas(c2, .whole), canvases: 1) == ["c2 region - 1.0", "board canvases c1 c1,c2"])
    #expect(
      Self.changes(.addCanvas(c2), canvases: 1) == [
        "c1 region 1.0 0.5", "c2 region - 0.5", "board canvases c1 c1,c2",
      ]
    )
    #expect(Self.changes(.moveCanvas(c3, to: 0)) == ["board canvases c1,c2,c3 c3,c1,c2"])
    #expect(
      Self.changes(.importClip(c1, Self.a), .tap(c1), .removeCanvas(c1), canvases: 2) == [
        "c1 isSelected true false", "c1 status inPreview noPreview", "c1 clip a.mp4#1 -", "c1 cover pending none",
        "c1 region 0.5 -", "board canvases c1,c2 c2", "board session previewing idle",
      ]
    )
  }

  @Test("An undo reports changes in the same order")
  func undo() {
    #expect(
      Self.changes(.tap(c1), .tap(c3), .undo) == [
        "c3 isSelected true false", "c1 isSelected false true", "c3 status inPreview noPreview",
        "c1 status noPreview inPreview",
      ]
    )
  }
}
