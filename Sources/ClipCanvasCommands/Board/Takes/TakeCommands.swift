internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files

/// A take as a command-line argument: its number, or the name of its file.
struct KeptTakeArgument: ExpressibleByArgument {
  private let text: String

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    text = argument
  }

  /// Finds the take on a board.
  ///
  /// - Throws: An exit status if the canvas does not exist or has no such take, or several.
  func find(of canvas: CanvasID, on board: Board, at file: BoardFile) throws -> ListedTake {
    guard board[canvas] != nil else { throw CommandError(unknown: canvas, canvases: board.canvases.map(\.id)) }
    let takes = board.listedTakes(of: [canvas])
    // A name comes first only if it is not a number.
    let found = takes.filter { Int(text) == $0.clip.generation }
    let named = found.isEmpty ? takes.filter { [$0.clip.file.path, $0.fileName].contains(text) } : found
    guard let take = named.last else {
      throw CommandError(
        .refused,
        "no take '\(DisplayName.of(text))' of \(DisplayName.of(canvas)); \(file.command("takes \(canvas)")) lists them"
      )
    }
    guard named.allSatisfy({ $0.clip.file == take.clip.file }) else {
      throw CommandError(.refused, "several takes of \(DisplayName.of(canvas)) are named '\(text)'; use their numbers")
    }
    return take
  }
}

/// `clipcanvas board use`.
struct UseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use",
    abstract: "Put a take on its canvas again; the clip there becomes a take.",
    usage: "clipcanvas board use [<options>] <canvas> <take>"
  )

  @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
  @Argument(help: "The number of the take, as 'clipcanvas board takes' lists it, or the name of its file.")
  var take: KeptTakeArgument
  @OptionGroup var cover: CoverOptions
  @OptionGroup var options: ChangeOptions

  func run() async throws {
    let file = options.board.file
    let take = try take.find(of: canvas.id, on: try options.board.read().board, at: file)
    if let problem = take.clip.problem(in: file.folder) {
      let again = file.command(Event.importClip(canvas.id, take.clip.file, replace: true).command)
      let isThere = take.fileState(in: file.folder) == .changed
      throw CommandError(.cannotContinue, problem + (isThere ? "; \(again) uses it as it is now" : ""))
    }
    // What only the history has is not a take of the board.
    let event: Event =
      take.isKept
      ? .useTake(canvas.id, generation: take.clip.generation) : .importClip(canvas.id, take.clip.file, replace: true)
    let outcome = try options.apply { _ in event }
    try OutcomeReport.print(outcome, of: event.name, with: options)
    try await options.makeCover(after: outcome, with: cover)
  }
}

/// `clipcanvas board forget`.
struct ForgetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Take a take out of the list of its canvas.",
    usage: "clipcanvas board forget [<options>] <canvas> <take>",
    discussion: """
      Undo restores it. Its file is kept until 'clipcanvas board clean' finds that neither the board nor its history needs \
      it.
      """
  )

  @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
  @Argument(help: "The number of the take, as 'clipcanvas board takes' lists it, or the name of its file.")
  var take: KeptTakeArgument
  @OptionGroup var options: ChangeOptions

  func run() throws {
    let take = try take.find(of: canvas.id, on: try options.board.read().board, at: options.board.file)
    try options.send(.removeTake(canvas.id, generation: take.clip.generation))
  }
}

/// `clipcanvas board clip trim`.
struct TrimCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim",
    abstract: "Set which part of a clip is played, shown and exported; its file is not changed.",
    usage: """
      clipcanvas board clip trim [<options>] <canvas> --from <time> [--to <time>]
      clipcanvas board clip trim [<options>] <canvas> --clear
      """,
    discussion: """
      The part has the frames from one time on and before the other, as with ffmpeg's trim filter. Without one of the times, \
      it starts or ends with the clip. The clip gets the cover of the part.
      """
  )

  @Argument(help: "The canvas, such as c1.") var canvas: CanvasArgument
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The start of the part, such as 0.8 or 1m30s (default: the start of the clip).",
      valueName: "time"
    ),
    transform: OptionValue.timeInClip("--from")
  )
  var from: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The end of the part (default: the end of the clip).", valueName: "time"),
    transform: OptionValue.timeInClip("--to")
  )
  var to: Double?
  @Flag(help: "Play the whole clip again.") var clear = false
  @OptionGroup var cover: CoverOptions
  @OptionGroup var options: ChangeOptions

  /// The part; `nil` for the whole clip.
  private var trim: Trim? { clear ? nil : Trim(from: from ?? 0, to: to) }

  func validate() throws {
    guard clear != (from != nil || to != nil) else {
      throw ValidationError("use '--from' and '--to', or '--clear'")
    }
    if let to, to <= from ?? 0 {
      throw ValidationError("the part is empty: '--to' must be later than \(from == nil ? "0" : "'--from'")")
    }
  }

  func run() async throws {
    let outcome = try options.apply { _ in .trimClip(canvas.id, trim) }
    let seconds =
      outcome == .refused(.badTrim) ? try options.board.read().board[canvas.id]?.clip?.file.durationSeconds : nil
    let refusal = seconds.map {
      "the clip of \(DisplayName.of(canvas.id)) has only \(DecimalText.of($0, places: 0...3)) s"
    }
    try OutcomeReport.print(outcome, of: .trimClip, with: options, refusal: refusal)
    try await options.makeCover(after: outcome, with: cover)
  }
}

extension ChangeOptions {
  /// Makes the covers of canvases whose clips an event changed, unless they have one.
  func makeCover(after outcome: Outcome, with cover: CoverOptions) async throws {
    guard cover.cover, !DryRun.isActive, case .changed(_, let changes) = outcome else { return }
    let changed = Set(changes.filter { $0.key == .clip && $0.new != .none }.compactMap(\.canvas))
    let board = try self.board.read().board
    let waiting = board.waitingCovers.filter { changed.contains($0.canvas) }
    guard !waiting.isEmpty else { return }
    try await makeCovers(waiting, of: board, with: try cover.decoder.service())
  }
}
