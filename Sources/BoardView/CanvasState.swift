public import CanvasModel

/// What of a canvas can be observed.
public struct CanvasState: Hashable, Sendable {
  /// An open recording, as its canvas shows it.
  public struct TakeState: Hashable, Sendable {
    /// How long it is, its pauses left out; whole seconds.
    public let seconds: Int
    /// Why it was interrupted, in words; `nil` when it was not, or went on.
    public let interruption: String?

    /// Makes one of its parts.
    public init(seconds: Int, interruption: String? = nil) {
      (self.seconds, self.interruption) = (seconds, interruption)
    }
  }

  /// Its name.
  public let id: CanvasID
  /// Whether it has the red border.
  public var isSelected: Bool
  /// What it is at.
  public var status: Status
  /// What was recorded or imported.
  public var clip: Clip?
  /// What it has of a cover.
  public var cover: Cover
  /// The recording that is open on it.
  public var take: TakeState?

  /// That of a canvas on a board.
  ///
  /// - Parameters:
  ///   - canvas: The canvas.
  ///   - board: Its board.
  ///   - now: Up to when an open recording lasts.
  public init(_ canvas: Canvas, of board: Board, now: Instant) {
    id = canvas.id
    isSelected = board.session.focus == canvas.id
    status = board.session.status(of: canvas.id)
    (clip, cover) = (canvas.clip, canvas.cover)
    take = board.session.take.flatMap { $0.canvas == canvas.id ? TakeState($0, now: now) : nil }
  }
}

extension CanvasState.TakeState {
  init(_ take: Take, now: Instant) {
    self.init(seconds: take.seconds(until: now) ?? 0, interruption: take.interruption)
  }
}

/// What of the whole board can be observed.
public struct SessionState: Hashable, Sendable {
  /// What the board is at.
  public var name: SessionName
  /// Counts the transactions that changed something.
  public var revision: Int

  /// That of a board.
  public init(_ board: Board) {
    (name, revision) = (board.session.name, board.revision)
  }
}
