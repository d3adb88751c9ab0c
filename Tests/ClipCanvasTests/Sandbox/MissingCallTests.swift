import SystemPackage
import TestSupport
import Testing

/// Systems that refuse calls which the usual ones have, with strace in their place.
@Suite("Systems that lack calls")
struct MissingCallTests {
  @Test(
    "A cover is the same where files cannot be synced and files in memory are refused",
    arguments: ["ENOSYS", "EPERM"]
  )
  func cover(refusal: String) async throws {
    let scratch = try ScratchFolder()
    let arguments = [
      ProjectFolder.program("clipcanvas").string, "cover", ProjectFolder.fixture("h264.mp4").string, "-o",
    ]
    let faults = ["inject=memfd_create:error=\(refusal)", "inject=fsync,fdatasync:error=EINVAL"]
    let usual = try await Program.runTool("env", arguments + [scratch("usual.png").string])
    let result = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-o", scratch("log").string] + faults.flatMap { ["-e", $0] } + arguments + [scratch("a.png").string]
    )
    #expect(usual.exitStatus == 0 && result.exitStatus == 0, "\(usual.errorOutput)\(result.errorOutput)")
    #expect(try ScratchFolder.read(scratch("a.png")) == ScratchFolder.read(scratch("usual.png")))
    let calls = String(decoding: try ScratchFolder.read(scratch("log")), as: UTF8.self)
    #expect(calls.contains("memfd_create(") && calls.contains("(INJECTED)"), "nothing was refused")
  }

  @Test("A board can be changed where files cannot be synced, but not where syncing fails")
  func board() async throws {
    let board = try await TestBoard()
    let (result, calls) = try await board.trace(["tap", "c1"], ["-e", "inject=fsync:error=EINVAL"])
    #expect(result.exitStatus == 0 && calls.contains { $0.hasPrefix("fsync") && $0.contains("INJECTED") })
    #expect(try board.record.revision == 1)
    #expect(try await board.trace(["tap", "c2"], ["-e", "inject=fsync:error=EIO"]).result.exitStatus == 2)
  }
}
