import TestSupport

extension ScratchFolder {
  /// Runs `clipcanvas remux` in the folder.
  func remux(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["remux"] + arguments, in: path, environment: environment)
  }
}
