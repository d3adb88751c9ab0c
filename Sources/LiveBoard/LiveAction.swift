internal import BoardText
internal import CanvasModel
internal import Terminal

/// What a key or the mouse asks for.
enum LiveAction: Hashable {
  /// To the left or right in the order.
  case moveCursor(by: Int)
  /// Up or down.
  case moveRows(by: Int)
  /// Up or down by what the screen shows.
  case movePages(by: Int)
  case moveToFirst
  case moveToLast
  /// Sends an event that hangs on the board and the canvas with the cursor.
  case send(Request)
  /// A place of the screen is clicked.
  case click(row: Int, column: Int)
  case scroll(by: Int)
  case toggleHelp
  case closeHelp
  case redraw
  case quit

  /// What is sent to the board.
  enum Request: Hashable {
    case tap
    case recordOrStop
    case recordOver
    case pauseOrResume
    case discard
    case undo
    case redo
    case addCanvas
  }

  init?(_ input: Input) {
    switch input {
    case .mouse(let event):
      switch event.action {
      case .press: self = .click(row: event.row, column: event.column)
      case .wheelUp: self = .scroll(by: -1)
      case .wheelDown: self = .scroll(by: 1)
      }
    case .key(let key): self.init(key)
    }
  }

  private init?(_ key: Input.Key) {
    switch key {
    case .left: self = .moveCursor(by: -1)
    case .right: self = .moveCursor(by: 1)
    case .up: self = .moveRows(by: -1)
    case .down: self = .moveRows(by: 1)
    case .pageUp: self = .movePages(by: -1)
    case .pageDown: self = .movePages(by: 1)
    case .home: self = .moveToFirst
    case .end: self = .moveToLast
    case .enter: self = .send(.tap)
    case .escape: self = .closeHelp
    case .tab, .backspace: return nil
    case .character(let character): self.init(character)
    }
  }

  private init?(_ character: Character) {
    switch character {
    case " ": self = .send(.tap)
    case "r": self = .send(.recordOrStop)
    case "R": self = .send(.recordOver)
    case "p": self = .send(.pauseOrResume)
    case "d": self = .send(.discard)
    case "u": self = .send(.undo)
    case "U": self = .send(.redo)
    case "n": self = .send(.addCanvas)
    case "?": self = .toggleHelp
    case "l": self = .redraw
    case "q": self = .quit
    default: return nil
    }
  }

  /// What the keys do, for the help.
  static let help = [
    ("arrows", "move the cursor; page keys, home and end too"),
    ("enter, click", "tap: the canvas goes into preview, or out of it"),
    ("r", "record on the canvas in preview, or stop"),
    ("R", "record over its clip"),
    ("p", "pause the recording, or go on"),
    ("d", "discard the recording"),
    ("u, U", "undo, redo"),
    ("n", "add a canvas"),
    ("l", "draw the screen anew"),
    ("?", "this help"),
    ("q", "leave; a recording stays open"),
  ]
}

extension LiveAction.Request {
  /// What it is on a board; `nil` when it needs a canvas with the cursor and there is none.
  func event(on board: Board, cursor: CanvasID?) -> Event? {
    switch self {
    case .tap: cursor.map { .tap($0) }
    case .recordOrStop:
      switch board.session.name {
      case .idle, .selected, .previewing: .recordStart(take: board.nextTake)
      case .recording, .paused, .finalizing: .recordStop
      }
    case .recordOver: .recordStart(take: board.nextTake, replace: true)
    case .pauseOrResume: board.session.name == .paused ? .recordResume : .recordPause
    case .discard: .recordDiscard
    case .undo: .undo
    case .redo: .redo
    case .addCanvas: .addCanvas(board.nextID)
    }
  }
}

extension Reason {
  /// Why, and which key does something about it.
  var wordsWithKeys: String {
    switch self {
    case .hasClip: "the canvas has a clip; R records over it"
    case .locked: "a recording is open; r stops it, d discards it"
    case .notPreviewing: "no canvas is in preview; enter taps the one with the cursor"
    case .already, .nothing, .stale, .notRecording, .finalizing, .noTake, .notStopped, .wrongTake, .noClip,
      .canvasExists, .badPosition, .unknownCanvas:
      words
    }
  }
}
