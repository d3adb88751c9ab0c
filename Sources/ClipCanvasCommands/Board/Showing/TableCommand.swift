internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel

/// `clipcanvas board table`.
struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Show what every event does in every state, as computed by the state machine itself.",
    usage: "clipcanvas board table [<options>]",
    discussion: "As a picture: clipcanvas board table --dot | dot -Tsvg > table.svg"
  )

  @Flag(help: "Print a Markdown table.") var markdown = false
  @Flag(help: "Print a diagram for Graphviz.") var dot = false
  @Flag(help: "Print a JSON object for each row.") var json = false

  func validate() throws {
    guard [markdown, dot, json].count(where: { $0 }) <= 1 else {
      throw ValidationError("use one of '--markdown', '--dot' and '--json'")
    }
  }

  func run() {
    let table = TransitionTable()
    guard !json else {
      for row in table.rows { Console.print(json: JSON(row).line) }
      return
    }
    let text = markdown ? table.markdown : dot ? table.dot : table.text
    Console.print(verbatim: text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }
}

extension JSON {
  /// Creates the JSON of a row: the event, its variant, the session before it, and the outcome with the session after it
  /// or the reason.
  fileprivate init(_ row: TransitionTable.Row) {
    let outcome: (name: String, key: String, value: String) =
      switch row.answer {
      case .changed(let session): ("changed", "after", session.rawValue)
      case .noop(let reason): ("noop", "reason", reason.rawValue)
      case .refused(let reason): ("refused", "reason", reason.rawValue)
      }
    self = .object(
      JSONObject([
        ("event", .string(row.event.rawValue)), ("variant", .string(row.variant)),
        ("session", .string(row.session.rawValue)), ("outcome", .string(outcome.name)),
        (outcome.key, .string(outcome.value)),
      ])
    )
  }
}
