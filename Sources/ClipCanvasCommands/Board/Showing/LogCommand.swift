internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Glibc

/// `clipcanvas board log`.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the latest revisions of a board, newest first.",
    usage: "clipcanvas board log [<options>]"
  )

  @Option(
    name: .customShort("n", allowingJoined: true),
    parsing: .unconditional,
    help: ArgumentHelp("Show only this many revisions.", valueName: "N"),
    transform: OptionValue.whole("-n", 0...Int.max)
  )
  var count: Int?
  @Flag(help: "Print one line for each revision, without its changes.") var oneline = false
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each revision.") var json = false

  func validate() throws {
    guard !(oneline && json) else { throw ValidationError("use '--oneline' or '--json', not both") }
  }

  func run() throws {
    for transaction in try board.read().board.history.transactions.reversed().prefix(count ?? .max) {
      guard !json else {
        Console.print(json: JSON(transaction).line)
        continue
      }
      Console.print("\(transaction.revision)  \(transaction.at.clockText)  \(transaction.text)")
      guard !oneline else { continue }
      for line in OutcomeReport.lines(transaction.changes) { Console.print("    " + line) }
    }
  }
}

extension Transaction {
  /// A description of the transaction, such as `tap c2`; without arguments if only the names of its events are known.
  var text: String {
    switch kind {
    case .step(let names), .answers(let names):
      (events.isEmpty ? names.map(\.command) : events.map(\.command)).joined(separator: ", ")
    case .undo(let revision): "undo of \(revision)"
    case .redo(let revision): "redo of \(revision)"
    }
  }
}

extension Instant {
  /// The local time and its time zone, such as `2026-11-21 14:05:09 +0100`.
  var clockText: String {
    guard var seconds = time_t(exactly: secondsSince1970.rounded(.down)) else { return "\(secondsSince1970)" }
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "\(secondsSince1970)" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S %z", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
