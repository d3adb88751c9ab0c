internal import ArgumentParser
internal import BoardText
internal import CanvasModel

/// `clipcanvas board table`.
struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Show what every event does in every state, as determined by the state machine itself.",
    usage: "clipcanvas board table [<options>]",
    discussion: "As a picture: clipcanvas board table --dot | dot -Tsvg > table.svg"
  )

  @Flag(help: "Print a Markdown table.") var markdown = false
  @Flag(help: "Print a diagram for Graphviz.") var dot = false

  func validate() throws {
    guard !(markdown && dot) else { throw ValidationError("use '--markdown' or '--dot', not both") }
  }

  func run() {
    let table = TransitionTable()
    let text = markdown ? table.markdown : dot ? table.dot : table.text
    Console.print(verbatim: text.hasSuffix("\n") ? String(text.dropLast()) : text)
  }
}
