internal import ArgumentParser

/// `clipcanvas board`.
struct BoardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    abstract: "Keep clips on a board of canvases.",
    usage: "clipcanvas board <command> [<options>] ...",
    discussion: """
      A board keeps track of a recording session: which canvas is selected or in preview, which one is recording, and \
      which clip and cover each canvas has. 'clipcanvas board serve' shows it in browsers, which record with their \
      cameras; another recorder reports each step with 'clipcanvas board record'. A board is one JSON file, by default \
      board.json in the current folder; --board or CLIPCANVAS_BOARD names another. Any number of processes may read and \
      change it at the same time.

      At most one canvas is selected. A tap selects a canvas and starts its preview; a second tap ends the preview and \
      deselects the canvas. The canvas in preview can record. A take is one recording; a pause divides it into segments. \
      During a take the board is locked: taps change nothing until it is finished or discarded.

      A command that would change nothing, such as a tap during a take, says so and succeeds (status 0; with --json, the \
      outcome is noop). So does one that adds a clip whose cover cannot be made.

      Examples:
        clipcanvas board new --grid 3x2
        clipcanvas board tap c1
        clipcanvas board record start
        clipcanvas board record stop --clip take1.mkv
        clipcanvas board show
      """,
    groupedSubcommands: [
      CommandGroup(
        name: "Board",
        subcommands: [
          NewCommand.self, ShowCommand.self, LiveCommand.self, ServeCommand.self, RenderCommand.self,
          ExportCommand.self,
        ]
      ),
      CommandGroup(
        name: "Recording",
        subcommands: [
          TapCommand.self, SelectCommand.self, DeselectCommand.self, PreviewCommand.self, StopPreviewCommand.self,
          RecordCommand.self,
        ]
      ),
      CommandGroup(
        name: "Canvas and clip",
        subcommands: [
          CanvasCommand.self, ClipCommand.self, BoardCoverCommand.self, TakesCommand.self, UseCommand.self,
          ForgetCommand.self,
        ]
      ),
      CommandGroup(name: "History", subcommands: [LogCommand.self, UndoCommand.self, RedoCommand.self]),
      CommandGroup(name: "Maintenance", subcommands: [CheckCommand.self, CleanCommand.self, RepairCommand.self]),
      CommandGroup(
        name: "Scripting",
        subcommands: [
          CanCommand.self, NextCommand.self, WatchCommand.self, WaitCommand.self, ApplyCommand.self,
          SimulateCommand.self, TableCommand.self,
        ]
      ),
    ]
  )
}
