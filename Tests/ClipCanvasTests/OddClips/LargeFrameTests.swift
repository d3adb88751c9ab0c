import SystemPackage
import TestSupport
import Testing

/// Frames so large that the decoder's other frames and a picture with 16 bits per channel do not fit into its memory.
@Suite("Covers of very large frames")
struct LargeFrameTests {
  private static let codings = [
    ["libx264", "-x264-params", "ref=4:bframes=3:b-pyramid=2"], ["libx265", "-x265-params", "ref=4:bframes=4"],
  ]

  @Test(
    "A large frame is converted although it was predicted from others",
    .enabled(if: Scope.isFull),
    arguments: Scope.mixed(
      codings,
      [["--at", "best"], ["--at", "50%", "--bit-depth", "16"], ["--at", "10%,90%", "--bit-depth", "16"]]
    )
  )
  func converted(_ coding: [String], _ options: [String]) async throws {
    let scratch = try ScratchFolder()
    let speed = ["-preset", "ultrafast", "-pix_fmt", "yuv422p10le", "-loglevel", "error"]
    try await TestClip.make(
      "a.mp4",
      inputs: ["testsrc2=s=8192x4320:r=25:d=0.28"],
      ["-c:v"] + coding + speed,
      in: scratch
    )
    let output = ["-o", options[1].contains(",") ? "./" : "c.png"]
    // While other checks run, such a cover can take longer than the default of half a minute.
    let words = ["cover", "--json", "--timeout", "10m"] + output + options + ["a.mp4"]
    let result = try await Program.run("clipcanvas", words, in: scratch.path)
    let records = try CoverRecord.all(in: result)
    #expect(records.count == (options[1].contains(",") ? 2 : 1), "\(result.errorOutput)")
    #expect(records.allSatisfy { $0.status == "cover" && $0.width == 8192 && $0.height == 4320 }, "\(records)")
  }
}
