internal import ArgumentParser
internal import BoardText
internal import CanvasModel

/// `clipcanvas board table`.
struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Show what every event does in every state; the machine itself is asked.",
    usage: "clipcanvas board table [<options>]",
    discussion: "As a picture: clipcanvas table --dot | dot -Tsvg > table.svg"
  )

  @Flag(help: "As a table for a Markdown page.") var markdown = false
  @Flag(help: "As a diagram for Graphviz.") var dot = false

  func validate() throws {
    guard !(markdown && dot) else { throw ValidationError("Name '--markdown' or '--dot', not both.") }
  }

  func run() {
    let table = TransitionTable()
    let text = markdown ? table.markdown : dot ? table.dot : table.text
    Console.print(verbatim: text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }
}
