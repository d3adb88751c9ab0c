internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel

/// `clipcanvas board can`.
struct CanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "can",
    abstract: "Show what a command would do now, without changing anything.",
    usage: "clipcanvas board can [<options>] <command> ... [<canvas>]",
    discussion: """
      Examples:
        clipcanvas board can tap c1
        clipcanvas board can record start --replace
        clipcanvas board can '{"event":"moveCanvas","canvas":"c1","to":2}'

      Exit status: 0 if the command would succeed, 3 if it would be refused.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "The command, such as 'record start', and the canvas if it takes one; or an event as JSON.",
      valueName: "command"
    ),
    completion: .list(Self.firstWords)
  )
  var words: [String]
  @Flag(help: "With 'record start' and 'clip import': replace the canvas's clip.") var replace = false
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print the outcome as JSON.") var json = false

  private static let firstWords: [String] = EventName.allCases.reduce(into: []) { words, name in
    let word = String(name.command.prefix { $0 != " " })
    if !words.contains(word) { words.append(word) }
  }

  func run() throws {
    let event = try parsed()
    var board = try board.read().board
    try OutcomeReport.print(board.apply(event, at: .now), asJSON: json)
  }

  private func parsed() throws -> Event {
    if words.count == 1, words[0].hasPrefix("{") {
      do {
        return try EventLine(parsing: Array(words[0].utf8)).event
      } catch {
        throw ValidationError("'\(words[0])' is not an event: \(error)")
      }
    }
    let (name, rest) = try named()
    let canvas = rest.first.flatMap(CanvasArgument.init(argument:))
    guard rest.count <= (SampleEvents.needsCanvas(name) ? 1 : 0) else {
      throw ValidationError("'\(rest[rest.endIndex - 1])' is one argument too many for '\(name.command)'")
    }
    guard let example = SampleEvents.event(name, canvas: canvas?.id, replace: replace) else {
      throw ValidationError(
        SampleEvents.needsCanvas(name)
          ? "'\(name.command)' needs a canvas, as in 'clipcanvas board can \(name.command) c1'"
          : "'\(name.command)' needs more arguments: write the event as JSON"
      )
    }
    return example
  }

  /// Returns the event that the first one or two words name, and the other words.
  private func named() throws -> (EventName, ArraySlice<String>) {
    for count in [2, 1] where words.count >= count {
      if let name = EventName(command: words.prefix(count).joined(separator: " ")) {
        return (name, words.dropFirst(count))
      }
    }
    throw ValidationError(
      "'\(words.joined(separator: " "))' is not a command: use "
        + EventName.allCases.map(\.command).joined(separator: ", ")
    )
  }
}

/// `clipcanvas board next`.
struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Show what every command would do now, and why some would be refused.",
    usage: "clipcanvas board next [<options>]"
  )

  @Option(help: ArgumentHelp("Try the commands with this canvas only (default: each canvas).", valueName: "canvas"))
  var canvas: CanvasArgument?
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each command.") var json = false

  func run() throws {
    let board = try board.read().board
    let canvases = canvas.map { [$0.id] } ?? board.canvases.map(\.id)
    for name in EventName.allCases {
      for canvas in SampleEvents.needsCanvas(name) ? canvases.map({ $0 }) : [nil] {
        guard let event = SampleEvents.event(name, canvas: canvas, replace: false, on: board) else { continue }
        var after = board
        report(name, canvas, after.apply(event, at: .now), after)
      }
    }
  }

  private func report(_ name: EventName, _ canvas: CanvasID?, _ outcome: Outcome, _ after: Board) {
    guard !json else {
      let answer = JSON.object([
        "event": .string(name.rawValue), "canvas": canvas.map { .string($0.description) }, "answer": JSON(outcome),
      ])
      return Console.print(json: answer.line)
    }
    let what = ([name.command] + (canvas.map { [DisplayName.of($0)] } ?? [])).joined(separator: " ")
    let column = what + String(repeating: " ", count: max(1, 24 - what.count))
    switch outcome {
    case .changed(_, let changes):
      Console.print(
        "\(column)→ \(after.session.name.rawValue), \(changes.count) \(changes.count == 1 ? "change" : "changes")"
      )
    case .noop(let reason): Console.print("\(column)· \(reason.rawValue): \(reason.message)")
    case .refused(let reason): Console.print("\(column)✗ \(reason.rawValue): \(reason.message)")
    }
  }
}
