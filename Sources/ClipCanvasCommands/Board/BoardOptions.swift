internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel

/// The options that select the board.
struct BoardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The board's file (default: CLIPCANVAS_BOARD, or board.json).", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var board: PathArgument?

  func validate() throws {
    guard board?.namesFolder != true else { throw ValidationError("'--board' takes a file, but the name ends with /") }
  }

  /// The board's file.
  var file: BoardFile { Self.file(named: board) }

  /// Returns the board's file given with `--board`, or the default.
  static func file(named board: PathArgument?) -> BoardFile {
    BoardFile(at: board?.path ?? BoardFile.usualPath)
  }

  /// Reads the current board, or prints why that fails and throws an exit status.
  func read() throws -> BoardDocument {
    let file = file
    do {
      return try file.read()
    } catch {
      throw CommandError(error, of: file)
    }
  }

  /// Reads the current board for a prediction of changes; a board of a newer version is refused, as changes are.
  func readToChange() throws -> Board {
    let document = try read()
    guard !document.isNewer else { throw CommandError(.unreadable(.newer(document.schemaVersion)), of: file) }
    return document.board
  }
}

/// The options for waiting until a board can be changed.
struct LockOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait while another process changes the board (default: 5 seconds).",
      valueName: "duration"
    ),
    transform: OptionValue.duration("--lock-timeout", 0...86_400)
  )
  var lockTimeout = 5.0

  var duration: Duration { .seconds(lockTimeout) }
}

/// The options of commands that change a board.
struct ChangeOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Change the board only if it has this revision.", valueName: "N"),
    transform: OptionValue.whole("--if-revision", 0...Int.max, "a revision,")
  )
  var ifRevision: Int?

  @Flag(help: "Print the outcome as JSON.")
  var json = false
}
