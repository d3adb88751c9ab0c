import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Clips that are replaced or changed while the composer, stopped in the middle of the copy, has read a part of them.
@Suite("clipcanvas remux with clips that change meanwhile", .ownThread)
struct RemuxChangeTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Makes two clips without compression, so that any change goes unnoticed by a decoder.
  private func makeClips() async throws {
    for (name, colour) in [("a.avi", "red"), ("b.avi", "green")] {
      let codec = ["-c:v", "rawvideo", "-pix_fmt", "yuv420p"]
      try await TestClip.make(name, inputs: ["color=\(colour):s=160x90:r=30:d=2"], codec, in: scratch)
    }
  }

  /// Joins the clips, and makes a change while the second one is half copied.
  private func join(change: () throws -> Void) async throws -> ProgramResult {
    try await PausedComposer.run(
      ["remux", "a.avi", "b.avi", "-o", "out.mkv", "--force"],
      atCall: 90,
      of: "av_interleaved_write_frame",
      in: scratch.path
    ) { _ in try change() }
  }

  @Test(
    "A clip that is changed is named, and the old file stays",
    .enabled(if: Scope.isFull),
    arguments: InPlaceChange.allCases
  )
  func inPlace(_ change: InPlaceChange) async throws {
    try await makeClips()
    let clip = scratch("b.avi")
    let (red, green) = (try ScratchFolder.read(scratch("a.avi")), try ScratchFolder.read(clip))
    try #require(red.count == green.count)
    try scratch.write(Array("old".utf8), as: "out.mkv")
    let result = try await join { try change.apply(to: clip, with: red) }
    #expect(result.exitStatus == 1)
    let message = "the file was changed while it was read; try again once nothing writes to it"
    #expect(result.errorOutput == "b.avi: \(message)\n")
    #expect(try ScratchFolder.read(scratch("out.mkv")) == Array("old".utf8))
    #expect(try scratch.names() == ["a.avi", "b.avi", "out.mkv"])
  }

  @Test(
    "A clip that is replaced or removed is copied as it was at the beginning",
    .enabled(if: Scope.isFull),
    arguments: [true, false]
  )
  func replaced(_ isReplaced: Bool) async throws {
    try await makeClips()
    #expect(try await scratch.remux(["a.avi", "b.avi", "-o", "expected.mkv"]).exitStatus == 0)
    let result = try await join {
      try ScratchFolder.remove(scratch("b.avi"))
      if isReplaced { try scratch.copy(scratch("a.avi"), as: "b.avi") }
    }
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    #expect(try ScratchFolder.read(scratch("out.mkv")) == ScratchFolder.read(scratch("expected.mkv")))
  }
}
