internal import ArgumentParser
internal import BoardStore
internal import Glibc
internal import SystemPackage

/// The options that select the board.
struct BoardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The board's file; CLIPCANVAS_BOARD, else board.json, unless told.", valueName: "file"),
    completion: .file(extensions: ["json"])
  )
  var board: PathArgument?

  /// The board's file.
  var file: BoardFile { Self.file(named: board) }

  /// Returns the board's file given with `--board`, or the default.
  static func file(named board: PathArgument?) -> BoardFile {
    if let board { return BoardFile(at: board.path) }
    guard let named = getenv("CLIPCANVAS_BOARD"), named.pointee != 0 else { return BoardFile(at: "board.json") }
    return BoardFile(at: FilePath(platformString: named))
  }

  /// Reads the current board, or prints why that fails and throws an exit status.
  func read() throws -> BoardDocument {
    let file = file
    do {
      return try file.read()
    } catch {
      throw error.told(of: file)
    }
  }
}

/// The options for waiting until a board can be changed.
struct LockOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How long to wait for somebody else who changes it.", valueName: "seconds"))
  var lockTimeout = 5.0

  func validate() throws {
    guard (0...86_400).contains(lockTimeout) else {
      throw ValidationError("'--lock-timeout' takes 0 to 86400 seconds.")
    }
  }

  var duration: Duration { .seconds(lockTimeout) }
}

/// The options of commands that change a board.
struct ChangeOptions: ParsableArguments {
  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  @Option(help: ArgumentHelp("Change the board only if it has this revision.", valueName: "N"))
  var ifRevision: Int?

  @Flag(help: "Print the answer as JSON.")
  var json = false

  func validate() throws {
    guard ifRevision ?? 0 >= 0 else { throw ValidationError("'--if-revision' takes a revision, which is not below 0.") }
  }
}
