internal import ArgumentParser
internal import BoardSupport
internal import ClipService
internal import Covers
internal import Files

/// Invalid arguments: the message and the usage of the command that they were given to.
struct UsageError: Error {
  /// The lines to print.
  let lines: [String]

  /// Creates an error from a message.
  init(_ message: String, of command: any ParsableCommand.Type) {
    let usage = ClipCanvas.usageString(for: command)
    let path = Self.path(of: command)
    let usages = usage.split(separator: "\n").enumerated().map { ($0 == 0 ? "Usage: " : "       ") + $1 }
    lines = ["clipcanvas: \(message)"] + usages + ["  See '\(path) --help' for more information."]
  }

  /// Creates an error from the full text of a parser's error, which includes the usage.
  init(fullMessage: String) {
    var lines = fullMessage.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if let first = lines.first { lines[0] = "clipcanvas: " + OptionValue.message(in: first) }
    self.lines = lines
  }

  /// Creates the error for the first clip whose name looks like an option; `nil` without such a clip.
  init?(hyphenatedClipIn arguments: [String]) {
    let arguments = arguments.prefix { $0 != "--" }
    guard let argument = arguments.first(where: Self.looksLikeClip) else { return nil }
    let command = CommandNames.command(of: Array(arguments)).command
    self.init("'\(argument)' looks like an option: write ./\(argument)", of: command)
  }

  /// Returns a parser's error, or a better one if an argument was parsed as an option.
  static func explaining(_ error: any Error, arguments: [String]) -> any Error {
    guard ClipCanvas.exitCode(for: error) == .validationFailure else { return error }
    if let error = UsageError(hyphenatedClipIn: arguments) { return error }
    let arguments = arguments.prefix { $0 != "--" }
    let command = CommandNames.command(of: Array(arguments)).command
    if command == BatchCommand.self, let option = arguments.first(where: ["-r", "-R", "--recursive"].contains) {
      return UsageError("folders are always searched recursively: leave out '\(option)'", of: command)
    }
    if command == ServeCommand.self, let port = port(in: arguments) {
      return UsageError("unknown option '--port'; use '--listen :\(port)'", of: command)
    }
    return error
  }

  /// Returns the value of an option `--port`, or an example if it has none that is a port.
  private static func port(in arguments: ArraySlice<String>) -> String? {
    guard let index = arguments.firstIndex(where: { $0 == "--port" || $0.hasPrefix("--port=") }) else { return nil }
    let value =
      arguments[index] == "--port" ? arguments[(index + 1)...].first ?? "" : String(arguments[index].dropFirst(7))
    return UInt16(value).map { "\($0)" } ?? "\(ListenAddress.usual.port)"
  }

  /// Whether an argument is the name of a file with a leading hyphen, such as `-x.mp4`.
  private static func looksLikeClip(_ argument: String) -> Bool {
    guard argument.hasPrefix("-"), argument.count > 2, let path = PathArgument(argument: argument) else { return false }
    let isThere = !argument.hasPrefix("--") && (try? FileStatus(of: path.path)) != nil
    return isThere || (!argument.contains("=") && ClipExtension(ofName: RawArguments.bytes(of: argument)) == .clip)
  }

  private static func path(of command: any ParsableCommand.Type) -> String {
    func search(_ parent: any ParsableCommand.Type, _ path: String) -> String? {
      guard parent != command else { return path }
      return CommandNames.subcommands(of: parent).lazy.compactMap { search($0, "\(path) \($0.displayName)") }.first
    }
    return search(ClipCanvas.self, ClipCanvas.displayName) ?? ClipCanvas.displayName
  }
}
