import BoardSupport
import CanvasModel
import TestSupport
import Testing

@Suite("Formats of the transition table")
struct TransitionTableTests {
  private let table = TransitionTable()

  @Test("The text has one line for each cell, in columns")
  func text() {
    let words = ["✓": "changed", "·": "noop", "✗": "refused"]
    let expected = TableOfThePage.cells.map { cell in
      [cell.session, words[String(cell.answer.prefix(1))] ?? "", String(cell.answer.dropFirst(2)), cell.label]
    }
    let lines = table.text.split(separator: "\n")
    let fields = lines.map { line in
      let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true).map(String.init)
      return Array(parts.dropLast()) + [String(parts[3].drop { $0 == " " })]
    }
    #expect(Set(fields) == Set(expected))
    #expect(lines.count == expected.count && table.text.last == "\n")
    // "finalizing" and "refused unknownCanvas" are the longest entries of their columns.
    #expect(lines.allSatisfy { $0.count > 35 && Array($0)[11] == " " && Array($0)[34] == " " && Array($0)[35] != " " })
  }

  @Test("The Markdown table is the one written by hand")
  func markdown() {
    let expected = TableOfThePage.markdown.split(separator: "\n")
    let lines = table.markdown.split(separator: "\n")
    for (line, other) in zip(expected, lines) { #expect(line == other) }
    #expect(lines.count == expected.count)
  }

  @Test("The graph has an edge from each session to every session that an event leads to")
  func dot() {
    let expected = [
      "idle": ["idle", "selected", "previewing"], "selected": ["idle", "selected", "previewing"],
      "previewing": ["idle", "selected", "previewing", "recording"],
      "recording": ["previewing", "recording", "paused", "finalizing"],
      "paused": ["previewing", "recording", "paused", "finalizing"],
      "finalizing": ["previewing", "paused", "finalizing"],
    ]
    var edges: [String: [String]] = [:]
    for line in table.dot.split(separator: "\n") where line.contains("->") {
      let words = line.split(separator: " ")
      edges[String(words[0]), default: []].append(String(words[2]))
    }
    #expect(edges == expected)
    #expect(
      table.dot.contains(#"  previewing -> recording [label="recordStart (no clip)\nrecordStart (a clip, replace)"];"#)
    )
    #expect(table.dot.hasPrefix("digraph board {\n") && table.dot.hasSuffix("}\n"))
  }
}
