import Glibc
import SystemPackage
import TestSupport

/// Who a decoder is started by in a test.
enum DecoderUser: String, CaseIterable, Sendable {
  /// Whoever runs the tests.
  case oneself
  /// Somebody without privileges, when root runs the tests.
  case ordinary

  /// Those that there can be here: an ordinary user must also find the libraries that the program is linked to.
  static func possible() async throws -> [DecoderUser] {
    guard geteuid() == 0 else { return [.oneself] }
    let scratch = try ScratchFolder()
    let trial = try await Program.runTool("env", try await DecoderUser.ordinary.command(in: scratch) + ["--nonsense"])
    return trial.exitStatus == 64 ? allCases : [.oneself]
  }

  /// Whether the system gives it no privileges.
  var isOrdinary: Bool { self == .ordinary || geteuid() != 0 }

  /// The decoder's command line; for an ordinary user that of a copy, as the build folder may be closed to others.
  ///
  /// - Parameter scratch: A folder that is opened to everybody.
  func command(in scratch: ScratchFolder) async throws -> [String] {
    let program = ProjectFolder.program("clipcanvas-decoder")
    guard self == .ordinary else { return [program.string] }
    try FilePath.makeFolder(scratch("program"))
    let copy = try await scratch.install(program, as: "program/clipcanvas-decoder")
    guard chmod(scratch.path.string, 0o777) == 0 else { throw Errno(rawValue: errno) }
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy.string]
  }
}
