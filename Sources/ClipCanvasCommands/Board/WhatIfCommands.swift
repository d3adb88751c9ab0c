internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel

/// `clipcanvas can`.
struct CanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "can",
    abstract: "Tell what an event would do now, and change nothing.",
    usage: "clipcanvas can [<options>] <event> [<canvas>]",
    discussion: """
      Examples:
        clipcanvas can tap c1
        clipcanvas can recordStart --replace
        clipcanvas can '{"event":"moveCanvas","canvas":"c1","to":2}'

      Exit status: 0 when it would change something or is a noop, 3 when it would be refused.
      """
  )

  @Argument(
    help: ArgumentHelp("The event's name, or the event as JSON.", valueName: "event"),
    completion: .list(EventName.allCases.map(\.rawValue))
  )
  var event: String
  @Argument(help: "The canvas, as c1, where the event has one.") var canvas: CanvasArgument?
  @Flag(help: "With recordStart and importClip: over the clip that is there.") var replace = false
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print the answer as JSON.") var json = false

  func run() throws {
    let event = try parsed()
    var board = try board.read().board
    try OutcomeReport.print(board.apply(event, at: .now), asJSON: json)
  }

  private func parsed() throws -> Event {
    if event.hasPrefix("{") {
      do {
        return try EventLine(parsing: Array(event.utf8)).event
      } catch {
        throw ValidationError("'\(event)' is no event: \(error).")
      }
    }
    guard let name = EventName(rawValue: event) else {
      throw ValidationError(
        "'\(event)' is no event: \(EventName.allCases.map(\.rawValue).joined(separator: ", "))."
      )
    }
    guard let example = SampleEvents.event(name, canvas: canvas?.id, replace: replace) else {
      throw ValidationError(
        SampleEvents.needsCanvas(name)
          ? "'\(event)' needs a canvas, as in 'clipcanvas can \(event) c1'."
          : "'\(event)' needs more than a name: write it as JSON."
      )
    }
    return example
  }
}

/// `clipcanvas next`.
struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Tell what every event would do now, and why not.",
    usage: "clipcanvas next [<options>]"
  )

  @Option(help: ArgumentHelp("The canvas that events are tried with; each, unless told.", valueName: "canvas"))
  var canvas: CanvasArgument?
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each.") var json = false

  func run() throws {
    let board = try board.read().board
    let canvases = canvas.map { [$0.id] } ?? board.canvases.map(\.id)
    for name in EventName.allCases {
      for canvas in SampleEvents.needsCanvas(name) ? canvases.map({ $0 }) : [nil] {
        guard let event = SampleEvents.event(name, canvas: canvas, replace: false, on: board) else { continue }
        var after = board
        tell(name, canvas, after.apply(event, at: .now), after)
      }
    }
  }

  private func tell(_ name: EventName, _ canvas: CanvasID?, _ outcome: Outcome, _ after: Board) {
    guard !json else {
      let answer = JSON.object([
        "event": .string(name.rawValue), "canvas": canvas.map { .string($0.description) }, "answer": JSON(outcome),
      ])
      return Console.print(json: answer.line)
    }
    let what = ([name.rawValue] + (canvas.map { [DisplayName.of($0)] } ?? [])).joined(separator: " ")
    let column = what + String(repeating: " ", count: max(1, 24 - what.count))
    switch outcome {
    case .changed(_, let changes):
      Console.print(
        "\(column)→ \(after.session.name.rawValue), \(changes.count) \(changes.count == 1 ? "change" : "changes")"
      )
    case .noop(let reason): Console.print("\(column)· \(reason.rawValue): \(reason.words)")
    case .refused(let reason): Console.print("\(column)✗ \(reason.rawValue): \(reason.words)")
    }
  }
}
