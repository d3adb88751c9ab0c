/// The outcome of every event in every session, determined by running the state machine.
///
/// Each row is one event, applied to a board in one session. In that board `c1` has the focus, unless it is idle; the
/// variant describes any other condition.
package struct TransitionTable: Hashable, Sendable {
  /// The state machine's answer to an event.
  package enum Answer: Hashable, Sendable {
    /// The board changes, and is afterwards in the given session.
    case changed(SessionName)
    case noop(Reason)
    case refused(Reason)
  }

  /// One event in one session.
  package struct Row: Hashable, Sendable {
    /// The event.
    package let event: EventName
    /// Any other condition, in words; empty without one.
    package let variant: String
    /// The session before the event.
    package let session: SessionName
    /// The answer to the event.
    package let answer: Answer

    /// The event and its variant, such as `tap (the focus)`.
    package var label: String { variant.isEmpty ? event.rawValue : "\(event.rawValue) \(variant)" }
  }

  /// The rows, ordered by event, variant and session.
  ///
  /// Impossible combinations, such as tapping the focus when idle, have no row.
  package let rows: [Row]

  /// Creates the table by running the state machine.
  package init() {
    rows = EventName.allCases.flatMap { event in
      Scenario.all(of: event).flatMap { scenario in
        scenario.sessions.map { session in
          Row(event: event, variant: scenario.variant, session: session, answer: scenario.answer(in: session))
        }
      }
    }
  }
}

/// An event with the conditions under which it is applied.
struct Scenario {
  let variant: String
  let sessions: [SessionName]
  /// The events applied while the board is idle.
  let before: [Event]
  /// The events applied once the board is in the session.
  let inside: [Event]
  /// Whether the history is cleared before the event.
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

  /// Returns the events that lead from idle to a session.
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
