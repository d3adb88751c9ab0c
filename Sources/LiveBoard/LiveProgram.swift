internal import BoardStore
internal import BoardText
internal import CoverService
internal import Glibc
internal import SystemPackage
internal import Terminal
internal import TerminalPictures

/// The program `clipcanvas-live`.
public enum LiveProgram {
  /// Shows the board that the process's arguments name, until somebody leaves.
  public static func run() -> Never {
    do throws(LiveArguments.WrongUsage) {
      show(try LiveArguments(RawArguments.ofProcess()))
    } catch {
      end(ExitNumber.wrongUsage, error.description)
    }
  }

  private static func show(_ arguments: LiveArguments) -> Never {
    guard Terminal.isThere else {
      end(ExitNumber.couldNotGoOn, "this is no terminal; 'clipcanvas show' prints the board")
    }
    let file = BoardFile(at: arguments.board)
    do throws(BoardError) {
      let screen = LiveScreen(
        try file.read().board,
        folder: file.folder,
        style: LiveStyle(arguments.pictures, detected: .detected()),
        showsCounters: arguments.showsCounters
      )
      try run(screen, of: file)
    } catch {
      end(ExitNumber.boardUnreadable, error.words(file.path.displayText))
    }
    exit(0)
  }

  private static func run(_ screen: LiveScreen, of file: BoardFile) throws(BoardError) {
    do throws(Terminal.Unusable) {
      var loop = LiveLoop(file, screen: screen, on: try Terminal())
      loop.run()
    } catch {
      end(ExitNumber.couldNotGoOn, "cannot take the terminal: \(Errno(rawValue: error.systemError).words)")
    }
  }

  private static func end(_ status: Int32, _ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas-live: \(message)\n".utf8)
    exit(status)
  }
}
