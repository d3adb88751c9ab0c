internal import BoardStore
package import CanvasModel

extension Event {
  /// The command that sends the event, with its arguments: `record start --take t1`.
  ///
  /// Answers about covers have no command: `clipcanvas board cover` sends them.
  package var command: String { ([name.command] + arguments.map(ShellText.quoted)).joined(separator: " ") }

  private var arguments: [String] {
    switch self {
    case .deselect, .stopPreview, .recordPause, .recordStop, .recordDiscard, .undo, .redo: []
    case .tap(let canvas), .select(let canvas), .preview(let canvas), .removeClip(let canvas),
      .removeCanvas(let canvas):
      canvas.operand
    case .coverRetry(let canvas):
      canvas.operand.count == 1 ? canvas.operand + ["--retry"] : ["--retry"] + canvas.operand
    case .coverReady(let canvas, _, _), .coverFailed(let canvas, _, _): canvas.operand
    case .recordStart(let take, let replace, let owner):
      (replace ? ["--replace"] : []) + ["--take", take.description] + Self.option(owner)
    case .recordResume(let owner): Self.option(owner)
    case .takeFinished(let take, let file): ["--take", take.description, "--clip", file.path]
    case .takeFailed(let take, let reason): ["--take", take.description, "--reason", reason]
    case .importClip(let canvas, let file, let replace):
      (replace ? ["--replace"] : []) + Self.operands(canvas.description, file.path)
    case .addCanvas(let canvas, let region): (region.map { ["--region", Self.text($0)] } ?? []) + canvas.operand
    case .moveCanvas(let canvas, let position): canvas.operand + ["\(position)"]
    case .trimClip(let canvas, let trim): Self.options(trim) + canvas.operand
    case .useTake(let canvas, let generation), .removeTake(let canvas, let generation):
      canvas.operand + ["\(generation)"]
    }
  }

  /// Returns operands, after `--` if one of them looks like an option.
  fileprivate static func operands(_ texts: String...) -> [String] {
    (texts.contains { $0.hasPrefix("-") } ? ["--"] : []) + texts
  }

  private static func options(_ trim: Trim?) -> [String] {
    guard let trim else { return ["--clear"] }
    let start = trim.from > 0 ? ["--from", "\(trim.from)"] : []
    return start + (trim.to.map { ["--to", "\($0)"] } ?? [])
  }

  private static func option(_ owner: Take.Owner?) -> [String] { owner.map { ["--owner", "\($0.processID)"] } ?? [] }

  private static func text(_ region: Region) -> String {
    [region.x, region.y, region.width, region.height].map { "\($0)" }.joined(separator: ",")
  }
}

extension CanvasID {
  /// The arguments of a command that name the canvas: after `--` if the name looks like an option.
  package var operand: [String] { Event.operands(description) }
}
