import Glibc
import SystemPackage
import TestSupport

/// The user that a test starts a decoder as.
enum DecoderUser: String, CaseIterable, Sendable {
  /// The user who runs the tests.
  case oneself
  /// A user without privileges, if root runs the tests.
  case ordinary

  /// Returns the users available on this machine; an ordinary user must be able to read the libraries of the program.
  static func possible() async throws -> [DecoderUser] {
    guard geteuid() == 0 else { return [.oneself] }
    let scratch = try ScratchFolder()
    let trial = try await Program.runTool("env", try await DecoderUser.ordinary.command(in: scratch) + ["--nonsense"])
    return trial.exitStatus == 64 ? allCases : [.oneself]
  }

  /// Whether the user has no privileges.
  var isOrdinary: Bool { self == .ordinary || geteuid() != 0 }

  /// Returns the decoder's command line, which runs a copy for an ordinary user, who may not access the build folder.
  ///
  /// - Parameter scratch: A folder that is made accessible to all users.
  func command(in scratch: ScratchFolder) async throws -> [String] {
    let program = ProjectFolder.program("clipcanvas-decoder")
    guard self == .ordinary else { return [program.string] }
    try FilePath.makeFolder(scratch("program"))
    let copy = try await scratch.install(program, as: "program/clipcanvas-decoder")
    guard chmod(scratch.path.string, 0o777) == 0 else { throw Errno(rawValue: errno) }
    return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy.string]
  }
}
