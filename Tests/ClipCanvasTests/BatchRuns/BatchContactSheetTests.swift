import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas batch --sheet and --animate")
struct BatchContactSheetTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try FilePath.makeFolder(scratch("c/d"))
    for (clip, name) in [
      ("h264.mp4", "c/a.mp4"), ("vp9.webm", "c/d/b.webm"), ("sound-only.m4a", "c/s.mp4"), ("size-change.ts", "c/x.ts"),
    ] {
      try scratch.copy(ProjectFolder.fixture(clip), as: name)
    }
  }

  private func batch(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["batch"] + arguments + ["c"], in: scratch.path)
  }

  private func summary(_ result: ProgramResult) -> String {
    result.text.split(separator: "\n").last.map(String.init) ?? ""
  }

  @Test("Each clip with a cover gets its contact sheet, and a second run keeps both", .enabled(if: Scope.isFull))
  func both() async throws {
    let first = try await batch(["--sheet", "-o", "out"])
    #expect(first.exitStatus == 1)
    #expect(
      summary(first).hasPrefix(
        "4 clips: 3 covers made, 0 fresh, 0 incomplete, 1 failed; "
          + "3 contact sheets made (1 degraded), 0 fresh, 0 incomplete, 0 failed; "
      ),
      "\(first.text)"
    )
    #expect(try ScratchFolder.names(in: scratch("out/c")).contains("a.mp4.sheet.png"))
    #expect(try ScratchFolder.names(in: scratch("out/c/d")) == ["b.webm.png", "b.webm.sheet.png"])
    let second = try await batch(["--sheet", "-o", "out"])
    #expect(summary(second).contains("0 contact sheets made, 3 fresh (1 degraded), 0 incomplete, 0 failed; "))
    let alone = try await Program.run("clipcanvas", ["sheet", "-o", "out/c/", "c/a.mp4"], in: scratch.path)
    #expect(alone.text.hasSuffix("  fresh\n"), "it is the sheet that 'clipcanvas sheet' makes")
  }

  @Test(
    "With --no-cover, there are only the sheets, and a clip without one is reported once for each kind",
    .enabled(if: Scope.isFull)
  )
  func withoutCovers() async throws {
    let result = try await batch(["--sheet", "--storyboard", "--no-cover", "-j1"])
    #expect(result.exitStatus == 1)
    #expect(
      summary(result).hasPrefix(
        "4 clips: 3 storyboards made, 0 fresh, 0 incomplete, 1 failed; "
          + "3 contact sheets made (1 degraded), 0 fresh, 0 incomplete, 1 failed; "
      ),
      "\(result.text)"
    )
    #expect(
      try ScratchFolder.names(in: scratch("c")) == [
        "a.mp4", "a.mp4.sheet.png", "a.mp4.storyboard", "d", "s.mp4", "x.ts", "x.ts.sheet.png", "x.ts.storyboard",
      ]
    )
  }

  @Test("With --animate, each clip with a cover gets its animation, and a second run keeps it")
  func animations() async throws {
    let first = try await batch(["--animate", "-o", "out"])
    #expect(first.exitStatus == 1)
    #expect(
      summary(first).contains("; 3 animations made (1 degraded), 0 fresh, 0 incomplete, 0 failed; "),
      "\(first.text)"
    )
    #expect(try ScratchFolder.names(in: scratch("out/c/d")) == ["b.webm.png", "b.webm.preview.webp"])
    let second = try await batch(["--animate", "-o", "out"])
    #expect(summary(second).contains("; 0 animations made, 3 fresh (1 degraded), 0 incomplete, 0 failed; "))
    let alone = try await Program.run("clipcanvas", ["animate", "-o", "out/c/", "c/a.mp4"], in: scratch.path)
    #expect(alone.text.hasSuffix("  fresh\n"), "it is the animation that 'clipcanvas animate' makes")
  }

  @Test("The thumbnail cache has neither", arguments: ["--sheet", "--animate"])
  func usage(_ flag: String) async throws {
    let result = try await batch([flag, "--freedesktop"])
    #expect(result.exitStatus == 64 && result.errorOutput.contains("'--freedesktop' cannot be combined with '\(flag)'"))
  }
}
