import SystemPackage
import TestSupport
import Testing

/// What is put into a small board.
struct BoardFilling: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// The part of the small board's text that it is put after.
  let place: String
  let text: String

  /// Creates a filling.
  ///
  /// - Parameters:
  ///   - bytes: About how many bytes of text there are.
  ///   - text: A closure that returns them.
  init(_ description: String, bytes: Int = 5 << 20, behind place: String = "{", _ text: (Int) -> String) {
    (testDescription, self.place, self.text) = (description, place, text(bytes))
  }

  /// The size of a board.
  static let size = 32 << 20 - 4096

  /// An unknown member whose value is an array of an element again and again.
  static func array(of element: String) -> BoardFilling {
    BoardFilling("an array of \(element)", bytes: size) { bytes in
      "\"x\":[\(list(bytes / (element.utf8.count + 1)) { _ in element })],"
    }
  }

  static func list(_ count: Int, _ element: (Int) -> String) -> String {
    (0..<count).map(element).joined(separator: ",")
  }

  private static func members(_ bytes: Int) -> String {
    list(bytes / 12) { #""x\#(String($0 + 1_000_000).suffix(6))":1"# } + ","
  }

  /// Fillings of fewer values at a time than a board may have.
  static let readable = [
    BoardFilling("members in order", members),
    BoardFilling("members with long names and texts", bytes: 6 << 20) { bytes in
      list(bytes / 38) { #""x0000000\#($0 + 10_000_000)":"0123456789abcdef""# } + ","
    },
    BoardFilling("members in reverse") { bytes in
      list(bytes / 12) { #""x\#(String(9_000_000 - $0).suffix(6))":1"# } + ","
    },
    BoardFilling("members of a canvas", behind: "\"canvases\": [\n    {", members),
    BoardFilling("canvases with unknown members", bytes: 8 << 20, behind: "\"canvases\": [") { bytes in
      list(bytes / 200) { number in
        let region = #""region":{"x":0,"y":0,"width":1,"height":1,"z":[[1],[2]]}"#
        return #"{"id":"k\#(number)","isSelected":false,"status":"noPreview","cover":{"state":"none"},\#(region),"#
          + #""y":[[1],[2],[3],[4],[5],[6],[7]],"z":[{"":1},{"":2}]}"#
      } + ","
    },
    BoardFilling("transactions with unknown members", bytes: 7 << 20, behind: "\"history\": [") { bytes in
      list(bytes / 160) { number in
        #"{"at":0,"changes":[],"events":["tap"],"revision":\#(number + 1),"z":[[1],[2],[3],[4],[5],[6],[7],[8],[9]],"#
          + #""zz":[{"":1},{"":2},{"":3},{"":4},{"":5}]}"#
      }
    },
  ]

  /// Fillings of more values.
  static let refused = [array(of: "1"), array(of: "[]"), array(of: "[1]"), array(of: #"{"":1}"#)]
}

/// Boards whose text takes as much memory as possible when it is parsed, most of it for members that no version knows.
@Suite("Memory of large boards", .serialized)
struct BoardMemoryTests {
  /// Writing takes more memory than reading.
  private static let commands = LongForm.isWanted ? [["check"], ["tap", "c1"]] : [["tap", "c1"]]

  /// Writes a board of the maximum size: a filling, and a long text for the rest.
  private func write(_ filling: BoardFilling, to board: TestBoard) throws {
    let small = String(decoding: try board.bytes, as: UTF8.self).replacing(
      #""revision": 0"#,
      with: #""revision": 9999999"#
    )
    let parts = small.split(separator: filling.place, maxSplits: 1, omittingEmptySubsequences: false)
    try #require(parts.count == 2, "\(small)")
    let whole = parts[0] + filling.place + filling.text + parts[1]
    let rest = max(0, BoardFilling.size - whole.utf8.count)
    let padded = #"{"~":"\#(String(repeating: "x", count: rest))","# + whole.dropFirst()
    try ScratchFolder.write(padded.utf8, to: board.path)
  }

  private func peak(_ board: TestBoard, _ arguments: [String]) async throws -> (result: ProgramResult, bytes: Int) {
    // As another tool, because no schema describes such boards.
    let words = [ProjectFolder.program("clipcanvas").string] + board.arguments(arguments)
    let program = try RunningProgram(tool: "env", words, scratch: board.scratch)
    let result = try await program.end(within: .seconds(600))
    return (result, program.peakMemory)
  }

  @Test(
    "A board takes at most three and a half times its size in memory, whatever it contains",
    .enabled(if: Scope.isFull),
    arguments: LongForm.isWanted ? BoardFilling.readable : Array(BoardFilling.readable[3...4])
  )
  func readable(_ filling: BoardFilling) async throws {
    let board = try await TestBoard(canvases: 1)
    try write(filling, to: board)
    for command in Self.commands {
      // With a small board, the program and its libraries.
      let least = try await peak(try await TestBoard(canvases: 1), command).bytes
      let (result, peak) = try await peak(board, command)
      // With line breaks and indentation, some become too large.
      #expect([0, 3].contains(result.exitStatus), "\(result.errorOutput)")
      #expect(peak > least && 2 * (peak - least) < 7 * BoardFilling.size, "\(command[0]): \(peak >> 20) MiB")
    }
  }

  @Test(
    "A board with too many values is refused before it fills the memory",
    .enabled(if: Scope.isFull),
    arguments: LongForm.isWanted ? BoardFilling.refused : [BoardFilling.array(of: #"{"":1}"#)]
  )
  func refused(_ filling: BoardFilling) async throws {
    let board = try await TestBoard(canvases: 1)
    try write(filling, to: board)
    let before = try board.bytes
    for command in Self.commands {
      let (result, peak) = try await peak(board, command)
      #expect(result.exitStatus == 6 && result.errorOutput.contains("more than 500000 values at line"))
      #expect(peak > 0 && peak < 4 * BoardFilling.size, "\(command[0]): \(peak >> 20) MiB")
    }
    #expect(try board.bytes == before)
    let repaired = try await peak(board, ["repair"])
    #expect(repaired.result.exitStatus == 6, "\(repaired.result.text) \(repaired.result.errorOutput)")
  }
}
