internal import ArgumentParser

/// The short help for `-h`: the output of `--help` without its paragraphs and examples.
enum ShortHelp {
  /// Returns the text if the arguments request it.
  static func text(for arguments: [String]) -> String? {
    let arguments = arguments.prefix { $0 != "--" }
    guard arguments.contains("-h") else { return nil }
    var command: any ParsableCommand.Type = ClipCanvas.self
    for argument in arguments {
      command = CommandNames.subcommand(argument, of: command) ?? command
    }
    return shortened(ClipCanvas.helpMessage(for: command))
  }

  /// Returns a help text with only the first paragraph of its overview.
  private static func shortened(_ help: String) -> String {
    guard let overview = help.firstRange(of: "OVERVIEW: "), let usage = help.firstRange(of: "\nUSAGE: ") else {
      return help
    }
    let abstract = help[overview.upperBound..<usage.lowerBound].split(separator: "\n\n").first ?? ""
    let sentence = abstract.split(separator: "\n").joined(separator: "\n")
    return "\(sentence)\n\(help[usage.lowerBound...])\n  Use '--help' for the full description."
  }
}
