internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// `clipcanvas board check`.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that a board can be read, and that its clips and covers exist.",
    usage: "clipcanvas board check [<options>]",
    discussion: """
      A missing clip or cover makes the exit status 1, unlike a cover that could not be made. Each problem is reported on \
      standard error, with the command that solves it.
      """
  )

  @OptionGroup var board: BoardOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let file = board.file
    let document = try board.read()
    let board = document.board
    let problems = board.canvases.flatMap { Problem.all(of: $0, in: file.folder) }
    for problem in problems { StandardError.print(problem.line(of: file)) }
    report(document, of: file, problems)
    guard problems.allSatisfy({ !$0.kind.isMissing }) else { throw CommandError(.someFailed) }
  }

  private func report(_ document: BoardDocument, of file: BoardFile, _ problems: [Problem]) {
    let board = document.board
    guard !json else {
      let record = JSON.object([
        "board": .string(file.path.displayText), "revision": JSON(board.revision),
        "canvases": JSON(board.canvases.count), "session": .string(board.session.name.rawValue),
        "schemaVersion": JSON(document.schemaVersion), "problems": .array(problems.map(\.json)),
      ])
      return Console.print(json: record.line)
    }
    let newer = document.isNewer ? ", written by a newer clipcanvas, therefore read-only" : ""
    Console.print(
      "\(file.path.displayText): revision \(board.revision), \(Board.count(board.canvases.count)), \(board.session.name.rawValue)"
        + newer
    )
  }

  /// A problem of a canvas.
  private struct Problem {
    enum Kind: String {
      case clipMissing, coverMissing, coverFailed

      /// Whether a file is gone.
      var isMissing: Bool { self == .clipMissing || self == .coverMissing }
    }

    let kind: Kind
    let canvas: CanvasID
    /// The file that is missing.
    var path: FilePath?
    /// Why the cover could not be made.
    var reason: String?
    /// Whether a command can fix it.
    var isFixable = true

    /// Returns the problems of a canvas on a board in a folder.
    static func all(of canvas: Canvas, in folder: FilePath) -> [Problem] {
      var problems: [Problem] = []
      func look(_ kind: Kind, _ path: String) {
        let path = BoardPath.path(of: path, in: folder)
        if !path.exists { problems.append(Problem(kind: kind, canvas: canvas.id, path: path)) }
      }
      if let clip = canvas.clip { look(.clipMissing, clip.file.path) }
      let hasClip = !problems.contains { $0.kind == .clipMissing }
      switch canvas.cover {
      case .ready(let cover): look(.coverMissing, cover.path)
      case .failed(let reason): problems.append(Problem(kind: .coverFailed, canvas: canvas.id, reason: reason))
      case .none, .pending: break
      }
      for index in problems.indices where [.coverMissing, .coverFailed].contains(problems[index].kind) {
        problems[index].isFixable = hasClip
      }
      return problems
    }

    /// Returns the problem and what to do about it.
    func line(of board: BoardFile) -> String {
      let (name, file) = (DisplayName.of(canvas), path?.displayText ?? "")
      let again = board.command(Event.coverRetry(canvas).command)
      switch kind {
      case .clipMissing:
        let removal = board.command(Event.removeClip(canvas).command)
        return "\(name): the clip \(file) is missing; restore it, or remove it from the board: \(removal)"
      case .coverMissing:
        return "\(name): the cover \(file) is missing" + (isFixable ? "; \(again) makes it again" : "")
      case .coverFailed:
        return "\(name): the cover could not be made: \(reason ?? "")" + (isFixable ? "; \(again) tries again" : "")
      }
    }

    var json: JSON {
      .object([
        "canvas": .string(canvas.description), "problem": .string(kind.rawValue),
        "path": path.map { .string($0.displayText) }, "reason": reason.map { .string($0) },
      ])
    }
  }
}

/// `clipcanvas board repair`.
struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Recover what can be read of a damaged board, and keep a copy of the file.",
    usage: "clipcanvas board repair [<options>]",
    discussion: """
      A board that is larger than 32 MiB loses the oldest part of its history. Canvases whose names are not valid are \
      renamed.
      """
  )

  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions
  @Flag(help: "Print a JSON object.") var json = false

  func run() throws {
    let file = board.file
    do {
      guard let repair = try file.repair(lockTimeout: lock.duration) else {
        guard !json else { return Console.print(json: JSON(Outcome.noop(.already)).line) }
        return Console.print("nothing to repair: \(file.path.displayText) can be read")
      }
      guard !json else { return Console.print(json: repair.json.line) }
      Console.print("the board needed repair: \(repair.problem)")
      Console.print("kept the damaged file as \(repair.copy.displayText)")
      for (old, new) in repair.renamed.sorted(by: { $0.value.description < $1.value.description }) {
        Console.print("renamed the canvas '\(DisplayName.of(old))' to \(new)")
      }
      if repair.forgotten > 0 { Console.print("removed the oldest \(repair.forgotten) revisions from the history") }
      Console.print("recovered \(Board.count(repair.board.canvases.count)), revision \(repair.board.revision)")
    } catch .unreadable(.corrupt(let problem)) {
      throw CommandError(
        .boardUnreadable,
        "\(file.path.displayText) is not a board that can be repaired: \(problem); nothing was changed; restore a copy, or "
          + "move the file away and create a new board with \(file.command("new"))"
      )
    } catch {
      throw CommandError(error, of: file)
    }
  }
}

extension Repair {
  fileprivate var json: JSON {
    .object([
      "outcome": .string("repaired"), "problem": .string(problem), "copy": .string(copy.displayText),
      "canvases": JSON(board.canvases.count), "revision": JSON(board.revision), "forgotten": JSON(forgotten),
      "renamed": .object(JSONObject(renamed.map { ($0.key.description, .string($0.value.description)) })),
    ])
  }
}
