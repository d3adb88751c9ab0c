public import CanvasModel

/// The observable state of a canvas.
public struct CanvasState: Hashable, Sendable {
  /// The state of an open recording, as its canvas shows it.
  public struct TakeState: Hashable, Sendable {
    /// The duration without pauses, in whole seconds.
    public let seconds: Int
    /// The reason for an interruption, in words; `nil` if there was none or the recording was resumed.
    public let interruption: String?

    /// Creates the state of a recording.
    public init(seconds: Int, interruption: String? = nil) {
      (self.seconds, self.interruption) = (seconds, interruption)
    }
  }

  /// The ID of the canvas.
  public let id: CanvasID
  /// Whether the canvas has the red border.
  public var isSelected: Bool
  /// The status of the canvas.
  public var status: Status
  /// The recorded or imported clip.
  public var clip: Clip?
  /// The state of the clip's cover.
  public var cover: Cover
  /// The open recording on the canvas.
  public var take: TakeState?

  /// Creates the state of a canvas on a board.
  ///
  /// - Parameters:
  ///   - canvas: The canvas.
  ///   - board: The board that contains the canvas.
  ///   - now: The current time, for the duration of an open recording.
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

/// The observable state of the board as a whole.
public struct SessionState: Hashable, Sendable {
  /// The name of the session.
  public var name: SessionName
  /// The revision of the board.
  public var revision: Int

  /// Creates the state of a board.
  public init(_ board: Board) {
    (name, revision) = (board.session.name, board.revision)
  }
}
