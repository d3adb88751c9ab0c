import SystemPackage
import TestSupport
import Testing

/// The short form of `make damage-sweep`.
@Suite("Covers of clips damaged at random")
struct DamageSweepTests {
  @Test("No cover is visibly broken and reported as intact where ffmpeg reports the damage", .enabled(if: Scope.isFull))
  func short() async throws {
    let script = ProjectFolder.top.appending("Tests").appending("DamageSweep").appending("damage_sweep.py")
    let program = ProjectFolder.program("clipcanvas")
    let result = try await Program.runTool("python3", [script.string, "--short", "--program", program.string])
    #expect(result.exitStatus == 0, "\(result.text)\(result.errorOutput)")
    #expect(result.text.contains("undetected"))
  }
}
