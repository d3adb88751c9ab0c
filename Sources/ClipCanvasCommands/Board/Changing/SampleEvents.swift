internal import BoardStore
internal import BoardSupport
internal import CanvasModel

/// Sample events, used to find out what an event would do.
enum SampleEvents {
  /// Returns whether an event applies to a specific canvas.
  static func needsCanvas(_ name: EventName) -> Bool {
    switch name {
    case .tap, .select, .preview, .importClip, .removeClip, .trimClip, .useTake, .removeTake, .coverReady, .coverFailed,
      .coverRetry, .removeCanvas,
      .moveCanvas:
      true
    case .deselect, .stopPreview, .recordStart, .recordPause, .recordResume, .recordStop, .recordDiscard,
      .takeFinished, .takeFailed, .addCanvas, .undo, .redo:
      false
    }
  }

  /// Returns the command that sends a sample event, as it can be typed after `clipcanvas board`.
  ///
  /// - Returns: `nil` if no command sends the event now, such as an answer about a cover that is not pending.
  static func command(for event: Event, on board: Board) -> String? {
    switch event {
    // With or without --retry, the command makes pending covers, and sends the answers.
    case .coverReady(let canvas, _, _): board[canvas]?.cover == .pending ? cover(canvas) : nil
    case .coverRetry(let canvas): board[canvas]?.cover == .pending ? nil : event.command
    case .coverFailed: nil
    // The take is the open one, or a new one.
    case .recordStart(_, let replace, _): event.name.command + (replace ? " --replace" : "")
    case .takeFinished: event.name.command + " --clip <file>"
    case .takeFailed: event.name.command
    case .importClip(let canvas, _, let replace):
      ([event.name.command] + (replace ? ["--replace"] : []) + canvas.operand.map(ShellText.quoted) + ["<file>"])
        .joined(separator: " ")
    case .trimClip(let canvas, .some):
      ([event.name.command, "--from <time>"] + canvas.operand.map(ShellText.quoted)).joined(separator: " ")
    case .addCanvas: event.name.command
    default: event.command
    }
  }

  private static func cover(_ canvas: CanvasID) -> String {
    ([EventName.coverRetry.command] + canvas.operand.map(ShellText.quoted)).joined(separator: " ")
  }

  /// Returns a sample event, or `nil` if a required canvas is missing.
  ///
  /// - Parameters:
  ///   - name: The name of the event.
  ///   - canvas: The canvas that the event applies to.
  ///   - replace: Whether the event may replace a clip.
  ///   - board: The board that provides takes, names and generations.
  static func event(_ name: EventName, canvas: CanvasID?, replace: Bool, on board: Board) -> Event? {
    let take = board.session.take?.id ?? board.nextTake
    let generation = canvas.flatMap { board[$0]?.clip?.generation } ?? 0
    let kept = canvas.flatMap { board[$0]?.takes.last?.clip.generation } ?? 0
    switch name {
    case .tap: return canvas.map { .tap($0) }
    case .select: return canvas.map { .select($0) }
    case .deselect: return .deselect
    case .preview: return canvas.map { .preview($0) }
    case .stopPreview: return .stopPreview
    case .recordStart: return .recordStart(take: take, replace: replace)
    case .recordPause: return .recordPause
    case .recordResume: return .recordResume()
    case .recordStop: return .recordStop
    case .recordDiscard: return .recordDiscard
    case .takeFinished: return clip.map { .takeFinished(take, $0) }
    case .takeFailed: return .takeFailed(take, reason: "asked")
    case .importClip: return canvas.flatMap { canvas in clip.map { .importClip(canvas, $0, replace: replace) } }
    case .removeClip: return canvas.map { .removeClip($0) }
    case .trimClip:
      // Any part that is not the present one would do.
      return canvas.map { .trimClip($0, board[$0]?.clip?.trim == nil ? Trim(from: .ulpOfOne) : nil) }
    case .useTake: return canvas.map { .useTake($0, generation: kept) }
    case .removeTake: return canvas.map { .removeTake($0, generation: kept) }
    case .coverReady:
      return canvas.flatMap { canvas in cover.map { .coverReady(canvas, generation: generation, $0) } }
    case .coverFailed:
      return canvas.map { .coverFailed($0, generation: generation, reason: "asked") }
    case .coverRetry: return canvas.map { .coverRetry($0) }
    case .addCanvas: return .addCanvas(canvas ?? board.nextID)
    case .removeCanvas: return canvas.map { .removeCanvas($0) }
    case .moveCanvas: return canvas.map { .moveCanvas($0, to: 0) }
    case .undo: return .undo
    case .redo: return .redo
    }
  }

  private static var clip: ClipFile? { ClipFile(path: "clip") }
  private static var cover: CoverFile? { CoverFile(path: "cover") }
}
