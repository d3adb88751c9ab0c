internal import ArgumentParser
internal import BoardStore
internal import BoardSupport
internal import CanvasModel
internal import Files

/// `clipcanvas board can`.
struct CanCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "can",
    abstract: "Show what a command would do now, without changing anything.",
    usage: """
      clipcanvas board can [<options>] <command> ...
      clipcanvas board can [<options>] <event as JSON>
      """,
    discussion: """
      The command has the arguments and options with which it would be typed after 'clipcanvas board'.

      Examples:
        clipcanvas board can tap c1
        clipcanvas board can record start --replace
        clipcanvas board can canvas move c1 2
        clipcanvas board can undo 3
        clipcanvas board can '{"event":"tap","canvas":"c1"}'

      Exit status: that of the command, such as 3 if it would be refused.
      """
  )

  @OptionGroup var board: BoardOptions
  @Flag(help: "Print the outcome as JSON.") var json = false
  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("The command, such as 'record start', with its arguments.", valueName: "command"),
    completion: .list(Self.firstWords)
  )
  var words: [String]

  /// The events that have a command; the results of covers have none.
  private static let names = EventName.allCases.filter { ![.coverReady, .coverFailed].contains($0) }

  private static let firstWords: [String] = names.reduce(into: []) { words, name in
    let word = String(name.command.prefix { $0 != " " })
    if !words.contains(word) { words.append(word) }
  }

  func run() async throws {
    // The parser treats this as the first word.
    if words == ["--help"] { throw CleanExit.helpRequest(self) }
    try await DryRun.run(try command())
  }

  /// The command whose effect is shown, with the options that were given before it.
  private func command() throws -> any ParsableCommand {
    let path = board.board.map { RawArguments.text(of: $0.path) }
    let options = (path.map { ["--board", $0] } ?? []) + (json ? ["--json"] : [])
    if words[0].hasPrefix("{") {
      return try EventCommand.parseAsRoot(options + words)
    }
    let (command, rest) = try named()
    return try ClipCanvas.parse(program: ["board"] + command + options + rest)
  }

  /// Returns the one or two words of the command, and the other words.
  private func named() throws -> ([String], [String]) {
    for count in [2, 1] where words.count >= count {
      let name = words.prefix(count).joined(separator: " ")
      let event = EventName(command: name).flatMap { Self.names.contains($0) ? $0 : nil }
      guard let command = event?.command ?? (name == EventName.recovery ? name : nil) else { continue }
      return (command.split(separator: " ").map(String.init), Array(words.dropFirst(count)))
    }
    let commands = Self.names.map(\.command) + [EventName.recovery]
    throw ValidationError(
      "'\(words.joined(separator: " "))' is not a command that changes the board: use \(commands.joined(separator: ", "))"
    )
  }

  /// Sends an event that is given as JSON.
  private struct EventCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "can")

    @Argument var text: String
    @OptionGroup var options: ChangeOptions

    func run() throws {
      let event: Event
      do throws(EventLineError) {
        event = try EventLine(parsing: Array(text.utf8)).event
      } catch {
        throw ValidationError("'\(text)' is not an event: \(error)")
      }
      try options.send(event)
    }
  }
}

/// Whether commands only show what they would do.
enum DryRun {
  @TaskLocal static var isActive = false

  /// Runs a command that changes a board, on a copy of the board.
  static func run(_ command: any ParsableCommand) async throws {
    try await $isActive.withValue(true) {
      var command = command
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    }
  }
}

extension EventName {
  /// The command that sends an event only if the owner of the take is not running.
  static let recovery = "record recover"
}
