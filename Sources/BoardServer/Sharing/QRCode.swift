internal import CQRCode

/// A QR code.
struct QRCode: Sendable {
  /// The number of modules in a row, without the margin.
  let size: Int
  private let modules: [Bool]

  /// The width of the margin that readers need, in modules.
  static let margin = 4

  /// Encodes a text; `nil` if it is too long or memory is short.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    size = Int(code.pointee.width)
    // The lowest bit of a byte is the colour of its module.
    modules = UnsafeBufferPointer(start: code.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

  /// Whether a module is dark; those outside are light.
  func isDark(_ column: Int, _ row: Int) -> Bool {
    (0..<size).contains(column) && (0..<size).contains(row) && modules[row * size + column]
  }

  // MARK: - Drawings

  /// The number of characters in a line of ``terminalLines``.
  var terminalWidth: Int { size + 2 * Self.margin }

  /// The code for a terminal, two modules in each character, dark on light whatever the terminal's colours are.
  var terminalLines: [String] {
    stride(from: -Self.margin, to: size + Self.margin, by: 2).map { row in
      let characters = (-Self.margin..<size + Self.margin).map { column in
        switch (isDark(column, row), isDark(column, row + 1)) {
        case (false, false): " "
        case (true, false): "▀"
        case (false, true): "▄"
        case (true, true): "█"
        }
      }
      // Black on white, of the 256 colours, because terminals change the first 16.
      return "\u{1B}[38;5;16;48;5;231m\(characters.joined())\u{1B}[0m"
    }
  }

  /// The dark modules as the data of an SVG path, one unit for each.
  var path: String {
    var path = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        let start = column
        while isDark(column, row) { column += 1 }
        if column > start { path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z" }
        column += 1
      }
    }
    return path
  }
}
