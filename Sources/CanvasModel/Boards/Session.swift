/// The state of the board as a whole.
package enum Session: Hashable, Sendable {
  case idle
  /// The canvas has the focus.
  case selected(CanvasID)
  /// The canvas has the focus and shows the preview.
  case previewing(CanvasID)
  case recording(Take)
  case paused(Take)
  /// The recording has ended, and its clip is not available yet.
  case finalizing(Take)

  /// The name of the case.
  package var name: SessionName {
    switch self {
    case .idle: .idle
    case .selected: .selected
    case .previewing: .previewing
    case .recording: .recording
    case .paused: .paused
    case .finalizing: .finalizing
    }
  }

  /// The canvas with the red border; `nil` if and only if the board is idle.
  package var focus: CanvasID? {
    switch self {
    case .idle: nil
    case .selected(let canvas), .previewing(let canvas): canvas
    case .recording(let take), .paused(let take), .finalizing(let take): take.canvas
    }
  }

  /// The open recording; `nil` unless the board is locked.
  package var take: Take? {
    switch self {
    case .idle, .selected, .previewing: nil
    case .recording(let take), .paused(let take), .finalizing(let take): take
    }
  }

  /// Returns the status of a canvas.
  package func status(of canvas: CanvasID) -> Status { Status(isSelected: canvas == focus, in: name) }
}

/// The names of the cases of ``Session``.
package enum SessionName: String, CaseIterable, Sendable {
  case idle, selected, previewing, recording, paused, finalizing

  /// Whether a recording is open, so that taps have no effect.
  package var isLocked: Bool {
    switch self {
    case .idle, .selected, .previewing: false
    case .recording, .paused, .finalizing: true
    }
  }
}

/// The status of a canvas.
package enum Status: String, CaseIterable, Sendable {
  case noPreview, inPreview, recording

  /// Creates the status that a canvas must have.
  init(isSelected: Bool, in session: SessionName) {
    guard isSelected else {
      self = .noPreview
      return
    }
    switch session {
    case .idle, .selected: self = .noPreview
    case .previewing: self = .inPreview
    case .recording, .paused, .finalizing: self = .recording
    }
  }
}
