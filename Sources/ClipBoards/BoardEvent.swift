internal import CanvasModel

/// Something that a person or a recorder does to a board.
///
/// Canvases and takes are named by their IDs.
///
/// `clipcanvas board table` prints which events each state allows.
public enum BoardEvent: Sendable, Hashable {
  /// Selects a canvas, or continues with the selected one: opens its preview, or closes it.
  case tap(canvas: String)
  case select(canvas: String)
  case deselect
  case preview(canvas: String)
  case stopPreview
  /// Starts a recording on the canvas in preview.
  ///
  /// - Parameters:
  ///   - take: The ID of the recording, which no other one may have.
  ///   - replace: Whether a clip of the canvas may be replaced.
  case recordStart(take: String, replace: Bool = false)
  case recordPause
  case recordResume
  /// Ends the recording; its clip follows with ``takeFinished(take:clip:)``.
  case recordStop
  case recordDiscard
  case takeFinished(take: String, clip: BoardClip)
  case takeFailed(take: String, reason: String)
  case importClip(canvas: String, clip: BoardClip, replace: Bool = false)
  case removeClip(canvas: String)
  /// Sets the part of a clip that is played, in seconds from its start: from 0 without `from`, and to the end of the clip
  /// without `to`.
  case trimClip(canvas: String, from: Double? = nil, to: Double? = nil)
  /// Puts a take on its canvas again; see ``BoardTake/generation``.
  case useTake(canvas: String, generation: Int)
  /// Removes a take from the board; its file is kept.
  case removeTake(canvas: String, generation: Int)
  /// Adds a canvas at the end of the order. Without a region, it gets a free place, or all canvases form a new grid.
  case addCanvas(id: String, region: BoardRegion? = nil)
  case removeCanvas(id: String)
  /// Moves a canvas to a position in the order, counted from 0.
  case moveCanvas(id: String, to: Int)
  case undo
  case redo

  /// The event of the model.
  ///
  /// - Throws: ``BoardError`` with the cause ``BoardError/Cause/invalidEvent`` if a text of it is empty, or a part of a
  ///   clip is.
  func event() throws(BoardError) -> Event {
    switch self {
    case .tap(let canvas): .tap(try Self.canvas(canvas))
    case .select(let canvas): .select(try Self.canvas(canvas))
    case .deselect: .deselect
    case .preview(let canvas): .preview(try Self.canvas(canvas))
    case .stopPreview: .stopPreview
    case .recordStart(let take, let replace): .recordStart(take: try Self.take(take), replace: replace)
    case .recordPause: .recordPause
    case .recordResume: .recordResume()
    case .recordStop: .recordStop
    case .recordDiscard: .recordDiscard
    case .takeFinished(let take, let clip): .takeFinished(try Self.take(take), try clip.file())
    case .takeFailed(let take, let reason): .takeFailed(try Self.take(take), reason: reason)
    case .importClip(let canvas, let clip, let replace):
      .importClip(try Self.canvas(canvas), try clip.file(), replace: replace)
    case .removeClip(let canvas): .removeClip(try Self.canvas(canvas))
    case .trimClip(let canvas, let from, let to): .trimClip(try Self.canvas(canvas), try Self.trim(from, to))
    case .useTake(let canvas, let generation): .useTake(try Self.canvas(canvas), generation: generation)
    case .removeTake(let canvas, let generation): .removeTake(try Self.canvas(canvas), generation: generation)
    case .addCanvas(let canvas, let region): .addCanvas(try Self.canvas(canvas), region?.region)
    case .removeCanvas(let canvas): .removeCanvas(try Self.canvas(canvas))
    case .moveCanvas(let canvas, let position): .moveCanvas(try Self.canvas(canvas), to: position)
    case .undo: .undo
    case .redo: .redo
    }
  }

  private static func canvas(_ text: String) throws(BoardError) -> CanvasID {
    guard let id = CanvasID(text) else { throw BoardError(.invalidEvent, "the ID of the canvas is empty") }
    return id
  }

  private static func trim(_ from: Double?, _ to: Double?) throws(BoardError) -> Trim? {
    guard from != nil || to != nil else { return nil }
    guard let trim = Trim(from: from ?? 0, to: to) else {
      throw BoardError(.invalidEvent, "the part of the clip is empty")
    }
    return trim
  }

  private static func take(_ text: String) throws(BoardError) -> TakeID {
    guard let id = TakeID(text) else { throw BoardError(.invalidEvent, "the ID of the take is empty") }
    return id
  }
}

/// What became of an event.
public enum BoardOutcome: Sendable, Hashable {
  /// The board has a new revision, which differs from the one before by the changes.
  case changed(revision: Int, changes: [BoardChange])
  /// There was nothing to do.
  case unchanged(Reason)
  /// The event is not allowed in the board's state.
  case refused(Reason)

  /// Why nothing changed.
  ///
  /// The names are those of the command line's JSON, and do not change between versions.
  public struct Reason: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `locked`.
    public let rawValue: String
    /// The name.
    public var description: String { rawValue }

    /// Creates a reason with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  init(_ outcome: Outcome) {
    self =
      switch outcome {
      case .changed(let revision, let changes): .changed(revision: revision, changes: changes.map(BoardChange.init))
      case .noop(let reason): .unchanged(Reason(rawValue: reason.rawValue))
      case .refused(let reason): .refused(Reason(rawValue: reason.rawValue))
      }
  }
}

/// A change of a key, with its old and its new value.
public struct BoardChange: Sendable, Hashable {
  /// The ID of the canvas; `nil` for a key of the whole board.
  public let canvas: String?
  /// The key.
  public let key: Key
  /// The value before the change.
  public let old: Value
  /// The value after the change, which differs from the old one.
  public let new: Value

  /// A key that can change.
  public enum Key: String, Sendable, CaseIterable {
    // Keys of a canvas.
    case isSelected, status, clip, cover, region, takes, position
    // Keys of the board.
    case canvases, take, session
  }

  /// The value of a key.
  public enum Value: Sendable, Hashable {
    /// No clip, no take, or no such canvas.
    case none
    case isSelected(Bool)
    case status(BoardCanvas.Status)
    case clip(BoardClip)
    case cover(BoardCover)
    /// A take that was added or removed.
    case keptTake(BoardTake)
    case region(BoardRegion)
    /// A position in the order of canvases, from 0.
    case position(Int)
    /// The IDs of the canvases in their order.
    case canvases([String])
    /// The ID of a recording.
    case take(String)
    case session(BoardState.Session)

    init(_ value: CanvasModel.Value) {
      self =
        switch value {
        case .none: .none
        case .isSelected(let isSelected): .isSelected(isSelected)
        case .status(let status): .status(BoardCanvas.Status(status))
        case .clip(let clip): .clip(BoardClip(clip))
        case .cover(let cover): .cover(BoardCover(cover))
        case .keptTake(let take): .keptTake(BoardTake(take))
        case .region(let region): .region(BoardRegion(region))
        case .position(let position): .position(position)
        case .canvases(let canvases): .canvases(canvases.map(\.description))
        case .take(let take): .take(take.id.description)
        case .session(let session): .session(BoardState.Session(rawValue: session.rawValue) ?? .idle)
        }
    }
  }

  init(_ change: Change) {
    canvas = change.canvas?.description
    key = Key(rawValue: change.key.rawValue) ?? .session
    (old, new) = (Value(change.old), Value(change.new))
  }
}
