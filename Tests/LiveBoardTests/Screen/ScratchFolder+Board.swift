import SystemPackage
import TestSupport
import Testing

extension ScratchFolder {
  /// Runs a board command, which must succeed, on the board in the folder.
  func clipcanvas(_ arguments: String...) async throws {
    let result = try await Program.run(
      "clipcanvas",
      ["board"] + arguments,
      in: path,
      environment: ["CLIPCANVAS_BOARD": ""]
    )
    #expect(result.exitStatus == 0, "\(arguments): \(result.errorOutput)")
  }

  /// Creates a board in the folder, and shows it.
  func newBoard(_ options: String..., columns: Int = 100, rows: Int = 30) async throws -> TmuxScreen {
    let result = try await Program.run("clipcanvas", ["board", "new"] + options, in: path)
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    return try await TmuxScreen(self, columns: columns, rows: rows)
  }

  /// Waits until a file exists in the folder.
  func wait(forFile name: String) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !names().contains(name) {
      guard ContinuousClock.now < deadline else { throw Errno.timedOut }
      try await pause(.milliseconds(10))
    }
  }
}
