internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas board check`.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that a board can be read, and that its clips and covers exist.",
    usage: "clipcanvas board check [<options>]"
  )

  @OptionGroup var board: BoardOptions

  func run() throws {
    let file = board.file
    let document = try board.read()
    let board = document.board
    var isComplete = true
    func look(_ what: String, _ path: String, of canvas: Canvas) {
      let place = BoardPath.path(of: path, in: file.folder)
      guard !place.exists else { return }
      isComplete = false
      StandardError.print("\(DisplayName.of(canvas.id)): the \(what) \(place.displayText) is missing")
    }
    for canvas in board.canvases {
      if let clip = canvas.clip { look("clip", clip.file.path, of: canvas) }
      if case .ready(let cover) = canvas.cover { look("cover", cover.path, of: canvas) }
    }
    let newer =
      document.schemaVersion > BoardDocument.schemaVersion ? ", written by a newer clipcanvas, therefore read-only" : ""
    Console.print(
      "\(file.path.displayText): revision \(board.revision), \(board.canvases.count) canvases, \(board.session.name.rawValue)"
        + newer
    )
    guard isComplete else { throw CommandError(.someFailed) }
  }
}

/// `clipcanvas board repair`.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Recover what can be read of a damaged board, and keep a copy of the damaged file.",
    usage: "clipcanvas board repair [<options>]"
  )

  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  func run() throws {
    let file = board.file
    do {
      guard let repair = try file.repair(lockTimeout: lock.duration) else {
        return Console.print("nothing to do: \(file.path.displayText) can be read")
      }
      Console.print("the board was damaged: \(repair.problem)")
      Console.print("the damaged file is kept as \(repair.copy.displayText)")
      Console.print("recovered \(repair.board.canvases.count) canvases, revision \(repair.board.revision)")
    } catch .unreadable(.corrupt(let problem)) {
      throw CommandError(
        .boardUnreadable,
        "the board \(file.path.displayText) cannot be repaired: \(problem); nothing was changed; restore a copy, or create "
          + "a new board with 'clipcanvas board new --force'"
      )
    } catch {
      throw CommandError(error, of: file)
    }
  }
}

extension FilePath {
  /// Whether the file exists and can be opened.
  fileprivate var exists: Bool {
    guard let file = try? FileDescriptor.open(self, .readOnly, options: [.nonBlocking, .closeOnExec]) else {
      return false
    }
    try? file.close()
    return true
  }
}
