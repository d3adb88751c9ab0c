import CanvasModel
import ClipBoards
import SystemPackage
import TestSupport
import Testing

@Suite("Boards of Swift programs")
struct ClipBoardTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func makeBoard() async throws -> ClipBoard {
    try await ClipBoard.create(scratch("board.json").string, columns: 2, rows: 1)
  }

  private func command(_ arguments: String...) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["board"] + arguments + ["--board", scratch("board.json").string])
  }

  // MARK: - Names

  @Test("Keys, states and events are those of the command line")
  func names() {
    #expect(BoardChange.Key.allCases.map(\.rawValue) == Key.allCases.map(\.rawValue))
    #expect(BoardState.Session.allCases.map(\.rawValue) == SessionName.allCases.map(\.rawValue))
    #expect(BoardCanvas.Status.allCases.map(\.rawValue) == Status.allCases.map(\.rawValue))
  }

  // MARK: - Events

  @Test("A recording from the first tap to its clip")
  func recording() async throws {
    let board = try await makeBoard()
    #expect(try await board.read().canvases.map(\.id) == ["c1", "c2"])
    try await board.send(.tap(canvas: "c1"))
    try await board.send(.preview(canvas: "c1"))
    try await board.send(.recordStart(take: "mine"), at: 1000)
    #expect(try await board.read().session == .recording)
    #expect(try await board.send(.tap(canvas: "c2")) == .unchanged(.init(rawValue: "locked")))
    #expect(try await board.send(.undo) == .refused(.init(rawValue: "locked")))
    try await board.send(.recordStop, at: 1002)
    let clip = BoardClip(path: "a.mp4", bytes: 10, duration: 2)
    let outcome = try await board.send(.takeFinished(take: "mine", clip: clip))
    guard case .changed(let revision, let changes) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let state = try await board.read()
    #expect(
      state.revision == revision && state.take == nil && state["c1"]?.clip == clip && state["c1"]?.cover == .pending
    )
    let change = changes.first { $0.key == .clip }
    #expect(change?.canvas == "c1" && change?.old == BoardChange.Value.none && change?.new == .clip(clip))
    // The command line sees the same board.
    #expect(try await command("show", "--json").text.contains(#""path":"a.mp4""#))
  }

  @Test("Events in one transaction are one step, and all or none")
  func transaction() async throws {
    let board = try await makeBoard()
    let clip = BoardClip(path: "a.mp4")
    let refused = try await board.send([.importClip(canvas: "c1", clip: clip), .importClip(canvas: "c9", clip: clip)])
    #expect(refused.refusedIndex == 1)
    #expect(try await board.read().revision == 0)
    try await board.send([.importClip(canvas: "c1", clip: clip), .importClip(canvas: "c2", clip: clip)])
    #expect(try await board.read().canvases.allSatisfy { $0.clip == clip })
    try await board.send(.undo)
    #expect(try await board.read().canvases.allSatisfy { $0.clip == nil })
  }

  // MARK: - Errors

  @Test("Each problem has its cause, and nothing is overwritten")
  func errors() async throws {
    func cause(_ board: ClipBoard) async -> BoardError.Cause? {
      let error = await #expect(throws: BoardError.self) { try await board.send(.deselect) }
      return error?.cause
    }
    #expect(await cause(ClipBoard(scratch("none.json").string)) == .missing)
    #expect(await cause(ClipBoard(scratch.path.string)) == .notFile)
    for (name, text, expected) in [
      ("empty.json", "", BoardError.Cause.empty), ("cut.json", #"{"schemaVersion":1,"can"#, .corrupt),
      ("new.json", #"{"schemaVersion":999,"revision":0,"canvases":[]}"#, .newer),
    ] {
      let path = try scratch.write(text.utf8, as: name)
      #expect(await cause(ClipBoard(path.string)) == expected)
      #expect(try ScratchFolder.read(path) == Array(text.utf8))
    }
    let board = try await makeBoard()
    let again = await #expect(throws: BoardError.self) {
      try await ClipBoard.create(board.path, columns: 1, rows: 1)
    }
    #expect(again?.cause == .exists)
    for event in [BoardEvent.tap(canvas: ""), .importClip(canvas: "c1", clip: BoardClip(path: ""))] {
      let error = await #expect(throws: BoardError.self) { try await board.send(event) }
      #expect(error?.cause == .invalidEvent)
    }
    let time = await #expect(throws: BoardError.self) { try await board.send(.deselect, at: .nan) }
    #expect(time?.cause == .invalidEvent)
  }

  // MARK: - Updates

  @Test("Updates are the changes of all programs, in order")
  func updates() async throws {
    let board = try await makeBoard()
    var updates = board.updates.makeAsyncIterator()
    guard case .board(let first)? = try await updates.next() else {
      Issue.record("the first update is the board")
      return
    }
    #expect(first.revision == 0)
    #expect(try await command("select", "c2").exitStatus == 0)
    try await board.send(.tap(canvas: "c2"))
    #expect(try await command("deselect").exitStatus == 0)
    for revision in 1...3 {
      guard case .changes(let changes, revision, _)? = try await updates.next() else {
        Issue.record("the changes of revision \(revision) follow")
        return
      }
      #expect(!changes.isEmpty)
    }
  }

  @Test("Writers and a follower lose nothing")
  func convergence() async throws {
    let board = try await makeBoard()
    let following = Task { () -> BoardState? in
      var last = 0
      for try await update in board.updates {
        switch update {
        case .board(let state):
          #expect(last == 0)
          if state.revision == 40 { return state }
          last = state.revision
        case .changes(_, let revision, let state):
          #expect(revision == last + 1)
          if revision == 40 { return state }
          last = revision
        case .unreadable(let error): Issue.record(error)
        }
      }
      return nil
    }
    try await withThrowingTaskGroup { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<10 {
            try await board.send(.importClip(canvas: "c1", clip: BoardClip(path: "\(writer)-\(number)"), replace: true))
          }
        }
      }
      try await group.waitForAll()
    }
    let state = try await following.value
    #expect(try await board.read() == state)
  }

  @Test("A board that is removed and made again is reported")
  func replaced() async throws {
    let board = try await makeBoard()
    var updates = board.updates.makeAsyncIterator()
    _ = try await updates.next()
    try ScratchFolder.remove(scratch("board.json"))
    guard case .unreadable(let error)? = try await updates.next() else {
      Issue.record("the board is missing")
      return
    }
    #expect(error.cause == .missing)
    try await ClipBoard.create(board.path, columns: 3, rows: 1)
    guard case .board(let new)? = try await updates.next() else {
      Issue.record("the new board follows")
      return
    }
    #expect(new.canvases.count == 3)
  }

  @Test("Updates end when the task is cancelled")
  func cancelled() async throws {
    let board = try await makeBoard()
    let task = Task {
      var count = 0
      for try await _ in board.updates { count += 1 }
      return count
    }
    try await pause(.milliseconds(50))
    task.cancel()
    #expect(try await task.value <= 1)
  }
}
