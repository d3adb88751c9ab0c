package import CanvasModel

extension TransitionTable.Answer: CustomStringConvertible {
  /// The answer as shown in the table: `✓` and the resulting session, or `·` or `✗` and the reason.
  package var description: String {
    switch self {
    case .changed(let session): "✓ \(session.rawValue)"
    case .noop(let reason): "· \(reason.rawValue)"
    case .refused(let reason): "✗ \(reason.rawValue)"
    }
  }

  /// The answer in words.
  fileprivate var text: String {
    switch self {
    case .changed(let session): "changed \(session.rawValue)"
    case .noop(let reason): "noop \(reason.rawValue)"
    case .refused(let reason): "refused \(reason.rawValue)"
    }
  }
}

extension TransitionTable {
  /// The table as text, one row per line, with columns for session, answer and event that are easy to `grep`.
  ///
  /// The text ends with a newline, like the other formats.
  package var text: String {
    let cells = rows.map { [$0.session.rawValue, $0.answer.text, $0.label] }
    let widths = (0..<2).map { column in cells.lazy.map { $0[column].count }.max() ?? 0 }
    return cells.reduce(into: "") { text, cells in
      for (cell, width) in zip(cells, widths) {
        text += cell + String(repeating: " ", count: width + 2 - cell.count)
      }
      text += cells[2] + "\n"
    }
  }

  /// The table in Markdown, with a row for each event and variant and a column for each session.
  package var markdown: String {
    let sessions = SessionName.allCases
    var text = "| event | " + sessions.map(\.rawValue).joined(separator: " | ") + " |\n"
    text += "|---" + String(repeating: "|---", count: sessions.count) + "|\n"
    for (label, rows) in lines {
      let cells = sessions.map { session in rows.first { $0.session == session }?.answer.description ?? "–" }
      text += "| \(label) | " + cells.joined(separator: " | ") + " |\n"
    }
    return text
  }

  /// The table as a Graphviz graph, with a node for each session and edges labelled with events.
  package var dot: String {
    var text = "digraph board {\n  rankdir=LR;\n  node [shape=box];\n"
    for session in SessionName.allCases {
      text += "  \(session.rawValue)\(session.isLocked ? " [style=filled]" : "");\n"
    }
    for from in SessionName.allCases {
      for to in SessionName.allCases {
        let labels = rows.filter { $0.session == from && $0.answer == .changed(to) }.map(\.label)
        guard !labels.isEmpty else { continue }
        text += "  \(from.rawValue) -> \(to.rawValue) [label=\"\(labels.joined(separator: "\\n"))\"];\n"
      }
    }
    return text + "}\n"
  }

  /// The rows grouped by event and variant, in order.
  private var lines: [(label: String, rows: [Row])] {
    rows.reduce(into: []) { lines, row in
      if lines.last?.label == row.label {
        lines[lines.count - 1].rows.append(row)
      } else {
        lines.append((row.label, [row]))
      }
    }
  }
}
