internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel

/// `clipcanvas board next`.
struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Show the commands that would change the board now.",
    usage: "clipcanvas board next [<options>]",
    discussion: """
      Canvases for which a command would do the same are named at the end of its line. Words in angle brackets stand for \
      a file or a time.
      """
  )

  @Option(help: ArgumentHelp("Try the commands with this canvas only (default: each canvas).", valueName: "canvas"))
  var canvas: CanvasArgument?
  @Flag(help: "Also show commands that would change nothing or be refused, and why.") var all = false
  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object for each command.") var json = false

  func run() throws {
    let board = try board.readToChange()
    if let canvas, board[canvas.id] == nil {
      throw CommandError(unknown: canvas.id, canvases: board.canvases.map(\.id))
    }
    let canvases = canvas.map { [$0.id] } ?? board.canvases.map(\.id)
    guard !json else {
      for trial in trials(on: board, canvases) { Console.print(json: trial.json.line) }
      return
    }
    // On a large board, trying every command with every canvas takes long.
    let situations = board.situations
    let groups = Dictionary(grouping: canvases) { situations[$0] }
    let first = canvases.filter { groups[situations[$0]]?.first == $0 }
    // Canvases with the same result share a line, in the order of the first of them.
    var lines: [(first: TrialCommand, canvases: Set<CanvasID>)] = []
    for trial in trials(on: board, first) where trial.command != nil {
      let alike = trial.canvas.flatMap { groups[situations[$0]] } ?? []
      if let index = lines.firstIndex(where: { $0.first.isAlike(trial) }) {
        lines[index].canvases.formUnion(alike)
      } else {
        lines.append((trial, Set(alike)))
      }
    }
    let width = lines.map { CellText.width($0.first.shown) }.max() ?? 0
    for (trial, alike) in lines {
      Console.print(trial.line(canvases.filter { $0 != trial.canvas && alike.contains($0) }, width: width))
    }
  }

  /// Tries the commands that need no canvas, and the others with each of some canvases.
  private func trials(on board: Board, _ canvases: [CanvasID]) -> some Sequence<TrialCommand> {
    EventName.allCases.lazy.flatMap { name in
      let trials = (SampleEvents.needsCanvas(name) ? canvases.map { $0 } : [nil]).compactMap { canvas in
        TrialCommand(name, canvas: canvas, on: board)
      }
      return trials + (name == .takeFailed ? [TrialCommand(recoveringTakeOn: board)] : [])
    }.filter { all || $0.isChange }
  }
}

/// All that the result of a command depends on, of the canvas that is its argument.
private struct Situation: Hashable {
  let isFirst, isFocus, hasClip, isTrimmed: Bool
  /// The take that a command would use or remove.
  let newestTake: Int?
  let cover: CoverName
}

extension Board {
  fileprivate var situations: [CanvasID: Situation] {
    let pairs = canvases.enumerated().map { index, canvas in
      let situation = Situation(
        isFirst: index == 0,
        isFocus: session.focus == canvas.id,
        hasClip: canvas.clip != nil,
        isTrimmed: canvas.clip?.trim != nil,
        newestTake: canvas.takes.last?.clip.generation,
        cover: canvas.cover.name
      )
      return (canvas.id, situation)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}

/// A command that was tried on a copy of a board.
private struct TrialCommand {
  let name: EventName
  let canvas: CanvasID?
  /// The command as it can be typed after `clipcanvas board`; `nil` if no command sends the event now.
  let command: String?
  private let outcome: Outcome
  private let session: SessionName

  /// Tries a command, and again with `--replace` if it would be refused because of a clip.
  ///
  /// - Returns: `nil` if the command needs a canvas or a take that is not there.
  init?(_ name: EventName, canvas: CanvasID?, on board: Board) {
    var tried: (event: Event, outcome: Outcome, session: SessionName)?
    for replace in [false, true] where tried == nil || tried?.outcome == .refused(.hasClip) {
      guard let event = SampleEvents.event(name, canvas: canvas, replace: replace, on: board) else { return nil }
      var after = board
      let outcome = after.apply(event, at: .now)
      tried = (event, outcome, after.session.name)
    }
    guard let tried else { return nil }
    (self.name, self.canvas, command) = (name, canvas, SampleEvents.command(for: tried.event, on: board))
    (outcome, session) = (tried.outcome, tried.session)
  }

  /// Tries to recover the open take.
  init(recoveringTakeOn board: Board) {
    var after = board
    outcome = after.recoverTake(at: .now)
    (name, canvas, command) = (.takeFailed, nil, EventName.recovery)
    session = after.session.name
  }

  var isChange: Bool { if case .changed = outcome { true } else { false } }

  private var result: String {
    switch outcome {
    case .changed(_, let changes):
      "→ \(session.rawValue), \(changes.count) \(changes.count == 1 ? "change" : "changes")"
    case .noop(let reason): "· \(reason.message(for: name))"
    case .refused(let reason): "✗ \(reason.message(for: name))"
    }
  }

  /// Whether another command is the same for another canvas, with the same result.
  func isAlike(_ other: TrialCommand) -> Bool {
    guard let canvas, let otherCanvas = other.canvas, name == other.name, result == other.result else { return false }
    return command?.replacing(DisplayName.of(canvas), with: DisplayName.of(otherCanvas)) == other.command
  }

  /// What is shown of the command.
  var shown: String { command ?? name.rawValue }

  /// Returns the command in a column of a width, and its result, with the other canvases that have the same result.
  func line(_ others: [CanvasID], width: Int) -> String {
    let names = others.map { DisplayName.of($0) }
    let list = names.count > 8 ? names.prefix(7) + ["…", names[names.count - 1]] : names[...]
    let also = names.isEmpty ? "" : "; also \(list.joined(separator: ", "))"
    return CellText.padded(shown, to: width + 2) + result + also
  }

  var json: JSON {
    .object([
      "event": .string(name.rawValue), "canvas": canvas.map { .string($0.description) },
      "command": command.map { .string($0) }, "answer": JSON(outcome),
    ])
  }
}
