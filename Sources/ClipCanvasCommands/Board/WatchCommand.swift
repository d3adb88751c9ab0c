internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import SystemPackage

/// `clipcanvas watch`.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Follow a board: a line a change, until ended by a signal.",
    usage: "clipcanvas watch [<options>]",
    discussion: """
      Every change is told once, in the order in which they were made, whichever process made it. 'fresh' is told where \
      the board is another one than what was told leads to: at the start without --since, when the board was made anew, \
      and when more was missed than its history keeps, as by a slow reader. It ends when the reader closes its \
      end of the pipe, as 'head' does.
      """
  )

  @Option(help: ArgumentHelp("Start behind this revision, instead of with 'fresh'.", valueName: "revision"))
  var since: Int?

  @Option(
    help: ArgumentHelp("Tell of these keys only.", valueName: "key,…"),
    transform: { try KeyList($0) }
  )
  var keys: KeyList?

  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object a change.") var json = false

  func validate() throws {
    guard since ?? 0 >= 0 else { throw ValidationError("'--since' takes a revision, which is not below 0.") }
  }

  func run() throws {
    let file = board.file
    var follower = BoardFollower(file, since: since)
    // Each result is printed before the board is read again, so nothing accumulates while a slow reader blocks the
    // output. Changes made in the meantime are then taken from the history, or reported as 'fresh'.
    _ = try BoardWaiting(file, endsWithReader: true).untilTrue(by: nil) {
      for notice in follower.look() { tell(notice, file: file) }
      return false
    }
  }

  private func tell(_ notice: BoardNotice, file: BoardFile) {
    switch notice {
    case .transaction(let transaction, _):
      for change in transaction.changes where keys?.keys.contains(change.key) ?? true {
        if json {
          Console.print(json: line(change, of: transaction))
        } else {
          Console.print("\(transaction.revision)  \(OutcomeReport.line(change))")
        }
      }
    case .fresh(let board):
      if json {
        Console.print(json: JSON.object(["fresh": .bool(true), "board": JSON(showing: board)]).line)
      } else {
        Console.print("fresh  " + board.headline)
      }
    case .unreadable(let problem):
      // Keep following: the board may become readable again.
      _ = BoardError.unreadable(problem).told(of: file)
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
        throw ValidationError("'\(word)' is no key: \(Key.allCases.map(\.rawValue).joined(separator: ", ")).")
      }
      keys.insert(key)
    }
    self.keys = keys
  }
}
