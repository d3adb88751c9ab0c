import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Which of several video streams a cover shows.
@Suite("Choice of the video stream")
struct VideoStreamTests {
  /// Makes two clips of one colour each, and returns their paths: red, then blue.
  private func colours(in scratch: ScratchFolder) async throws -> (FilePath, FilePath) {
    for colour in ["red", "blue"] {
      try await GeneratedClips.make(
        scratch("\(colour).mp4"),
        ["-f", "lavfi", "-i", "color=\(colour):s=64x48:r=25:d=1", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-g", "5"]
      )
    }
    return (scratch("red.mp4"), scratch("blue.mp4"))
  }

  /// Copies the clips of both colours into one, and returns its path.
  private func joined(
    as container: String,
    _ options: [String] = [],
    in scratch: ScratchFolder
  ) async throws -> FilePath {
    let (red, blue) = try await colours(in: scratch)
    let clip = scratch("clip.\(container)")
    try await GeneratedClips.make(
      clip,
      ["-i", red.string, "-i", blue.string, "-map", "0:v", "-map", "1:v", "-c", "copy"] + options
    )
    return clip
  }

  private func isBlue(_ clip: FilePath, _ request: CoverRequest, in scratch: ScratchFolder) async throws -> Bool {
    _ = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let pixels = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    return pixels.bytes[2] > 200 && pixels.bytes[0] < 50
  }

  @Test(
    "A stream that is announced but has no packets does not hide the other one",
    .enabled(if: Scope.isFull),
    arguments: ["mkv", "ts", "avi", "nut"],
    ["first", "0.5", "50%", "key:50%", "best"]
  )
  func empty(_ container: String, _ time: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await joined(as: container, ["-bsf:v:0", "noise=amount=0:drop=1"], in: scratch)
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    #expect(try await isBlue(clip, request, in: scratch))
  }

  @Test(
    "Of two streams with packets, the first is shown",
    .enabled(if: Scope.isFull),
    arguments: ["mkv", "ts", "avi", "mp4", "mov"]
  )
  func first(_ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await joined(as: container, in: scratch)
    #expect(try await !isBlue(clip, CoverRequest(), in: scratch))
  }

  @Test("A disabled track is not shown if another one is enabled", arguments: ["mp4", "mov"])
  func disabled(_ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await joined(as: container, ["-disposition:v:1", "default"], in: scratch)
    var boxes = MovieBox.parse(try ScratchFolder.read(clip)[...])
    boxes["moov"]["trak"]["tkhd"].fields[3] &= 0xfe
    try ScratchFolder.write(boxes.bytes, to: clip)
    #expect(try await isBlue(clip, CoverRequest(), in: scratch))
    var request = CoverRequest()
    request.stream = 0
    #expect(try await !isBlue(clip, request, in: scratch))
  }

  @Test("The only track is shown although it is disabled")
  func onlyDisabled() async throws {
    let scratch = try ScratchFolder()
    let (_, blue) = try await colours(in: scratch)
    var boxes = MovieBox.parse(try ScratchFolder.read(blue)[...])
    boxes["moov"]["trak"]["tkhd"].fields[3] &= 0xfe
    try ScratchFolder.write(boxes.bytes, to: scratch("clip.mp4"))
    #expect(try await isBlue(scratch("clip.mp4"), CoverRequest(), in: scratch))
  }
}
