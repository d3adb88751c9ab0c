internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// `clipcanvas board clean`.
struct CleanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove the files of clips and covers that neither the board nor its history needs.",
    usage: "clipcanvas board clean [<options>]",
    discussion: """
      Only files in the folders of the board are removed, such as board.clips and board.covers; a clip anywhere else stays. \
      Takes are needed until 'clipcanvas board forget' takes them out of the list, and after that while a step with them \
      can be undone or redone. On a terminal, the command asks first; elsewhere it needs --force or --dry-run.

      While a recording is in progress or the board is exported, nothing is removed.
      """
  )

  @Flag(help: "Only list the files.") var dryRun = false
  @Flag(help: "Remove the files without asking.") var force = false
  @Flag(help: "Also forget the steps of the history that need forgotten takes; they cannot be undone any more.")
  var forgetSteps = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var lock: LockOptions
  @Flag(help: "Print a JSON object for each file.") var json = false

  func run() throws {
    let file = board.file
    var current = try board.readToChange()
    try Self.check(current, file)
    let steps = forgetSteps ? current.forgetStepsWithFormerClips() : 0
    let cleaning = BoardCleaning(of: file)
    let found = cleaning.leftovers(of: current)
    let needed = forgetSteps || json ? 0 : countNeededByHistory(current, found)
    guard !dryRun else { return report(found, steps: steps, needed: needed, isDone: false) }
    guard !found.isEmpty || steps > 0 else { return report([], steps: 0, needed: needed, isDone: true) }
    guard try isConfirmed(found, steps: steps) else { return StandardError.print("nothing was removed") }
    let folderLock = try self.folderLock(of: file)
    let given = try transact(file) { forgetSteps ? $0.forgetStepsWithFormerClips() : 0 }
    // The board is on disk without the steps before their files are removed.
    let removed = try transact(file) { cleaning.remove(found, from: $0) }
    _ = consume folderLock
    report(removed, steps: given, needed: needed, isDone: true)
  }

  /// Changes the board, unless a recording is in progress.
  private func transact<Result>(_ file: BoardFile, _ body: (inout Board) -> Result) throws -> Result {
    let result: Result?
    do throws(BoardError) {
      result = try file.transact(lockTimeout: lock.duration) { board in board.isLocked ? nil : body(&board) }
    } catch {
      throw CommandError(error, of: file)
    }
    guard let result else { throw Self.locked(file) }
    return result
  }

  private static func check(_ board: Board, _ file: BoardFile) throws {
    guard !board.isLocked else { throw locked(file) }
  }

  private static func locked(_ file: BoardFile) -> CommandError {
    CommandError(.refused, "refused: \(Reason.locked.message(on: file)); nothing was removed")
  }

  /// Locks the folder of the clips, so that no file is removed that is being exported or added; `nil` without a folder.
  private func folderLock(of file: BoardFile) throws -> FolderLock? {
    do throws(Errno) {
      return try FolderLock(exclusively: file.clipsFolder)
    } catch {
      switch error {
      case .noSuchFileOrDirectory: return nil
      case .wouldBlock:
        throw CommandError(
          .refused,
          "refused: another process is exporting the board or adding a clip; nothing was removed; try again"
        )
      default:
        throw CommandError(
          .cannotContinue,
          "cannot lock \(file.clipsFolder.displayText): \(error.message); nothing was removed"
        )
      }
    }
  }

  /// Asks whether the files may be removed.
  private func isConfirmed(_ found: [BoardCleaning.Leftover], steps: Int) throws -> Bool {
    guard !force else { return true }
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else {
      throw CommandError(
        .cannotContinue,
        "\(Self.summary(found, steps: steps, verb: "would remove")); nothing was removed, because this is not a terminal; "
          + "remove them with --force, or list them with --dry-run"
      )
    }
    for leftover in found { StandardError.print(leftover.path.displayText) }
    let question = Self.summary(found, steps: steps, verb: "remove") + "? [y/N] "
    _ = try? FileDescriptor.standardError.writeAll(Array(question.utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// - Parameters:
  ///   - files: The files that were or would be removed.
  ///   - steps: The number of steps that were or would be forgotten.
  ///   - needed: The number of files that only the history needs.
  ///   - isDone: Whether the files were removed.
  private func report(_ files: [BoardCleaning.Leftover], steps: Int, needed: Int, isDone: Bool) {
    guard !json else {
      for leftover in files { Console.print(json: leftover.json(isDone: isDone).line) }
      return
    }
    if !isDone, !files.isEmpty { Console.print(lines: files.map(\.path.displayText)) }
    let isNothing = files.isEmpty && steps == 0
    Console.print(
      isNothing ? "nothing to remove" : Self.summary(files, steps: steps, verb: isDone ? "removed" : "would remove")
    )
    guard needed > 0 else { return }
    Console.print(
      "\(needed) \(needed == 1 ? "file is" : "files are") still needed to undo or redo; --forget-steps removes \(needed == 1 ? "it" : "them")"
    )
  }

  /// Returns the number of files that only the history needs.
  private func countNeededByHistory(_ board: Board, _ found: [BoardCleaning.Leftover]) -> Int {
    var shorter = board
    guard shorter.forgetStepsWithFormerClips() > 0 else { return 0 }
    return BoardCleaning(of: self.board.file).leftovers(of: shorter).count - found.count
  }

  /// Returns what is removed, such as `removed 3 files, 4.2 MB; 2 steps cannot be undone any more`.
  private static func summary(_ files: [BoardCleaning.Leftover], steps: Int, verb: String) -> String {
    let size = FactText.bytes(files.reduce(0) { $0 + $1.bytes })
    let count = "\(verb) \(files.count) \(files.count == 1 ? "file" : "files"), \(size)"
    guard steps > 0 else { return count }
    return count + "; \(steps) \(steps == 1 ? "step" : "steps") cannot be undone any more"
  }
}

extension Board {
  /// Forgets the history up to the newest step that needs a clip that the board itself does not need.
  ///
  /// - Returns: The number of steps that cannot be undone any more.
  fileprivate mutating func forgetStepsWithFormerClips() -> Int {
    guard let revision = newestRevisionWithFormerClip else { return 0 }
    let before = undoableSteps
    forgetHistory(upTo: revision)
    return before - undoableSteps
  }
}

extension BoardCleaning.Leftover {
  fileprivate func json(isDone: Bool) -> JSON {
    .object([
      "status": .string(isDone ? "removed" : "wouldRemove"), "kind": .string(kind.rawValue),
      "path": .string(path.displayText), "bytes": JSON(bytes),
    ])
  }
}
