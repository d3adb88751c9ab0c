import BoardStore
import CanvasModel
import SystemPackage
import TestSupport
import Testing

@Suite("Sizes of boards")
struct BoardSizeTests {
  private static func clip(_ path: String) throws -> ClipFile {
    try #require(ClipFile(path: path, bytes: .max, mtimeNanoseconds: .max, durationSeconds: 1 / 3.0))
  }

  private static func at(_ seconds: Double) throws -> Instant { try #require(Instant(secondsSince1970: seconds)) }

  /// Returns the size of the document without and with its history.
  private static func sizes(_ board: Board) -> (board: Int, history: Int) {
    var bare = board
    bare.trimHistory(to: 0)
    let size = BoardDocument(bare).bytes.count
    return (size, BoardDocument(board).bytes.count - size)
  }

  @Test(
    "The estimated size is never below the real size, and not far above it",
    arguments: ["a", "\u{1}\"\\é\u{1F3A5}"]
  )
  func estimates(_ text: String) throws {
    var board = Board(columns: 3, rows: 3)
    let path = String(repeating: text, count: 30)
    let ids = board.canvases.map(\.id)
    var events: [Event] = []
    for (number, id) in ids.enumerated() {
      events += [
        .importClip(id, try Self.clip(path)), .tap(id), .moveCanvas(id, to: (number + 3) % ids.count),
        .coverReady(
          id,
          generation: events.count + 1,
          try #require(CoverFile(path: path, width: .max, height: .max, actualTime: 0.1))
        ),
        .coverRetry(id), .coverFailed(id, generation: events.count + 1, reason: path),
      ]
    }
    let owner = Take.Owner(processID: .max, startTicks: .max, bootID: path)
    let take = try #require(TakeID(String(repeating: "t", count: 64)))
    let longest = try #require(CanvasID(String(repeating: "c", count: 64)))
    events += [
      .addCanvas(longest), .tap(longest), .moveCanvas(longest, to: 0), .importClip(longest, try Self.clip("a")),
      .coverFailed(longest, generation: events.count + 4, reason: "a"), .removeCanvas(ids[0]), .preview(ids[1]),
      .recordStart(take: take, replace: true, owner: owner),
    ]
    events += (0..<5).flatMap { _ in [.recordPause, .recordResume(owner: owner)] }
    events += [.takeFailed(take, reason: path)]
    for (number, event) in events.enumerated() {
      let (before, earlier) = (board.history.bytes, Self.sizes(board).history)
      let outcome = board.apply(event, at: try Self.at(1_795_270_000 + Double(number) / 3))
      let sizes = Self.sizes(board)
      #expect(board.estimatedBytes >= sizes.board && board.estimatedBytes < 2 * sizes.board, "\(event)")
      #expect(board.history.bytes >= sizes.history && board.history.bytes < 2 * sizes.history + 1000, "\(event)")
      #expect(outcome.isChanged, "\(outcome) \(event)")
      #expect(board.history.bytes - before >= sizes.history - earlier, "\(event)")
    }
    #expect(board.isLocked && board.history.transactions.count == events.count && events.count > 40)
  }

  @Test("Each optional member of a clip and a cover adds at least its own size to the estimate", arguments: 0..<6)
  func members(_ missing: Int) throws {
    func board(without missing: Int?) throws -> Board {
      func number(_ index: Int) -> Int? { missing == index ? nil : .max }
      func seconds(_ index: Int) -> Double? { missing == index ? nil : 1 / 3 }
      let clip = ClipFile(path: "a", bytes: number(0), mtimeNanoseconds: number(1), durationSeconds: seconds(2))
      let cover = CoverFile(path: "b", width: number(3), height: number(4), actualTime: seconds(5))
      var board = Board(columns: 1, rows: 1)
      let id = board.canvases[0].id
      let imported = board.apply(.importClip(id, try #require(clip)), at: .epoch)
      let covered = board.apply(.coverReady(id, generation: 1, try #require(cover)), at: .epoch)
      try #require(imported.isChanged && covered.isChanged, "\(covered)")
      return board
    }
    let whole = try board(without: nil)
    let part = try board(without: missing)
    let real = (Self.sizes(whole), Self.sizes(part))
    #expect(real.0.board > real.1.board)
    #expect(whole.estimatedBytes - part.estimatedBytes >= real.0.board - real.1.board)
    #expect(whole.history.bytes - part.history.bytes >= real.0.history - real.1.history)
  }

  @Test("A board may be as large as the limit, and not a byte larger", .enabled(if: Scope.isFull))
  func limit() throws {
    func board(path count: Int) throws -> (board: Board, outcome: Outcome) {
      var board = Board(columns: 1, rows: 1)
      let file = try #require(ClipFile(path: String(repeating: "x", count: count)))
      let outcome = board.apply(.importClip(board.canvases[0].id, file), at: .epoch)
      return (board, outcome)
    }
    let room = Board.maximumBytes - (try board(path: 1).board.estimatedBytes)
    let largest = try board(path: 1 + room)
    #expect(largest.outcome.isChanged && largest.board.estimatedBytes == Board.maximumBytes)
    #expect(try board(path: 2 + room).outcome == .refused(.tooLarge))
  }

  // The estimate counts six bytes for a delete character, which takes one in the file.
  @Test(
    "A board whose estimated size is above the limit accepts events that do not enlarge it",
    .enabled(if: Scope.isFull)
  )
  func alreadyLarge() throws {
    let scratch = try ScratchFolder()
    let file = BoardFile(at: scratch("board.json"))
    var small = Board(columns: 2, rows: 1)
    let ids = small.canvases.map(\.id)
    _ = small.apply(.importClip(ids[0], try #require(ClipFile(path: "PATH"))), at: .epoch)
    small.trimHistory(to: 0)
    let path = String(repeating: "\u{7F}", count: Board.maximumBytes / 6)
    let text = String(decoding: BoardDocument(small).bytes, as: UTF8.self).replacing("PATH", with: path)
    try scratch.write(text.utf8, as: "board.json")
    var board = try file.read().board
    try #require(board.estimatedBytes > Board.maximumBytes)
    #expect(board.apply(.tap(ids[0]), at: .epoch).isChanged && board.apply(.tap(ids[1]), at: .epoch).isChanged)
    #expect(board.apply(.importClip(ids[1], try Self.clip("a")), at: .epoch) == .refused(.tooLarge))
  }

  @Test(
    "A document with unknown members that would be too large loses history first, and is then refused",
    .enabled(if: Scope.isFull)
  )
  func unknownMembers() throws {
    let scratch = try ScratchFolder()
    let file = BoardFile(at: scratch("board.json"))
    try file.create(Board(columns: 2, rows: 1))
    let tap = Event.tap(CanvasID(number: 1))
    func write(unknown count: Int) throws {
      let text = String(decoding: BoardDocument(try board(taps: 5)).bytes, as: UTF8.self)
      let member = #"  "extra": ""# + String(repeating: "x", count: count) + "\",\n"
      try scratch.write(("{\n" + member + text.dropFirst(2)).utf8, as: "board.json")
    }
    func board(taps: Int) throws -> Board {
      var board = Board(columns: 2, rows: 1)
      for _ in 0..<taps { _ = board.apply(tap, at: try Self.at(1)) }
      return board
    }
    let size = BoardDocument(try board(taps: 5)).bytes.count
    try write(unknown: BoardDocument.maximumBytes - size - 20)
    let outcome = try file.transact { $0.apply(tap, at: .epoch) }
    guard case .changed(revision: 6, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try ScratchFolder.read(file.path).count <= BoardDocument.maximumBytes)
    let left = try file.read().board.history.transactions.count
    #expect(left >= 1 && left < 6)

    let bare = BoardDocument(Board(columns: 2, rows: 1)).bytes.count
    try write(unknown: BoardDocument.maximumBytes - size - 20)
    let old = try ScratchFolder.read(file.path)
    let long = try #require(ClipFile(path: String(repeating: "y", count: size + bare)))
    #expect(throws: BoardError.tooLarge) {
      try file.transact { $0.apply(.importClip(CanvasID(number: 1), long), at: .epoch) }
    }
    #expect(try ScratchFolder.read(file.path) == old)
  }

  @Test(
    "A board that is too large because of its history is repaired without losing anything else",
    .enabled(if: Scope.isFull)
  )
  func shrinks() throws {
    let scratch = try ScratchFolder()
    let file = BoardFile(at: scratch("board.json"))
    var board = Board(columns: 2, rows: 1)
    _ = board.apply(.tap(CanvasID(number: 1)), at: .epoch)
    // A transaction before it, as older versions wrote it, that is larger than a board may be.
    let order = "[\"" + String(repeating: "x", count: BoardDocument.maximumBytes) + "\"]"
    let move =
      #"{"revision":1,"at":0,"events":["moveCanvas"],"changes":[{"key":"canvases","old":\#(order),"new":[]}]},"#
    let text = String(decoding: BoardDocument(board).bytes, as: UTF8.self)
      .replacing(#""revision": 1"#, with: #""revision": 2"#)
      .replacing(#""history": ["#, with: #""history": ["# + move)
    try scratch.write(text.utf8, as: "board.json")
    #expect(throws: BoardError.unreadable(.corrupt("it is larger than 32 MiB"))) { try file.read() }
    let repair = try #require(try file.repair(lockTimeout: .seconds(5)))
    #expect(repair.problem == "it is larger than 32 MiB" && repair.renamed.isEmpty)
    let read = try file.read().board
    #expect(read == repair.board && Snapshot(read) == Snapshot(board) && read.revision == 2)
    #expect(read.history.transactions.map(\.revision) == [2] && repair.forgotten == 1)
    #expect(try ScratchFolder.read(repair.copy) == Array(text.utf8))
  }

  @Test("A file that is far too large, or too large without its history, is not repaired", .enabled(if: Scope.isFull))
  func tooLarge() throws {
    let scratch = try ScratchFolder()
    let file = BoardFile(at: scratch("board.json"))
    let text = String(decoding: BoardDocument(Board(columns: 2, rows: 1)).bytes, as: UTF8.self)
    let extra = "{\"extra\": \"" + String(repeating: "x", count: BoardDocument.maximumBytes) + "\","
    try scratch.write((extra + text.dropFirst()).utf8, as: "board.json")
    let error = #expect(throws: BoardError.self) { try file.repair(lockTimeout: .seconds(5)) }
    #expect(error == .unreadable(.corrupt("it is larger than 32 MiB even without its history")))
    #expect(try scratch.names().filter { !$0.hasPrefix(".") } == ["board.json"])
  }
}

extension Outcome {
  fileprivate var isChanged: Bool {
    if case .changed = self { true } else { false }
  }
}
