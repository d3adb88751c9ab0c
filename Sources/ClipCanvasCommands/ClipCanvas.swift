package import ArgumentParser
internal import BoardSupport
internal import CShortage
package import ClipService
internal import Covers
internal import Dispatch
internal import Files

/// The root command.
package struct ClipCanvas: AsyncParsableCommand {
  /// The command's name, help and subcommands.
  package static let configuration = CommandConfiguration(
    commandName: "clipcanvas",
    abstract: "Make cover pictures of video clips, and keep clips on boards of canvases.",
    usage: "clipcanvas <command> [<options>] ...",
    discussion: """
      The cover of a clip is its first presented frame: upright, in square pixels, in the right colours, saved as a PNG. \
      Clips are decoded in a sandbox.

      A board is a JSON file with one canvas per clip; 'clipcanvas help board' explains it.

      Examples:
      \(FrontPage.examples)

      Exit status: 0 success, 1 some clips failed, 2 the command could not continue, 3 refused by \
      the board, 4 the board has another revision, 5 lock timeout, 6 the board cannot be read, 64 invalid arguments, \
      128+N ended by signal N.
      """,
    subcommands: [VersionCommand.self],
    groupedSubcommands: [
      CommandGroup(
        name: "Clip",
        subcommands: [
          CoverCommand.self, BatchCommand.self, ContactSheetCommand.self, StoryboardCommand.self, AnimateCommand.self,
          RemuxCommand.self, ProbeCommand.self, SimilarCommand.self, ReportCommand.self,
        ]
      ),
      CommandGroup(name: "Board", subcommands: [BoardCommand.self]),
    ]
  )

  @Flag(
    name: [.customShort("V"), .customLong("version")],
    help: "Show the versions of clipcanvas and FFmpeg's libraries, and the state of the sandbox."
  )
  var showsVersion = false

  /// Creates a command, for use by the argument parser.
  package init() {}

  /// Prints the versions or a short help page; subcommands do everything else.
  package func run() async throws {
    guard showsVersion else { return Console.print(verbatim: FrontPage.text) }
    try await VersionCommand().run()
  }

  /// Parses the program's arguments, runs the command and exits with its status.
  package static func runProgram() -> Never { runProgram(watchTimes: WatchTimes()) }

  /// Runs the program with given intervals of `batch --watch`.
  package static func runProgram(watchTimes: WatchTimes) -> Never {
    cshortage_begin("clipcanvas")
    do {
      let arguments = RawArguments.ofProcess()
      if let script = CompletionScript(requestedBy: arguments) {
        Console.print(verbatim: script.text)
        exit()
      }
      try CommandNames.check(arguments)
      if let help = ShortHelp.text(for: arguments) {
        Console.print(verbatim: help)
        exit()
      }
      let command = try parse(program: arguments)
      guard let command = command as? any AsyncParsableCommand else {
        var command = command
        do {
          try command.run()
        } catch {
          end(by: error, in: type(of: command))
        }
        exit()
      }
      if var batch = command as? BatchCommand {
        batch.watchTimes = watchTimes
        run(batch)
      }
      run(command)
    } catch {
      end(by: error)
    }
  }

  /// Parses the arguments with only the command that they name, if possible.
  ///
  /// Compared with parsing with the whole tree, this saves a sixth of the instructions (11.4 instead of 13.8 million
  /// for `tap`, by callgrind). The whole tree is used only for help and error messages.
  static func parse(program arguments: [String]) throws -> any ParsableCommand {
    let (command, depth) = CommandNames.command(of: arguments)
    if depth > 0, let parsed = try? command.parseAsRoot(Array(arguments.dropFirst(depth))),
      type(of: parsed) == command
    {
      return parsed
    }
    let parsed: any ParsableCommand
    do {
      parsed = try parseAsRoot(arguments)
    } catch {
      throw UsageError.explaining(error, arguments: arguments)
    }
    // A name such as -dash.mp4 contains the letter h, and may have been parsed as a request for help.
    if arguments.count > 1, let error = UsageError(hyphenatedClipIn: arguments) { throw error }
    return parsed
  }

  /// Runs an asynchronous command.
  ///
  /// Only these commands start threads; others, such as `tap`, would end before a thread had started.
  private static func run(_ command: sending any AsyncParsableCommand) -> Never {
    cshortage_begin_threads()
    Task {
      var command = command
      do {
        try await command.run()
        exit()
      } catch {
        end(by: error, in: type(of: command))
      }
    }
    dispatchMain()
  }

  /// Prints an error, once, and exits with its status.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - command: The running command, whose usage is shown for invalid arguments.
  static func end(by error: any Error, in command: (any ParsableCommand.Type) = ClipCanvas.self) -> Never {
    switch error {
    case let error as ValidationError:
      end(by: UsageError(error.message, of: command))
    case let error as CommandError: error.end()
    case let error as ServiceError: CommandError(error).end()
    case let error as UsageError:
      StandardError.print(lines: error.lines)
      exit(withError: ExitCode(ExitStatus.usage.rawValue))
    default:
      // A request for help is not an error.
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      end(by: UsageError(fullMessage: fullMessage(for: error)))
    }
  }
}
