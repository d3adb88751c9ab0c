import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Clips with large frames, and many clips, within the limits of the processes.
@Suite("Memory and descriptors of exports", .ownThread)
struct ExportLimitTests {
  private static let usualLimit = 2 << 30
  /// Half of it is the most that a composer may have.
  private static let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))

  private static let options = ["board", "export", "-o", "out.mp4", "--size", "640x360", "--force"]

  /// Makes a clip in 4K that makes a decoder keep 16 frames; together, they take 200 MB.
  private func bringLarge(to board: ExportBoard, canvases: Int) async throws {
    try await board.bring(
      "4k.mp4",
      to: "c1",
      video: "color=orange:size=3840x2160:rate=30:duration=0.7",
      options: ["-x264-params", "ref=16:bframes=0"]
    )
    for number in 2...max(canvases, 2) where number <= canvases {
      try await board.done(["clip", "import", "--no-cover", "c\(number)", "4k.mp4"])
    }
  }

  /// Returns the limit on the address space of the composer while it encodes, and lets it continue.
  private func limit(_ board: ExportBoard) async throws -> (limit: Int?, result: ProgramResult) {
    var text = ""
    let result = try await PausedComposer.run(
      Self.options,
      atCall: 2,
      of: "avcodec_send_frame",
      in: board.scratch.path
    ) { composer in
      text = String(decoding: try ScratchFolder.read(FilePath("/proc/\(composer)/limits")), as: UTF8.self)
    }
    // Max address space     SOFT     HARD     bytes
    let line = text.split(separator: "\n").first { $0.hasPrefix("Max address space") }
    let words = line?.split(separator: " ") ?? []
    #expect(words.count == 6 && words[3] == words[4], "\(text)")
    return (words.count > 4 ? Int(words[4]) : nil, result)
  }

  @Test("A clip in 8K plays next to a small one, in the memory that any composer may have", .enabled(if: Scope.isFull))
  func eightK() async throws {
    let board = try await ExportBoard("--grid", "2x1")
    let small = "testsrc2=size=1280x720:rate=30:duration=0.1"
    try await board.bring("8k.mp4", to: "c1", video: small + ",scale=7680:4320:flags=neighbor")
    try await board.bring("small.mp4", to: "c2", video: "testsrc2=size=320x360:rate=30:duration=0.2")
    let (limit, result) = try await limit(board)
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    #expect(try #require(limit) <= max(Self.usualLimit, Self.memory / 2))
    let frames = try await board.frames(of: "out.mp4", width: 640, height: 360)
    #expect(frames.count == 6)
    // It is shown whole, on the blurred background of its cover: 316 pixels wide.
    let filter = "scale=316:178:flags=bicubic"
    let expected = try await board.frames(of: "8k.mp4", width: 316, height: 178, filter: filter)
    #expect(expected.count == 3)
    for (frame, expected) in zip(frames, expected) {
      let quality = frame.part(x: 2, y: 90, width: 316, height: 178).quality(comparedWith: expected)
      #expect(quality >= 30, "\(quality) dB")
    }
  }

  @Test(
    "Nine clips in 4K get the memory that they need, and a small board no more than usual",
    .enabled(if: Scope.isFull),
    .enabled(if: memory >= 8 << 30, "the machine has little memory")
  )
  func nineClips() async throws {
    let board = try await ExportBoard("--grid", "3x3")
    try await bringLarge(to: board, canvases: 9)
    let (limit, result) = try await limit(board)
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    #expect((Self.usualLimit + 1...Self.memory / 2).contains(try #require(limit)))
    let inSequence = try await Program.run(
      "clipcanvas",
      Self.options + ["--order", "sequence", "--fps", "5", "--quality", "1"],
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": ""]
    )
    #expect(inSequence.exitStatus == 0, "\(inSequence.errorOutput)")
    let other = try await ExportBoard("--grid", "2x1")
    try await other.bring("a.mp4", to: "c1", video: "testsrc2=size=320x180:rate=30:duration=0.2")
    #expect(try await self.limit(other).limit == Self.usualLimit)
  }

  @Test("A clip that needs too much memory is not reported as damaged, and the way out is named")
  func shortMemory() async throws {
    let board = try await ExportBoard("--grid", "2x1")
    try await bringLarge(to: board, canvases: 2)
    let script = """
      #!/bin/sh
      ulimit -v 700000
      exec '\(ProjectFolder.program("clipcanvas-composer").string)' "$@"
      """
    let composer = try board.scratch.write(script.utf8, as: "composer")
    #expect(composer.withPlatformString { chmod($0, 0o755) } == 0)
    let result = try await Program.run(
      "clipcanvas",
      Self.options,
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": "", "CLIPCANVAS_COMPOSER": composer.string]
    )
    #expect(result.exitStatus == 1)
    let lines = result.errorOutput.split(separator: "\n")
    let message = "the clips that play at once take too much memory; export the clips one after another with --order"
    #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(message) }, "\(result.errorOutput)")
  }

  @Test("Sixteen clips need 37 descriptors, and fewer are refused with the way out", .enabled(if: Scope.isFull))
  func descriptors() async throws {
    let board = try await ExportBoard("--grid", "4x4")
    try await board.bring("a.mp4", to: "c1", video: "testsrc2=size=160x90:rate=30:duration=0.1")
    for number in 2...16 { try await board.done(["clip", "import", "--no-cover", "c\(number)", "a.mp4"]) }
    let before = try board.scratch.names()
    let program = ProjectFolder.program("clipcanvas").string
    // The soft limit alone is raised.
    for (limit, number, isEnough) in [("-n", 20, false), ("-n", 30, false), ("-n", 40, true), ("-Sn", 20, true)] {
      let command = "ulimit \(limit) \(number); CLIPCANVAS_BOARD= exec '\(program)' \"$@\""
      let words = ["-c", command, "clipcanvas"] + Self.options
      let result = try await Program.runTool("bash", words, in: board.scratch.path)
      #expect(result.exitStatus == (isEnough ? 0 : 2), "\(result.errorOutput)")
      let message = "16 clips need 37 file descriptors, but the limit is \(number); use fewer clips, or raise"
      #expect(isEnough ? result.errorOutput.isEmpty : result.errorOutput.contains(message), "\(result.errorOutput)")
      #expect(try board.scratch.names().contains("out.mp4") == isEnough)
      try ScratchFolder.remove(board.scratch("out.mp4"))
      #expect(try board.scratch.names() == before)
    }
  }
}
