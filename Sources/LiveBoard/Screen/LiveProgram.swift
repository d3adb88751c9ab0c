internal import BoardStore
package import BoardSupport
internal import CanvasModel
internal import Covers
internal import Files
internal import SystemPackage

/// The board in the terminal.
package enum LiveProgram {
  /// Shows the board until the user quits.
  ///
  /// The event loop blocks the main thread, so that the few threads that run tasks remain free to read covers.
  @MainActor package static func run(_ arguments: LiveArguments) async throws(CommandError) {
    let file = BoardFile(at: arguments.board)
    guard Terminal.isThere else {
      throw CommandError(.cannotContinue, "this is not a terminal; \(file.command("show")) prints the board")
    }
    let style = LiveStyle(arguments.pictures, detected: .detected())
    let wakeup = try wakeup()
    let reader = CoverReader(for: style.capabilities, waking: wakeup)
    let maker = CoverMaker(for: file, waking: wakeup)
    let check = ClipCheck(for: file.folder, waking: wakeup)
    let screen = LiveScreen(
      try board(in: file),
      of: file,
      style: style,
      showsCounters: arguments.showsCounters,
      reader: reader
    )
    var loop = LiveLoop(file, screen: screen, maker: maker, check: check, wakeup: wakeup, on: try terminal())
    loop.run()
    await check.end()
    await maker.end()
    await reader.end()
  }

  private static func wakeup() throws(CommandError) -> Wakeup {
    do throws(Errno) {
      return try Wakeup()
    } catch {
      throw CommandError(.cannotContinue, "cannot create a pipe: \(error.message)")
    }
  }

  private static func board(in file: BoardFile) throws(CommandError) -> Board {
    do throws(BoardError) {
      return try file.read().board
    } catch {
      throw CommandError(error, of: file)
    }
  }

  private static func terminal() throws(CommandError) -> Terminal {
    do throws(Terminal.Unusable) {
      return try Terminal()
    } catch {
      throw CommandError(
        .cannotContinue,
        "cannot use the terminal: \(Errno(rawValue: error.systemError).message)"
      )
    }
  }
}
