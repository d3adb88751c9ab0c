internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files
internal import SystemPackage

/// The event loop: waits for input, board changes and timeouts, and updates the screen.
struct LiveLoop: ~Copyable {
  private var terminal: Terminal
  private let file: BoardFile
  private let maker: CoverMaker
  private let check: ClipCheck
  /// It is signalled when covers have been read or made, and clips checked.
  private let wakeup: Wakeup
  private var screen: LiveScreen
  private var follower: BoardFollower
  /// Whether the last key asked to discard the recording, which takes the same key again.
  private var hasAskedToDiscard = false
  private var watch: RenewedWatch
  /// The descriptor that becomes readable when something in the board's folder has changed; `nil` if that is missing.
  private var folder: FileDescriptor?

  /// How long a key waits for another process that is changing the board.
  private static let patience = Duration.seconds(2)

  init(
    _ file: BoardFile,
    screen: LiveScreen,
    maker: CoverMaker,
    check: ClipCheck,
    wakeup: Wakeup,
    on terminal: consuming Terminal
  ) {
    (self.file, self.screen, self.maker, self.check, self.wakeup) = (file, screen, maker, check, wakeup)
    self.terminal = terminal
    follower = BoardFollower(file, since: screen.board.revision)
    watch = RenewedWatch(file.folder)
  }

  /// Runs until the user quits or the terminal is closed.
  mutating func run() {
    screen.resize(terminal.size)
    startToWatch()
    let bell = wakeup.descriptor.rawValue
    while true {
      terminal.write(screen.takeFrame())
      for occurrence in terminal.wait(or: [bell] + (folder.map { [$0.rawValue] } ?? []), for: timeout) {
        switch occurrence {
        case .input(let input):
          guard take(input) else { return }
        case .resized: screen.resize(terminal.size)
        case .suspended: screen.suspend()
        case .resumed: resume()
        case .closed: return
        case .readable(bell): takeResults()
        case .readable:
          try? watch.takeChanges()
          startToWatch()
        case .timeIsOver:
          screen.tick()
          if folder == nil { startToWatch() }
        }
      }
    }
  }

  /// Shows everything that has changed while the terminal belonged to other programs, as one frame.
  private mutating func resume() {
    look()
    screen.resume(terminal.size)
  }

  /// Shows covers that have been read or made, and adds clips that have been checked.
  private mutating func takeResults() {
    wakeup.wait(timeout: .zero)
    screen.takeCovers()
    let report = maker.takeReport()
    screen.show(report.progress)
    if let message = report.message { screen.report(message) }
    for answer in check.takeAnswers() { take(answer) }
  }

  /// The time until the displayed duration of a recording changes; `nil` if nothing changes over time.
  private var timeout: Duration? {
    guard folder != nil else { return RenewedWatch.pollingInterval }
    guard case .recording(let take) = screen.board.session else { return nil }
    let time = take.duration(until: .now)
    return .milliseconds(Int(max(10, min(1000, (time.rounded(.down) + 1 - time) * 1000))))
  }

  // MARK: - The board

  /// Shows the board, which is read after the watch has started, so that no change in between is missed.
  private mutating func startToWatch() {
    folder = try? watch.start()
    look()
  }

  /// Shows all changes of the board since the last call, as one update.
  private mutating func look() { show(follower.look()) }

  private mutating func show(_ notices: [BoardNotice]) {
    var changes: [Change]? = []
    var newest: Board?
    for notice in notices {
      switch notice {
      case .transaction(let transaction, let board):
        changes?.append(contentsOf: transaction.changes)
        newest = board
      case .forgotten(let board):
        newest = board
      case .fresh(let board):
        changes = nil
        newest = board
      case .unreadable(let problem):
        screen.message = .lasting(BoardError.unreadable(problem).message(of: file))
      }
    }
    if let newest { screen.update(to: newest, changes: changes) }
    if follower.problem == nil, case .lasting = screen.message { screen.message = nil }
  }

  private mutating func send(_ request: LiveAction.Request) {
    let (now, cursor, folder) = (Instant.now, screen.cursorCanvas, file.folder)
    do {
      var problem: String?
      let (outcome, notices) = try follower.transact(lockTimeout: Self.patience) { board -> Outcome? in
        guard let events = request.events(on: board, in: folder, cursor: cursor) else { return nil }
        problem = board.problem(of: events, in: folder)
        return problem == nil ? board.apply(events.map { ($0, now) }).outcome : nil
      }
      show(notices)
      if let problem {
        screen.message = .refused(problem)
        return
      }
      let waiting = request.waitingCovers(on: screen.board, cursor: cursor)
      maker.ask(for: waiting)
      // A cover that was pending already is made all the same.
      if waiting.isEmpty || outcome != .noop(.already) { report(outcome, of: request) }
    } catch {
      // The board may have changed nevertheless, if only the sync to disk has failed.
      look()
      screen.message = follower.problem == nil ? .refused(message(error)) : .lasting(message(error))
    }
  }

  private func message(_ error: BoardError) -> String {
    // The usual message mentions an option that this program does not have.
    guard case .lockTimeout(let holder) = error else { return error.message(of: file) }
    return "the board is being changed by \(holder?.message ?? "another process"); try again"
  }

  private mutating func report(_ outcome: Outcome?, of request: LiveAction.Request) {
    // The board has not changed, so this is the event that was sent.
    func message(_ reason: Reason) -> String {
      reason.messageWithKeys(
        for: request.events(on: screen.board, in: file.folder, cursor: screen.cursorCanvas)?.first?.name
      )
    }
    switch outcome {
    case .changed:
      if request == .addCanvas { screen.moveCursorToLast() }
      if let message = request.message(on: screen.board, cursor: screen.cursorCanvas) {
        screen.message = .info(message)
      }
    case .noop where request == .makeCovers([]):
      screen.message = .info("nothing changed: no cover is pending, has failed or is missing")
    case .noop(let reason): screen.message = .info("nothing changed: \(message(reason))")
    case .refused(let reason): screen.message = .refused("refused: \(message(reason))")
    case nil: screen.message = .info("nothing changed: there is no canvas; n adds one")
    }
  }

  // MARK: - Keys

  /// Handles input, and returns whether to continue.
  private mutating func take(_ input: Input) -> Bool {
    guard screen.prompt == nil else {
      takeAnswer(input)
      return true
    }
    guard let action = LiveAction(input) else { return true }
    guard action != .quit else { return false }
    perform(action)
    return true
  }

  private mutating func perform(_ action: LiveAction) {
    screen.forgetMessage()
    guard !asksToDiscard(action) else { return }
    switch action {
    case .moveCursor(let count): screen.moveCursor(by: count)
    case .moveRows(let count): screen.moveCursorRows(by: count)
    case .movePages(let count): screen.moveCursorPages(by: count)
    case .moveToFirst: screen.moveCursor(to: 0)
    case .moveToLast: screen.moveCursorToLast()
    case .scroll(let rows): screen.scroll(by: rows)
    case .click(let row, let column): click(row: row, column: column)
    case .askForClip(let replacing): askForClip(replacing: replacing)
    case .makeCovers: send(.makeCovers(screen.board.canvasesWithoutCover(in: file.folder)))
    case .toggleRemoving: screen.isRemoving.toggle()
    case .toggleHelp: screen.isHelpOpen.toggle()
    case .close: screen.close()
    case .redraw: screen.refresh(terminal.size)
    case .send(.tap): tap()
    case .send(let request): send(request)
    case .quit: break
    }
  }

  private mutating func tap() { send(screen.isRemoving ? .removeCanvas : .tap) }

  /// Returns whether an action would discard a recording and has to be repeated first.
  private mutating func asksToDiscard(_ action: LiveAction) -> Bool {
    let isAsking = action == .send(.discard) && !hasAskedToDiscard && screen.board.isLocked
    hasAskedToDiscard = isAsking
    if isAsking { screen.message = .info("d again discards the recording; any other key keeps it") }
    return isAsking
  }

  private mutating func click(row: Int, column: Int) {
    guard !screen.isHelpOpen else {
      screen.isHelpOpen = false
      return
    }
    guard let index = screen.index(row: row, column: column) else { return }
    screen.moveCursor(to: index)
    tap()
  }

  // MARK: - The path of a clip

  /// Asks for the path of a clip, unless the canvas under the cursor cannot take one.
  private mutating func askForClip(replacing: Bool) {
    guard let canvas = screen.cursorCanvas, let anyClip = ClipFile(path: ".") else {
      screen.message = .info("nothing changed: there is no canvas; n adds one")
      return
    }
    var trial = screen.board
    let request = LiveAction.Request.importClip(canvas, anyClip, replaces: replacing)
    let outcome = trial.apply(.importClip(canvas, anyClip, replace: replacing), at: .now)
    if case .refused = outcome { return report(outcome, of: request) }
    screen.prompt = PathPrompt(for: canvas, replaces: replacing)
  }

  /// Adds a clip that was checked, or asks again.
  private mutating func take(_ answer: ClipCheck.Answer) {
    screen.forgetMessage()
    switch answer.clip {
    case .success(let clip): send(.importClip(answer.prompt.canvas, clip, replaces: answer.prompt.replaces))
    case .failure(let error) where screen.prompt == nil:
      screen.prompt = answer.prompt
      screen.prompt?.problem = error.message
    case .failure(let error): screen.report(.refused(error.message ?? ""))
    }
  }

  /// Passes input to the prompt, and lets the clip be checked when its path is complete.
  private mutating func takeAnswer(_ input: Input) {
    guard var prompt = screen.prompt else { return }
    switch prompt.take(input) {
    case .changed: screen.prompt = prompt
    case .cancelled: screen.prompt = nil
    case .accepted:
      do throws(CommandError) {
        try check.ask(prompt)
        screen.prompt = nil
        screen.report(.info("checking \(prompt.text)"))
      } catch {
        prompt.problem = error.message
        screen.prompt = prompt
      }
    }
  }
}
