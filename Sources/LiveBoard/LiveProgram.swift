internal import BoardStore
internal import BoardText
internal import CShortage
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage
internal import Terminal

/// The program `clipcanvas-live`.
public enum LiveProgram {
  /// Shows the board named by the process's arguments until the user quits.
  ///
  /// The event loop blocks the main thread, so that the few threads that run tasks remain free to read covers.
  @MainActor public static func run() async -> Never {
    cshortage_begin("clipcanvas-live")
    cshortage_begin_threads()
    do throws(WrongArguments) {
      await show(try LiveArguments.ofProcess())
    } catch {
      end(.usage, error.description)
    }
  }

  @MainActor private static func show(_ arguments: LiveArguments) async -> Never {
    guard Terminal.isThere else {
      end(.cannotContinue, "this is not a terminal; 'clipcanvas board show' prints the board")
    }
    let file = BoardFile(at: arguments.board)
    let style = LiveStyle(arguments.pictures, detected: .detected())
    let reader = reader(for: style)
    do throws(BoardError) {
      let screen = LiveScreen(
        try file.read().board,
        folder: file.folder,
        style: style,
        showsCounters: arguments.showsCounters,
        reader: reader
      )
      try run(screen, of: file, reader: reader)
    } catch {
      end(.boardUnreadable, error.message(file.path.displayText))
    }
    await reader.end()
    exit(0)
  }

  private static func reader(for style: LiveStyle) -> CoverReader {
    do throws(Errno) {
      return try CoverReader(for: style.abilities)
    } catch {
      end(.cannotContinue, "cannot create a pipe: \(error.message)")
    }
  }

  private static func run(_ screen: LiveScreen, of file: BoardFile, reader: CoverReader) throws(BoardError) {
    do throws(Terminal.Unusable) {
      var loop = LiveLoop(file, screen: screen, reader: reader, on: try Terminal())
      loop.run()
    } catch {
      end(.cannotContinue, "cannot use the terminal: \(Errno(rawValue: error.systemError).message)")
    }
  }

  private static func end(_ status: ExitStatus, _ message: String) -> Never {
    _ = try? FileDescriptor.standardError.writeAll("clipcanvas-live: \(DisplayText.of(message.utf8))\n".utf8)
    exit(status.rawValue)
  }
}
