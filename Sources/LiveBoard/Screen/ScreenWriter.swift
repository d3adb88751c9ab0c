/// A buffer of terminal output, so that a frame is a single write.
struct ScreenWriter {
  private(set) var bytes: [UInt8] = []

  /// A colour or other text attribute, as SGR parameters.
  enum Look: String {
    case plain = ""
    case faint = "2"
    case bold = "1"
    case inverse = "7"
    case red = "31"
    case redBold = "31;1"
    case yellow = "33"
  }

  /// Whether text may be coloured.
  let hasColours: Bool

  init(hasColours: Bool) {
    self.hasColours = hasColours
  }

  /// Returns the buffered output as a synchronised update, and empties the buffer.
  ///
  /// - Parameter row: The 0-based row of a line to erase first, if any.
  mutating func takeFrame(erasing row: Int? = nil) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    defer { bytes = [] }
    let erasing = row.map { Self.move(row: $0, column: 0) + "\u{1B}[0m\u{1B}[2K" } ?? ""
    return Array("\u{1B}[?2026h\(erasing)".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  mutating func clear() { write("\u{1B}[0m\u{1B}[2J") }

  /// Moves the terminal's cursor.
  ///
  /// - Parameters:
  ///   - row: The row, counted from 0 at the top.
  ///   - column: The column, counted from 0 at the left.
  mutating func move(row: Int, column: Int) { write(Self.move(row: row, column: column)) }

  private static func move(row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

  /// Writes text, which must not contain control characters.
  mutating func write(_ text: String, _ look: Look = .plain) {
    let sequence = sequence(look)
    bytes += sequence.utf8
    bytes += text.utf8
    if !sequence.isEmpty { bytes += "\u{1B}[0m".utf8 }
  }

  /// Writes escape sequences unchanged.
  mutating func write(raw sequence: [UInt8]) { bytes += sequence }

  private func sequence(_ look: Look) -> String {
    switch look {
    case .plain: ""
    case .red, .yellow: hasColours ? "\u{1B}[\(look.rawValue)m" : ""
    case .redBold: "\u{1B}[\(hasColours ? look.rawValue : "1")m"
    case .faint, .bold, .inverse: "\u{1B}[\(look.rawValue)m"
    }
  }
}
