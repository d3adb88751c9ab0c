internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel

/// `clipcanvas board tap`.
struct TapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tap",
    abstract: "Tap a canvas, which starts or ends its preview.",
    usage: "clipcanvas board tap [<options>] <canvas>"
  )

  @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.tap(canvas.id)) }
}

/// `clipcanvas board select`.
struct SelectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "Select a canvas without starting its preview.",
    usage: "clipcanvas board select [<options>] <canvas>"
  )

  @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.select(canvas.id)) }
}

/// `clipcanvas board deselect`.
struct DeselectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deselect",
    abstract: "Deselect the selected canvas.",
    usage: "clipcanvas board deselect [<options>]"
  )

  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.deselect) }
}

/// `clipcanvas board preview`.
struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Start the preview of a canvas, so that it can record.",
    usage: "clipcanvas board preview [<options>] <canvas>"
  )

  @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.preview(canvas.id)) }
}

/// `clipcanvas board stop-preview`.
struct StopPreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-preview",
    abstract: "End the preview; the canvas stays selected.",
    usage: "clipcanvas board stop-preview [<options>]"
  )

  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.stopPreview) }
}

/// `clipcanvas board undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Undo the last steps. A whole take is one step; files are not changed.",
    usage: "clipcanvas board undo [<options>] [<count>]",
    discussion: "If there are fewer steps than requested, none is undone."
  )

  @Argument(
    help: "The number of steps (default: 1).",
    transform: OptionValue.whole("<count>", 1...History.maximumTransactions)
  )
  var count: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Undo steps until the board is as it was at this revision.", valueName: "revision"),
    transform: OptionValue.whole("--to", 0...Int.max, "a revision,")
  )
  var to: Int?
  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard count == nil || to == nil else { throw ValidationError("use a number of steps or '--to', not both") }
  }

  func run() throws {
    let now = Instant.now
    let (outcome, refusal) = try options.transact { board in
      let outcome = to.map { board.undo(to: $0, at: now) } ?? board.undo(count ?? 1, at: now)
      return (outcome, outcome.explanation(possible: board.undoableSteps, "undone"))
    }
    try OutcomeReport.print(outcome, of: .undo, with: options, refusal: refusal)
  }
}

/// `clipcanvas board redo`.
struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Redo the last undone steps.",
    usage: "clipcanvas board redo [<options>] [<count>]",
    discussion: "If there are fewer steps than requested, none is redone."
  )

  @Argument(
    help: "The number of steps (default: 1).",
    transform: OptionValue.whole("<count>", 1...History.maximumTransactions)
  )
  var count: Int?
  @OptionGroup var options: ChangeOptions

  func run() throws {
    let now = Instant.now
    let (outcome, refusal) = try options.transact { board in
      let outcome = board.redo(count ?? 1, at: now)
      return (outcome, outcome.explanation(possible: board.redoableSteps, "redone"))
    }
    try OutcomeReport.print(outcome, of: .redo, with: options, refusal: refusal)
  }
}

extension Outcome {
  /// Returns the number of steps that can be undone or redone, in words; `nil` unless there are too few.
  ///
  /// - Parameters:
  ///   - count: The number.
  ///   - verb: What would be done with the steps.
  fileprivate func explanation(possible count: @autoclosure () -> Int, _ verb: String) -> String? {
    guard self == .refused(.tooFewSteps) else { return nil }
    let count = count()
    return "only \(count) \(count == 1 ? "step" : "steps") can be \(verb)"
  }
}
