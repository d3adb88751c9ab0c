internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files
internal import SystemPackage

/// `clipcanvas board watch`.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print every change to a board until interrupted.",
    usage: "clipcanvas board watch [<options>]",
    discussion: """
      Each change is printed once, in order, whichever process made it. A line that starts with 'fresh' shows the whole \
      board instead of a change: at the start without --since, after the board was created again, and when changes were \
      missed because its history is too short, for example for a slow reader. If the board does not exist, the command \
      waits for it. It ends when the reader closes the pipe, as 'head' does.
      """
  )

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Start with the changes after this revision.", valueName: "revision"),
    transform: OptionValue.whole("--since", 0...Int.max, "a revision,")
  )
  var since: Int?

  @Option(
    help: ArgumentHelp(
      "Print only changes of these keys: \(OptionValue.list(Key.self)).",
      valueName: "key,…"
    ),
    transform: { try KeyList($0) }
  )
  var keys: KeyList?

  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each change.") var json = false

  func run() throws {
    let file = board.file
    var follower = BoardFollower(file, since: since)
    // Each result is printed before the board is read again, so nothing accumulates while a slow reader blocks the
    // output. Changes made in the meantime are then taken from the history, or reported as 'fresh'.
    let waiting = BoardWaiting(file, endsWithReader: true)
    _ = try waiting.untilTrue(by: nil) {
      for notice in follower.look() { report(notice, file: file, waiting) }
      return false
    }
  }

  private func report(_ notice: BoardNotice, file: BoardFile, _ waiting: BoardWaiting) {
    switch notice {
    case .transaction(let transaction, _):
      let changes = transaction.changes.filter { keys?.keys.contains($0.key) ?? true }
      if json {
        for change in changes { Console.print(json: line(change, of: transaction)) }
      } else {
        for line in OutcomeReport.lines(changes) { Console.print("\(transaction.revision)  \(line)") }
      }
    case .forgotten: break
    case .fresh(let board):
      if json {
        Console.print(json: JSON.object(["fresh": .bool(true), "board": JSON(showing: board)]).line)
      } else {
        Console.print("fresh  " + board.headline)
      }
    case .unreadable(.missing):
      waiting.reportAbsence()
    case .unreadable(let problem):
      // Keep following: the board may become readable again.
      StandardError.print("clipcanvas: " + BoardError.unreadable(problem).message(of: file))
    }
  }

  private func line(_ change: Change, of transaction: Transaction) -> [UInt8] {
    guard case .object(let object) = JSON(change) else { preconditionFailure("a change is an object") }
    let members = object.members.map { ($0.key, $0.value) } + [("revision", JSON(transaction.revision))]
    return JSON.object(JSONObject(members)).line
  }
}

/// A list of keys as a command-line argument.
struct KeyList {
  let keys: Set<Key>

  init(_ text: String) throws {
    var keys: Set<Key> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let key = Key(rawValue: String(word)) else {
        throw InvalidValue("'\(word)' is not a key: use \(OptionValue.list(Key.self))")
      }
      keys.insert(key)
    }
    self.keys = keys
  }
}
