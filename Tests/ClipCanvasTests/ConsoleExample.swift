/// A command in a text for people, and what the text says that it prints.
///
/// A line that starts with `$ ` is a command, the lines up to the next one are what it prints. A blank line, a fence, or
/// a line that is indented less ends them.
struct ConsoleExample: Equatable, Sendable {
  /// Where the command is, counted from 1.
  let line: Int
  /// What is typed; of several lines where one ends in `|` or `\`.
  var command: String
  /// What is printed, standard output and standard error as they come.
  var output: [String] = []

  /// All examples of a text, in their order.
  static func all(in text: String) -> [ConsoleExample] {
    var examples: [ConsoleExample] = []
    var indent: Int?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let ownIndent = line.prefix { $0 == " " }.count
      let content = line.dropFirst(ownIndent)
      if content.hasPrefix("$ ") {
        examples.append(ConsoleExample(line: index + 1, command: String(content.dropFirst(2))))
        indent = ownIndent
      } else if content.isEmpty || content.hasPrefix("```") || ownIndent < indent ?? .max {
        indent = nil
      } else if let indent {
        examples[examples.count - 1].add(String(line.dropFirst(indent)))
      }
    }
    return examples
  }

  private mutating func add(_ line: String) {
    if output.isEmpty, command.hasSuffix("|") || command.hasSuffix("\\") {
      command += "\n" + line
    } else {
      output.append(line)
    }
  }

  /// Whether the lines are those of the example.
  ///
  /// They are compared letter by letter but for two numbers that no text can foretell: the seconds that a batch took, and
  /// how many clips that makes a second.
  func prints(_ lines: [String]) -> Bool {
    output.map(Self.withoutPace) == lines.map(Self.withoutPace)
  }

  private static func withoutPace(_ line: String) -> String {
    line.replacing(/; [0-9]+\.[0-9] s, [0-9]+ a second$/, with: "; … s, … a second")
  }
}
