internal import BoardSupport
internal import CanvasModel
internal import SystemPackage

/// An action triggered by a key or the mouse.
enum LiveAction: Hashable {
  /// Moves the cursor left or right in canvas order.
  case moveCursor(by: Int)
  /// Moves the cursor up or down.
  case moveRows(by: Int)
  /// Moves the cursor up or down by screens.
  case movePages(by: Int)
  case moveToFirst
  case moveToLast
  /// Sends an event that depends on the board and the canvas under the cursor.
  case send(Request)
  /// Clicks a screen position.
  case click(row: Int, column: Int)
  case scroll(by: Int)
  /// Asks for the path of a clip for the canvas under the cursor.
  case askForClip(replacing: Bool)
  /// Makes failed and missing covers again.
  case makeCovers
  /// Starts or ends removal mode: a tap then removes a canvas.
  case toggleRemoving
  case toggleHelp
  /// Closes the help, or else ends removal mode.
  case close
  case redraw
  case quit

  /// A request to the board.
  enum Request: Hashable {
    case tap
    case select
    case importClip(CanvasID, ClipFile, replaces: Bool)
    case makeCoverAgain
    /// Makes the covers of these canvases again, and those that are pending.
    case makeCovers([CanvasID])
    case removeClip
    /// Moves the start of the part that is played.
    case moveStart(by: Double)
    /// Moves the end of the part that is played.
    case moveEnd(by: Double)
    /// Plays the whole clip.
    case clearTrim
    /// Puts the next take on the canvas, from the oldest to the newest.
    case nextTake
    case removeCanvas
    /// Moves the canvas in the order.
    case moveCanvas(by: Int)
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
    // Text that was pasted here is meant for another program.
    case .pasted: return nil
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
    case .escape: self = .close
    case .tab, .backspace, .byte: return nil
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
    case "s": self = .send(.select)
    case "i": self = .askForClip(replacing: false)
    case "I": self = .askForClip(replacing: true)
    case "c": self = .send(.makeCoverAgain)
    case "C": self = .makeCovers
    case "D": self = .toggleRemoving
    case "[": self = .send(.moveStart(by: -Self.trimStep))
    case "]": self = .send(.moveStart(by: Self.trimStep))
    case "{": self = .send(.moveEnd(by: -Self.trimStep))
    case "}": self = .send(.moveEnd(by: Self.trimStep))
    case "=": self = .send(.clearTrim)
    case "t": self = .send(.nextTake)
    case "x": self = .send(.removeClip)
    case "X": self = .send(.removeCanvas)
    case "<": self = .send(.moveCanvas(by: -1))
    case ">": self = .send(.moveCanvas(by: 1))
    case "?": self = .toggleHelp
    case "l": self = .redraw
    case "q": self = .quit
    default: return nil
    }
  }

  /// How far a key moves the start or the end of the part that is played, in seconds.
  private static let trimStep = 0.5

  /// The keys and their actions, for the help.
  static let help = [
    ("arrows", "move the cursor; also the page keys, home and end"),
    ("enter, click", "tap: start or end the preview of a canvas"),
    ("r", "record on the canvas in preview, or stop"),
    ("R", "record and replace its clip"),
    ("p", "pause or resume the recording"),
    ("d, d", "discard the recording"),
    ("u, U", "undo, redo"),
    ("s", "select the canvas without a preview"),
    ("i, I", "import a clip; I replaces an existing one"),
    ("c, C", "make its cover again, or all failed and missing covers"),
    ("[, ], {, }", "play its clip from earlier or later, or to earlier or later; = plays it whole"),
    ("t", "put its next take on it"),
    ("x, X", "remove its clip, or the canvas; files are kept"),
    ("D", "make taps remove canvases, until esc"),
    ("<, >", "move the canvas in the order"),
    ("n", "add a canvas"),
    ("l", "redraw the screen"),
    ("?", "this help"),
    ("q", "quit; a recording stays open"),
  ]
}

extension LiveAction.Request {
  /// Returns the events for a board, which are one transaction; `nil` if they require a canvas under the cursor but the
  /// board is empty.
  ///
  /// - Parameter folder: The board's folder.
  func events(on board: Board, in folder: FilePath, cursor: CanvasID?) -> [Event]? {
    switch self {
    case .makeCovers(let canvases): canvases.map { .coverRetry($0) }
    default: event(on: board, in: folder, cursor: cursor).map { [$0] }
    }
  }

  private func event(on board: Board, in folder: FilePath, cursor: CanvasID?) -> Event? {
    switch self {
    case .tap: cursor.map { .tap($0) }
    case .select: cursor.map { .select($0) }
    case .importClip(let canvas, let file, let replaces): .importClip(canvas, file, replace: replaces)
    case .makeCoverAgain: cursor.map { .coverRetry($0) }
    case .makeCovers: nil
    case .removeClip: cursor.map { .removeClip($0) }
    case .moveStart(let step): cursor.map { .trimClip($0, board.part(of: $0, movingStartBy: step)) }
    case .moveEnd(let step): cursor.map { .trimClip($0, board.part(of: $0, movingEndBy: step)) }
    case .clearTrim: cursor.map { .trimClip($0, nil) }
    case .nextTake: cursor.map { .useTake($0, generation: board.nextTake(of: $0, in: folder)) }
    case .removeCanvas: cursor.map { .removeCanvas($0) }
    case .moveCanvas(let count):
      cursor.flatMap { canvas in
        board.canvases.firstIndex { $0.id == canvas }
          .map { .moveCanvas(canvas, to: min(max(0, $0 + count), board.canvases.count - 1)) }
      }
    case .recordOrStop:
      switch board.session.name {
      case .idle, .selected, .previewing: .recordStart(take: board.nextTake)
      case .recording, .paused, .finalizing: .recordStop
      }
    case .recordOver: .recordStart(take: board.nextTake, replace: true)
    case .pauseOrResume: board.session.name == .paused ? .recordResume() : .recordPause
    case .discard: .recordDiscard
    case .undo: .undo
    case .redo: .redo
    case .addCanvas: .addCanvas(board.nextID)
    }
  }
}

extension LiveAction.Request {
  /// Returns the clips whose covers are made after the request, given the board as it is then.
  func waitingCovers(on board: Board, cursor: CanvasID?) -> [WaitingCover] {
    switch self {
    case .importClip(let canvas, _, _): board.waitingCovers.filter { $0.canvas == canvas }
    case .makeCoverAgain, .moveStart, .moveEnd, .clearTrim, .nextTake:
      board.waitingCovers.filter { $0.canvas == cursor }
    case .makeCovers: board.waitingCovers
    case .tap, .select, .removeClip, .removeCanvas, .moveCanvas, .recordOrStop, .recordOver, .pauseOrResume, .discard,
      .undo, .redo, .addCanvas:
      []
    }
  }

  /// The message after a change of the board; `nil` if the screen shows enough.
  ///
  /// - Parameters:
  ///   - board: The board after the change.
  ///   - cursor: The canvas under the cursor.
  func message(on board: Board, cursor: CanvasID?) -> String? {
    let canvas = cursor.flatMap { board[$0] }
    return switch self {
    case .moveStart, .moveEnd, .clearTrim: "plays \(canvas?.clip?.trim?.text ?? "the whole clip"); u undoes"
    case .nextTake: canvas?.clip.map { "take \($0.generation), one of \((canvas?.takes.count ?? 0) + 1); u undoes" }
    case .recordOrStop where board.session.name == .finalizing:
      "the recording has ended; add its clip with 'clipcanvas board record finish --clip FILE'"
    case .removeClip: "the clip was removed from the board; its file is kept; u undoes"
    case .removeCanvas: "the canvas was removed; u undoes"
    case .tap, .select, .importClip, .makeCoverAgain, .makeCovers, .recordOrStop, .recordOver, .pauseOrResume, .discard,
      .undo, .redo, .addCanvas, .moveCanvas:
      nil
    }
  }
}

extension Board {
  /// Returns the part of a clip that starts earlier or later; `nil` for the whole clip.
  fileprivate func part(of canvas: CanvasID, movingStartBy step: Double) -> Trim? {
    let trim = self[canvas]?.clip?.trim
    // Nothing is left of a part whose start would reach its end.
    let start = max(0, (trim?.from ?? 0) + step)
    return trim?.to.map { start < $0 } ?? true ? Trim(from: start, to: trim?.to) : trim
  }

  /// Returns the part of a clip that ends earlier or later; `nil` for the whole clip.
  fileprivate func part(of canvas: CanvasID, movingEndBy step: Double) -> Trim? {
    let clip = self[canvas]?.clip
    guard let seconds = clip?.file.durationSeconds else { return clip?.trim }
    let (start, end) = (clip?.trim?.from ?? 0, (clip?.trim?.to ?? seconds) + step)
    return end > start ? Trim(from: start, to: end < seconds ? end : nil) : clip?.trim
  }

  /// Returns the number of the take that was set after the clip of a canvas, or else of the oldest; a take whose file is
  /// missing or has changed is left out if there is another.
  fileprivate func nextTake(of canvas: CanvasID, in folder: FilePath) -> Int {
    let (clips, present) = (self[canvas]?.takes.map(\.clip) ?? [], self[canvas]?.clip?.generation ?? 0)
    let inTurn = clips.filter { $0.generation > present } + clips.filter { $0.generation < present }
    return (inTurn.first { $0.problem(in: folder) == nil } ?? inTurn.first)?.generation ?? 0
  }

  /// The keys that are most useful in this state, for the bottom line.
  var hint: String {
    switch session.name {
    case .idle, .selected: "enter taps · i imports a clip · n adds a canvas · u undoes · ? help · q quits"
    case .previewing where session.focus.flatMap { self[$0]?.clip } != nil:
      "R records over the clip · enter taps · u undoes · ? help · q quits"
    case .previewing: "r records · enter taps · u undoes · ? help · q quits"
    case .recording: "r stops · p pauses · d discards · ? help · q quits; the recording stays open"
    case .paused: "p resumes · r stops · d discards · ? help · q quits"
    case .finalizing: "'clipcanvas board record finish --clip FILE' ends it · d discards · q quits"
    }
  }
}

extension Reason {
  /// Returns the reason why an event changed nothing or was refused and, where there is one, the key that resolves it.
  func messageWithKeys(for event: EventName?) -> String {
    switch self {
    case .hasClip: "the canvas has a clip; R records over it, I replaces it with a file"
    case .locked: "a recording is in progress; r stops it, d twice discards it"
    case .notPreviewing: "no canvas is in preview; enter taps the one with the cursor"
    case .unknownTake: "the canvas has no other take"
    case .already, .nothing, .stale, .notRecording, .finalizing, .noTake, .notStopped, .wrongTake, .noClip,
      .takeInUse, .badTrim, .canvasExists, .badPosition, .unknownCanvas, .badCanvasID, .ownerAlive, .tooLarge,
      .tooFewSteps, .unknownRevision:
      message(for: event)
    }
  }
}
