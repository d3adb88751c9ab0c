internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Glibc

/// `clipcanvas board log`.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the latest revisions of a board, newest first.",
    usage: "clipcanvas board log [<options>]"
  )

  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each revision, oldest first.") var json = false

  func run() throws {
    let transactions = try board.read().board.history.transactions
    guard !json else {
      for transaction in transactions { Console.print(json: JSON(transaction).line) }
      return
    }
    for transaction in transactions.reversed() {
      Console.print("\(transaction.revision)  \(transaction.at.clockText)  \(transaction.kind.text)")
      for change in transaction.changes { Console.print("    " + OutcomeReport.line(change)) }
    }
  }
}

extension Transaction.Kind {
  /// A description of the transaction.
  var text: String {
    switch self {
    case .step(let names), .answers(let names): names.map(\.command).joined(separator: ", ")
    case .undo(let revision): "undo of \(revision)"
    case .redo(let revision): "redo of \(revision)"
    }
  }
}

extension Instant {
  /// The local time, such as `2026-11-21 14:05:09`.
  var clockText: String {
    guard var seconds = time_t(exactly: secondsSince1970.rounded(.down)) else { return "\(secondsSince1970)" }
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "\(secondsSince1970)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
