/// What is to be written to the terminal, gathered so that a frame is one write.
struct ScreenWriter {
  private(set) var bytes: [UInt8] = []

  /// A colour or other look of text, as the parameters of SGR.
  enum Look: String {
    case plain = ""
    case faint = "2"
    case bold = "1"
    case inverse = "7"
    case red = "31"
    case redBold = "31;1"
    case yellow = "33"
  }

  /// Whether looks may have colours.
  let hasColours: Bool

  init(hasColours: Bool) {
    self.hasColours = hasColours
  }

  /// Takes what was gathered, between the marks that let a terminal show it as a whole.
  ///
  /// - Parameter row: A line that is erased before anything else, if any; counted from 0.
  mutating func takeFrame(erasing row: Int? = nil) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    defer { bytes = [] }
    let erasing = row.map { Self.move(row: $0, column: 0) + "\u{1B}[0m\u{1B}[2K" } ?? ""
    return Array("\u{1B}[?2026h\(erasing)".utf8) + bytes + Array("\u{1B}[?2026l".utf8)
  }

  mutating func clear() { write("\u{1B}[0m\u{1B}[2J") }

  /// - Parameters:
  ///   - row: From the top, counted from 0.
  ///   - column: From the left, counted from 0.
  mutating func move(row: Int, column: Int) { write(Self.move(row: row, column: column)) }

  private static func move(row: Int, column: Int) -> String { "\u{1B}[\(row + 1);\(column + 1)H" }

  /// Text without control characters.
  mutating func write(_ text: String, _ look: Look = .plain) {
    let sequence = sequence(look)
    bytes += sequence.utf8
    bytes += text.utf8
    if !sequence.isEmpty { bytes += "\u{1B}[0m".utf8 }
  }

  /// Sequences that were made elsewhere.
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
