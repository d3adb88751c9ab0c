internal import ArgumentParser
internal import BoardSupport
internal import Files
internal import Glibc
internal import SystemPackage

/// The names of commands on the command line.
enum CommandNames {
  /// Returns the command that the leading arguments name, and the number of these arguments.
  static func command(of arguments: [String]) -> (command: any ParsableCommand.Type, depth: Int) {
    var command: any ParsableCommand.Type = ClipCanvas.self
    var depth = 0
    for name in arguments {
      guard let next = subcommand(name, of: command) else { break }
      command = next
      depth += 1
    }
    return (command, depth)
  }

  /// Checks that the arguments name existing commands, because the argument parser reports an unknown command as a
  /// surplus argument, and shows the general help for `help` with an unknown command.
  static func check(_ arguments: [String]) throws(UsageError) {
    let isHelp = arguments.first == "help"
    let arguments = isHelp ? Array(arguments.dropFirst()) : arguments
    let (command, depth) = command(of: arguments)
    guard depth < arguments.count, !subcommands(of: command).isEmpty else { return }
    let name = arguments[depth]
    guard !name.hasPrefix("-"), !["help", ""].contains(name) || isHelp else { return }
    let parents = arguments.prefix(depth)
    let suggestion = suggestion(for: name, in: command, parents, isAlone: depth == arguments.count - 1)
    throw UsageError("no command '\((parents + [name]).joined(separator: " "))'" + (suggestion ?? ""), of: command)
  }

  private static func suggestion(
    for name: String,
    in command: any ParsableCommand.Type,
    _ parents: ArraySlice<String>,
    isAlone: Bool
  ) -> String? {
    let names = subcommands(of: command).map { $0.displayName }
    let boardNames = parents.isEmpty ? subcommands(of: BoardCommand.self).map { $0.displayName } : []
    if boardNames.contains(name) { return "; did you mean 'board \(name)'?" }
    let nearest =
      Suggestion.nearest(to: name, among: names).map { (parents + [$0]).joined(separator: " ") }
      ?? Suggestion.nearest(to: name, among: boardNames).map { "board \($0)" }
    let known = nearest.map { "; did you mean '\($0)'?" }
    guard parents.isEmpty, access(name, F_OK) == 0, isAlone || known == nil else { return known }
    return Folder.exists(at: FilePath(name))
      ? "; to make covers of the clips in that folder: 'clipcanvas batch \(ShellText.quoted(name))'"
      : "; to make its cover: 'clipcanvas cover \(ShellText.quoted(name))'"
  }

  static func subcommand(_ name: String, of command: any ParsableCommand.Type) -> (any ParsableCommand.Type)? {
    subcommands(of: command).first { $0.displayName == name }
  }

  static func subcommands(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    let configuration = command.configuration
    return configuration.groupedSubcommands.flatMap(\.subcommands) + configuration.ungroupedSubcommands
  }
}

extension ParsableCommand {
  /// The name of the command on the command line.
  static var displayName: String { configuration.commandName ?? "" }
}
