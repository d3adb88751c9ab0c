internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Files
internal import SystemPackage
internal import Terminal

/// Waits for keys, for the board and for time, and shows what comes of them.
struct LiveLoop: ~Copyable {
  private var terminal: Terminal
  private let file: BoardFile
  /// Can be read when covers have come.
  private let bell: Int32
  private var screen: LiveScreen
  private var follower: BoardFollower
  private var watch: KeptWatch?

  /// An owner of the watch that can be looked at while the rest changes.
  private final class KeptWatch {
    let watch: FolderWatch

    init(_ folder: FilePath) throws(Errno) { watch = try FolderWatch(folder) }
  }

  /// How long a key waits for somebody else who changes the board.
  private static let patience = Duration.seconds(2)
  /// While the folder is not there nothing tells that it comes.
  private static let pauseWithoutFolder = Duration.milliseconds(200)

  init(_ file: BoardFile, screen: LiveScreen, reader: CoverReader, on terminal: consuming Terminal) {
    (self.file, self.screen) = (file, screen)
    bell = reader.bell.rawValue
    self.terminal = terminal
    follower = BoardFollower(file, since: screen.board.revision)
  }

  /// Runs until somebody leaves.
  mutating func run() {
    screen.resize(terminal.size)
    // The first look after the watch has begun, so that nothing happens unseen between the two.
    watch = try? KeptWatch(file.folder)
    look()
    while true {
      terminal.write(screen.takeFrame())
      for occurrence in terminal.wait(or: [bell] + folder, for: timeout) {
        switch occurrence {
        case .input(let input):
          guard let action = LiveAction(input) else { continue }
          guard action != .quit else { return }
          perform(action)
        case .resized, .resumed: screen.resize(terminal.size)
        case .closed: return
        case .readable(bell): screen.takeCovers()
        case .readable: takeWaking()
        case .timeIsOver: watch == nil ? findFolder() : screen.tick()
        }
      }
    }
  }

  /// What can be read when something has happened in the board's folder.
  private var folder: [Int32] { watch.map { [$0.watch.descriptor.rawValue] } ?? [] }

  /// Until the running time of a recording changes; `nil` while nothing changes by itself.
  private var timeout: Duration? {
    guard watch != nil else { return Self.pauseWithoutFolder }
    guard case .recording(let take) = screen.board.session else { return nil }
    let time = take.duration(until: .now)
    return .milliseconds(Int(max(10, min(1000, (time.rounded(.down) + 1 - time) * 1000))))
  }

  // MARK: - The board

  private mutating func takeWaking() {
    switch try? watch?.watch.wait(.zero) {
    case .somethingHappened, .timeIsOver: look()
    case .folderIsGone, nil:
      watch = nil
      look()
    }
  }

  private mutating func findFolder() {
    screen.tick()
    watch = try? KeptWatch(file.folder)
    if watch != nil { look() }
  }

  /// Shows what has come to the board since the last look, as one change.
  private mutating func look() {
    var changes: [Change]? = []
    var newest: Board?
    for notice in follower.look() {
      switch notice {
      case .transaction(let transaction, let board):
        changes?.append(contentsOf: transaction.changes)
        newest = board
      case .fresh(let board):
        changes = nil
        newest = board
      case .unreadable(let problem):
        screen.message = .lasting(BoardError.unreadable(problem).words(file.path.displayText))
      }
    }
    if let newest { screen.update(to: newest, changes: changes) }
    if follower.problem == nil, case .lasting = screen.message { screen.message = nil }
  }

  private mutating func send(_ request: LiveAction.Request) {
    let (now, cursor) = (Instant.now, screen.cursorCanvas)
    do {
      let outcome = try file.transact(lockTimeout: Self.patience) { board in
        request.event(on: board, cursor: cursor).map { board.apply($0, at: now) }
      }
      look()
      tell(outcome, of: request)
    } catch {
      // It may have changed all the same, and only not be on the disk for sure.
      look()
      screen.message = follower.problem == nil ? .refused(words(error)) : .lasting(words(error))
    }
  }

  private func words(_ error: BoardError) -> String {
    // Of an option there is nothing to say here.
    guard case .lockTimeout(let holder) = error else { return error.words(file.path.displayText) }
    return "the board is being changed by \(holder?.words ?? "somebody else"); try again"
  }

  private mutating func tell(_ outcome: Outcome?, of request: LiveAction.Request) {
    switch outcome {
    case .changed:
      if request == .addCanvas { screen.moveCursorToLast() }
      if request == .recordOrStop, screen.board.session.name == .finalizing {
        screen.message = .told("the recording has ended; 'clipcanvas record finish --clip FILE' brings its clip")
      }
    case .noop(let reason): screen.message = .told("nothing to do: \(reason.rawValue) (\(reason.wordsWithKeys))")
    case .refused(let reason): screen.message = .refused("refused: \(reason.rawValue) (\(reason.wordsWithKeys))")
    case nil: screen.message = .told("nothing to do: there is no canvas; n adds one")
    }
  }

  // MARK: - Keys

  private mutating func perform(_ action: LiveAction) {
    switch screen.message {
    case .told, .refused: screen.message = nil
    case .lasting, nil: break
    }
    switch action {
    case .moveCursor(let count): screen.moveCursor(by: count)
    case .moveRows(let count): screen.moveCursorRows(by: count)
    case .movePages(let count): screen.moveCursorPages(by: count)
    case .moveToFirst: screen.moveCursor(to: 0)
    case .moveToLast: screen.moveCursorToLast()
    case .scroll(let rows): screen.scroll(by: rows)
    case .click(let row, let column): click(row: row, column: column)
    case .toggleHelp: screen.isHelpOpen.toggle()
    case .closeHelp: screen.isHelpOpen = false
    case .redraw: screen.refresh(terminal.size)
    case .send(let request): send(request)
    case .quit: break
    }
  }

  private mutating func click(row: Int, column: Int) {
    guard !screen.isHelpOpen else {
      screen.isHelpOpen = false
      return
    }
    guard let index = screen.index(row: row, column: column) else { return }
    screen.moveCursor(to: index)
    send(.tap)
  }
}
