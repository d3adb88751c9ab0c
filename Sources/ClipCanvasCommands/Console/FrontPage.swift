internal import ArgumentParser

/// The page that `clipcanvas` alone prints.
enum FrontPage {
  /// The examples, indented by two columns.
  static let examples = """
      clipcanvas cover holiday.mp4          make the cover holiday.mp4.png
      clipcanvas batch -o covers ~/Videos   make the covers of a folder of clips
      clipcanvas sheet holiday.mp4          make a contact sheet of twelve frames
      clipcanvas probe holiday.mp4          show size, codec, duration and colours
      clipcanvas board new                  create a board of four canvases
    """

  static var text: String {
    let configuration = ClipCanvas.configuration
    let groups = configuration.groupedSubcommands.map { group in
      "\(group.name) commands:\n" + group.subcommands.map(line).joined(separator: "\n")
    }
    return """
      \(configuration.abstract)

      \(examples)

      \(groups.joined(separator: "\n\n"))

      See 'clipcanvas help COMMAND' for a command, 'clipcanvas help board' for boards.
      """
  }

  private static func line(_ command: any ParsableCommand.Type) -> String {
    let name = command.configuration.commandName ?? ""
    return "  " + name + String(repeating: " ", count: max(1, 12 - name.count)) + command.configuration.abstract
  }
}
