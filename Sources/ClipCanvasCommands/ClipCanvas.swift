public import ArgumentParser
internal import BoardText
internal import CShortage
internal import CoverService
internal import Covers
internal import DecoderWire
internal import Dispatch
internal import Files

/// The root command.
public struct ClipCanvas: AsyncParsableCommand {
  /// The command's name, help and subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "clipcanvas",
    abstract: "Makes covers of recorded clips, and keeps them on a board of canvases.",
    discussion: """
      The cover of a clip is its first presented frame: upright, in square pixels, in right colours, as a PNG.

      A board is kept in a JSON file. One canvas at most has the focus; the focused one can be previewed, and the \
      previewed one records. While a recording is open, taps do nothing.

      Exit status: 0 done, 1 some clips gave no cover, 2 could not go on, 3 refused by the board, 4 another revision, \
      5 lock not had in time, 6 board unreadable, 64 wrong usage, 128+N ended by signal N.
      """,
    groupedSubcommands: [
      CommandGroup(name: "Covers", subcommands: [CoverCommand.self, BatchCommand.self, ProbeCommand.self]),
      CommandGroup(
        name: "The board",
        subcommands: [
          NewCommand.self, ShowCommand.self, LiveCommand.self, RenderCommand.self, TapCommand.self, SelectCommand.self,
          DeselectCommand.self,
          PreviewCommand.self, StopPreviewCommand.self, RecordCommand.self, ClipCommand.self, CanvasCommand.self,
          PendingCoversCommand.self, UndoCommand.self, RedoCommand.self, LogCommand.self,
        ]
      ),
      CommandGroup(
        name: "The board by programs",
        subcommands: [
          CanCommand.self, NextCommand.self, TableCommand.self, WatchCommand.self, ApplyCommand.self,
          SimulateCommand.self,
          WaitCommand.self, CheckCommand.self, RepairCommand.self,
        ]
      ),
    ]
  )

  @Flag(
    name: .customLong("version"),
    help: "Show the versions of clipcanvas and of FFmpeg's libraries, and the sandbox."
  )
  var showsVersion = false

  /// Creates a command, for use by the argument parser.
  public init() {}

  /// Prints the versions or the help; subcommands do everything else.
  public func run() async throws {
    guard showsVersion else { throw CleanExit.helpRequest(self) }
    Console.print("clipcanvas \(ClipCanvasVersion.current)")
    let hello = try await CoverService(decoder: ProgramLocation.decoder.find()).decoderHello()
    for (library, version) in hello.libraries.sorted(by: { $0.key < $1.key }) {
      Console.print("\(library) \(version)")
    }
    Console.print("sandbox \(Self.text(hello.sandbox))")
  }

  private static func text(_ sandbox: SandboxState) -> String {
    guard sandbox.isComplete else { return "without \(sandbox.missingText)" }
    return "complete" + (sandbox.landlock.map { ", with Landlock \($0)" } ?? "")
  }

  /// Parses the program's arguments, runs the command and exits with its status.
  public static func runProgram() -> Never {
    cshortage_begin("clipcanvas")
    do {
      var arguments = RawArguments.ofProcess()
      // 'cover' has clips as arguments, so it cannot have a subcommand; a clip of that name is ./pending.
      if arguments.starts(with: ["cover", "pending"]) { arguments.replaceSubrange(0..<2, with: ["cover-pending"]) }
      if let help = ShortHelp.text(for: arguments) {
        Console.print(verbatim: help)
        exit()
      }
      let command = try parse(program: arguments)
      guard let command = command as? any AsyncParsableCommand else {
        var command = command
        try command.run()
        exit()
      }
      run(command)
    } catch {
      end(by: error)
    }
  }

  /// Parses the arguments with only the command named by the first argument, if possible.
  ///
  /// Compared with parsing with the whole tree, this saves a sixth of the instructions (11.4 instead of 13.8 million
  /// for `tap`, by callgrind). The whole tree is used only for help and error messages.
  private static func parse(program arguments: [String]) throws -> any ParsableCommand {
    let commands = configuration.subcommands
    if let command = commands.first(where: { $0.configuration.commandName == arguments.first }),
      let parsed = try? command.parseAsRoot(Array(arguments.dropFirst())),
      ([command] + command.configuration.subcommands).contains(where: { $0 == type(of: parsed) })
    {
      return parsed
    }
    return try parseAsRoot(arguments)
  }

  /// Runs an asynchronous command.
  ///
  /// Only these commands start threads; others, such as `tap`, would end before a thread had started.
  private static func run(_ command: sending any AsyncParsableCommand) -> Never {
    cshortage_begin_threads()
    Task {
      do {
        var command = command
        try await command.run()
        exit()
      } catch {
        end(by: error)
      }
    }
    dispatchMain()
  }

  private static func end(by error: any Error) -> Never {
    if let error = error as? ServiceError {
      Console.complain("clipcanvas: \(error)")
      exit(withError: ExitStatus.couldNotGoOn)
    }
    let code = exitCode(for: error)
    // Help and version requests are not errors, and the message for a bare status has already been printed.
    guard code == .validationFailure, !(error is ExitCode) else { exit(withError: error) }
    // The message repeats arguments, which may be untrusted file names.
    Console.complain(lines: fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false))
    exit(withError: code)
  }
}
