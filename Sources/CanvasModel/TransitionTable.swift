/// What every event does in every session, found out by running the machine.
///
/// Each row is one event, sent to a board in one session. `c1` has the focus there, or is any canvas when idle; the
/// variant tells what else matters.
public struct TransitionTable: Hashable, Sendable {
  /// What the machine answers.
  public enum Answer: Hashable, Sendable {
    /// The board changes, and is then in this session.
    case changed(SessionName)
    case noop(Reason)
    case refused(Reason)
  }

  /// One event in one session.
  public struct Row: Hashable, Sendable {
    /// The event.
    public let event: EventName
    /// What else matters, in words; empty where nothing does.
    public let variant: String
    /// Where the board is before.
    public let session: SessionName
    /// What becomes of it.
    public let answer: Answer

    /// The event and what else matters, as `tap (the focus)`.
    public var label: String { variant.isEmpty ? event.rawValue : "\(event.rawValue) \(variant)" }
  }

  /// By event, then by variant, then by session.
  ///
  /// Where a variant cannot be, as the focus when idle, it has no row.
  public let rows: [Row]

  /// Runs the machine.
  public init() {
    rows = EventName.allCases.flatMap { event in
      Trial.all(of: event).flatMap { trial in
        trial.sessions.map { session in
          Row(event: event, variant: trial.variant, session: session, answer: trial.answer(in: session))
        }
      }
    }
  }
}

/// An event with all that it meets.
struct Trial {
  let variant: String
  let sessions: [SessionName]
  /// What happens while the board is idle.
  let before: [Event]
  /// What happens once it is in its session.
  let inside: [Event]
  /// Whether nothing is known of what happened before.
  let forgets: Bool
  let event: Event

  init(
    _ event: Event,
    _ variant: String = "",
    in sessions: [SessionName] = SessionName.allCases,
    before: [Event] = [],
    inside: [Event] = [],
    forgets: Bool = false
  ) {
    (self.event, self.variant, self.sessions) = (event, variant, sessions)
    (self.before, self.inside, self.forgets) = (before, inside, forgets)
  }

  func answer(in session: SessionName) -> TransitionTable.Answer {
    var board = Board(columns: 2, rows: 1)
    for event in before + Self.way(to: session) + inside { board.sendAtEpoch(event) }
    if forgets { board.history = History() }
    switch board.sendAtEpoch(event) {
    case .changed: return .changed(board.session.name)
    case .noop(let reason): return .noop(reason)
    case .refused(let reason): return .refused(reason)
    }
  }

  /// The events that lead there from idle.
  private static func way(to session: SessionName) -> [Event] {
    switch session {
    case .idle: []
    case .selected: [.select(c1)]
    case .previewing: [.preview(c1)]
    case .recording: way(to: .previewing) + [.recordStart(take: take, replace: true)]
    case .paused: way(to: .recording) + [.recordPause]
    case .finalizing: way(to: .recording) + [.recordStop]
    }
  }
}

extension Board {
  @discardableResult
  fileprivate mutating func sendAtEpoch(_ event: Event) -> Outcome { apply(event, at: .epoch) }
}
