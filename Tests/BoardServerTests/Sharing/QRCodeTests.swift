import SystemPackage
import TestSupport
import Testing

@testable import BoardServer

@Suite("The QR code of an invitation")
struct QRCodeTests {
  private static let reader = FilePath("/usr/bin/zbarimg")
  private static let address = "https://192.168.178.123:8427/join#vt1l64le56o1o9dlri38ob03p1b6hlrt"

  /// Returns what zbarimg reads from rows of modules.
  private static func read(_ rows: [[Bool]]) async throws -> String {
    let scratch = try ScratchFolder()
    let scale = 4
    var text = "P1\n\((rows.first?.count ?? 0) * scale) \(rows.count * scale)\n"
    for row in rows {
      let line = row.map { String(repeating: $0 ? "1 " : "0 ", count: scale) }.joined() + "\n"
      text += String(repeating: line, count: scale)
    }
    try scratch.write(text.utf8, as: "code.pbm")
    let result = try await Program.runTool("zbarimg", ["--quiet", "--raw", scratch("code.pbm").string])
    return result.text
  }

  @Test(
    "Another program reads the address from the text in the terminal and from the path on the page",
    .enabled(if: ProjectFolder.isThere(reader), "zbar-tools is not installed (make setup-browser)"),
    arguments: [
      address, "https://[fd00::1:2:3:4]/join#x", "https://studio.local:65535/join#" + String(repeating: "v", count: 32),
    ]
  )
  func readable(_ address: String) async throws {
    let code = try #require(QRCode(address))
    #expect(try await Self.read(try Self.modules(inTerminal: code.terminalLines)) == address + "\n")
    #expect(try await Self.read(Self.modules(inPath: code.path, size: code.size)) == address + "\n")
  }

  @Test("The text in the terminal is dark on light, with a margin, and as wide as announced")
  func terminal() throws {
    let code = try #require(QRCode(Self.address))
    let rows = try Self.modules(inTerminal: code.terminalLines)
    #expect(rows.allSatisfy { $0.count == code.terminalWidth } && code.terminalWidth == code.size + 8)
    let margins = rows.prefix(4) + rows.dropFirst(4 + code.size) + rows.map { Array($0.prefix(4) + $0.suffix(4)) }
    #expect(margins.allSatisfy { !$0.contains(true) })
  }

  @Test("A text that is too long for a code has none")
  func tooLong() {
    #expect(QRCode(String(repeating: "a", count: 3000)) == nil)
  }

  /// Returns the modules that a text draws with black (16) on white (231).
  private static func modules(inTerminal lines: [String]) throws -> [[Bool]] {
    try lines.flatMap { line in
      let (start, end) = ("\u{1B}[38;5;16;48;5;231m", "\u{1B}[0m")
      try #require(line.hasPrefix(start) && line.hasSuffix(end))
      let characters = line.dropFirst(start.count).dropLast(end.count)
      return [characters.map { "▀█".contains($0) }, characters.map { "▄█".contains($0) }]
    }
  }

  /// Returns the modules that a path fills, with a margin.
  private static func modules(inPath path: String, size: Int) -> [[Bool]] {
    var rows = Array(repeating: Array(repeating: false, count: size + 8), count: size + 8)
    for part in path.matches(of: /M(\d+) (\d+)h(\d+)v1h-(\d+)z/) {
      guard let column = Int(part.1), let row = Int(part.2), let count = Int(part.3), part.3 == part.4 else { continue }
      for dark in column..<column + count { rows[row + 4][dark + 4] = true }
    }
    return rows
  }
}
