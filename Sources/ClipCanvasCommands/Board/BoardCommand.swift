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
      cameras; another recorder reports each step with 'clipcanvas board record'. A board is one JSON file, by default board.json in the current folder; \
      --board or CLIPCANVAS_BOARD names another. Any number of processes may read and change it at the same time.

      At most one canvas is selected. A tap selects a canvas and starts its preview; a second tap ends the preview. The \
      canvas in preview can record. During a recording the board is locked: taps do nothing until the take is finished \
      or discarded.

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
          ExportCommand.self, LogCommand.self,
        ]
      ),
      CommandGroup(
        name: "Canvas and clip",
        subcommands: [
          TapCommand.self, SelectCommand.self, DeselectCommand.self, PreviewCommand.self, StopPreviewCommand.self,
          RecordCommand.self, ClipCommand.self, CanvasCommand.self, BoardCoverCommand.self, UndoCommand.self,
          RedoCommand.self,
        ]
      ),
      CommandGroup(
        name: "Scripting",
        subcommands: [
          CanCommand.self, NextCommand.self, WatchCommand.self, WaitCommand.self, ApplyCommand.self,
          SimulateCommand.self, CheckCommand.self, RepairCommand.self, TableCommand.self,
        ]
      ),
    ]
  )
}
