internal import ArgumentParser
internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import Files
internal import SystemPackage

/// `clipcanvas check`.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell whether a board can be read, and whether its clips and covers are there.",
    usage: "clipcanvas check [<options>]"
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
      Console.complain("\(DisplayName.of(canvas.id)): its \(what) \(place.displayText) is missing")
    }
    for canvas in board.canvases {
      if let clip = canvas.clip { look("clip", clip.file.path, of: canvas) }
      if case .ready(let cover) = canvas.cover { look("cover", cover.path, of: canvas) }
    }
    let newer =
      document.schemaVersion > BoardDocument.schemaVersion ? ", of a newer clipcanvas, so it is only read" : ""
    Console.print(
      "\(file.path.displayText): revision \(board.revision), \(board.canvases.count) canvases, \(board.session.name.rawValue)"
        + newer
    )
    guard isComplete else { throw ExitCode(1) }
  }
}

/// `clipcanvas repair`.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Make a board of what can be read of a damaged one; the damaged one is kept beside.",
    usage: "clipcanvas repair [<options>]"
  )

  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions

  func run() throws {
    let file = board.file
    do {
      guard let repair = try file.repair(lockTimeout: lock.duration) else {
        return Console.print("nothing to do: \(file.path.displayText) can be read")
      }
      Console.print("it was damaged: \(repair.problem)")
      Console.print("kept as it was in \(repair.copy.displayText)")
      Console.print("saved \(repair.board.canvases.count) canvases, revision \(repair.board.revision)")
    } catch {
      throw error.told(of: file)
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
