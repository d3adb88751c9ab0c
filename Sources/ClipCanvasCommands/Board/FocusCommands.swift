internal import ArgumentParser
internal import CanvasModel

/// `clipcanvas tap`.
struct TapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tap",
    abstract: "Tap a canvas: its preview starts, or ends where it was in preview.",
    usage: "clipcanvas tap [<options>] <canvas>"
  )

  @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.tap(canvas.id)) }
}

/// `clipcanvas select`.
struct SelectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "select",
    abstract: "Give a canvas the focus, without preview.",
    usage: "clipcanvas select [<options>] <canvas>"
  )

  @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.select(canvas.id)) }
}

/// `clipcanvas deselect`.
struct DeselectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deselect",
    abstract: "Take the focus away.",
    usage: "clipcanvas deselect [<options>]"
  )

  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.deselect) }
}

/// `clipcanvas preview`.
struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Start the preview on a canvas, ready to record.",
    usage: "clipcanvas preview [<options>] <canvas>"
  )

  @Argument(help: "The canvas, as c1.") var canvas: CanvasArgument
  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.preview(canvas.id)) }
}

/// `clipcanvas stop-preview`.
struct StopPreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stop-preview",
    abstract: "End the preview; its canvas stays selected.",
    usage: "clipcanvas stop-preview [<options>]"
  )

  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.stopPreview) }
}

/// `clipcanvas undo`.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Go one step back. A whole take is one step; files are not touched.",
    usage: "clipcanvas undo [<options>]"
  )

  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.undo) }
}

/// `clipcanvas redo`.
struct RedoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Do again what was undone last.",
    usage: "clipcanvas redo [<options>]"
  )

  @OptionGroup var options: ChangeOptions

  func run() throws { try options.send(.redo) }
}
