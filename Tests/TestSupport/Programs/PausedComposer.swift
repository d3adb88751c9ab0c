internal import Glibc
package import SystemPackage

/// Runs of `clipcanvas` whose composer is stopped in the middle of its work.
package enum PausedComposer {
  /// Runs `clipcanvas`, and does something while the composer is stopped at the n-th call of a function.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - number: The number of the call, from 1.
  ///   - function: The function, which has two parameters.
  ///   - folder: The working folder.
  ///   - meanwhile: Called with the process ID of the stopped composer, which then continues.
  package static func run(
    _ arguments: [String],
    atCall number: Int,
    of function: String,
    in folder: FilePath,
    meanwhile: (_ composer: Int32) async throws -> Void
  ) async throws -> ProgramResult {
    let tools = try ScratchFolder()
    let composer = try await PreloadedProgram.stopping(
      "clipcanvas-composer",
      atCall: number,
      of: function,
      in: tools
    )
    let program = try RunningProgram(
      "clipcanvas",
      arguments,
      scratch: tools,
      in: folder,
      environment: ["CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string]
    )
    let child = try await program.stoppedChild()
    try await meanwhile(child)
    guard kill(child, SIGCONT) == 0 else { throw Errno(rawValue: errno) }
    return try await program.end()
  }
}

/// A change to the file of a clip while it is read.
package enum InPlaceChange: String, CaseIterable, Sendable {
  case overwritten, cut, emptied, longer

  /// Changes a file.
  ///
  /// - Parameter other: The content of another clip of the same size.
  package func apply(to clip: FilePath, with other: [UInt8]) throws {
    let content = try ScratchFolder.read(clip)
    let changed: [UInt8] =
      switch self {
      case .overwritten: other
      case .cut: Array(content.prefix(content.count / 2))
      case .emptied: []
      case .longer: content + other
      }
    try ScratchFolder.write(changed, to: clip)
  }
}
