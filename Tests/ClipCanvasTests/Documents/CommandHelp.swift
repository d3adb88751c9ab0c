import FoundationEssentials
import Subprocess
import TestSupport

/// A command as the program describes it to tools, with its subcommands.
struct CommandHelp: Decodable {
  /// A word, an option or a flag of a command.
  struct Argument: Decodable {
    struct Name: Decodable, Hashable {
      let kind, name: String
    }
    enum Completion: String, Decodable { case custom, list, file, directory, none }

    let kind: String
    let names: [Name]?
    let isOptional, isRepeating: Bool
    let completion: Completion

    private enum CodingKeys: String, CodingKey { case kind, names, isOptional, isRepeating, completionKind }
    private struct Key: CodingKey {
      var stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      kind = try container.decode(String.self, forKey: .kind)
      names = try container.decodeIfPresent([Name].self, forKey: .names)
      isOptional = try container.decode(Bool.self, forKey: .isOptional)
      isRepeating = try container.decode(Bool.self, forKey: .isRepeating)
      let completion = try? container.nestedContainer(keyedBy: Key.self, forKey: .completionKind)
      self.completion = completion?.allKeys.first.flatMap { Completion(rawValue: $0.stringValue) } ?? .none
    }
  }

  let commandName: String
  let discussion: String?
  let subcommands: [CommandHelp]?
  let arguments: [Argument]?

  /// This command and all below it.
  var all: [CommandHelp] { [self] + (subcommands ?? []).flatMap(\.all) }

  /// Returns the command `clipcanvas`.
  static func ofProgram() async throws -> CommandHelp {
    struct Whole: Decodable { let command: CommandHelp }
    let result = try await Program.run(
      .path(ProjectFolder.program("clipcanvas")),
      ["--experimental-dump-help"],
      printsOtherJSON: true
    )
    return try JSONDecoder().decode(Whole.self, from: Data(result.output)).command
  }
}
