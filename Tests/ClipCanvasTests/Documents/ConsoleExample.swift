/// A command in a document, and the output that the document shows for it.
///
/// A line that starts with `$ ` is a command, and the lines that follow are its output, up to the next command, a blank
/// line, a fence or a line with less indentation.
struct ConsoleExample: Equatable, Sendable {
  /// The line number of the command, counted from 1.
  let line: Int
  /// The command to type; it continues on the next line after `|` or `\`.
  var command: String
  /// The printed lines, standard output and standard error interleaved.
  var output: [String] = []

  /// Returns the examples in a text, in order.
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

  /// Whether the lines are the output of the example.
  ///
  /// They must be equal except for two numbers that vary: the duration of a batch in seconds and its clips per second.
  func prints(_ lines: [String]) -> Bool {
    output.map(Self.withoutPace) == lines.map(Self.withoutPace)
  }

  private static func withoutPace(_ line: String) -> String {
    line.replacing(/; [0-9]+\.[0-9] s, [0-9]+ per second$/, with: "; … s, … per second")
  }
}
