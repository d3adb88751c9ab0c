import CoverDecoding
import Covers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Checks that speed optimisations do not change covers.
@Suite("Savings for small covers")
struct SavingsTests {
  private func cover(
    of clip: FilePath,
    _ request: CoverRequest = CoverRequest()
  ) throws -> [UInt8] {
    let scratch = try ScratchFolder()
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      let output = try scratch.create("cover.png")
      defer { try? output.close() }
      _ = try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output.rawValue)
      return try ScratchFolder.read(scratch("cover.png"))
    }
  }

  // The first clip has 96x80 pixels and is displayed as 87x80, so the covers are 27 and 28 pixels high. The second one
  // has 120x120 pixels and is displayed as 160x120, so the covers are 31 and 32 pixels high.
  @Test(
    "The loop filter is used for a cover with more than a third of the clip's shorter or longer side",
    arguments: [
      ("anamorphic-fraction.mp4", 29), ("anamorphic-fraction.mp4", 30), ("anamorphic.mp4", 41), ("anamorphic.mp4", 42),
    ]
  )
  func justAboveAThird(_ fixture: String, _ width: Int) throws {
    let clip = ProjectFolder.fixture(fixture)
    var request = CoverRequest(size: try #require(SizeLimit("\(width)x\(width)")))
    let quick = try cover(of: clip, request)
    request.isExact = true
    #expect(try cover(of: clip, request) == quick)
  }

  // Pictures of high detail, compressed lightly and strongly, at the smallest sizes that save work.
  @Test(
    "A small cover has at least 38 dB compared with the exact one",
    .enabled(if: Scope.isFull),
    arguments: ["h264", "hevc", "vp8", "vp9", "theora", "mpeg2video", "mpeg4", "mjpeg", "wmv1"],
    [
      "testsrc2=s=960x720,noise=alls=40:allf=t", "mandelbrot=s=960x720",
      "cellauto=s=240x180:rule=110,scale=960:720:flags=neighbor",
    ]
  )
  func bounded(_ codec: String, _ source: String) async throws {
    let scratch = try ScratchFolder()
    for options in GeneratedClips.qualities(of: codec) {
      let clip = scratch("clip.mkv")
      try await GeneratedClips.make(clip, ["-y", "-f", "lavfi", "-i", source, "-frames:v", "3"] + options)
      let sizes = LongForm.isWanted ? ["320", "192", "160", "137", "68", "60"] : ["320", "137", "60"]
      for size in sizes {
        let limit = try #require(SizeLimit(size))
        var exact = CoverRequest(size: limit)
        exact.isExact = true
        let covers = (
          try scratch.write(cover(of: clip, CoverRequest(size: limit)), as: "a"),
          try scratch.write(cover(of: clip, exact), as: "b")
        )
        let pixels = try await (
          Oracle.pixels(ofPNG: covers.0, hasAlpha: false), Oracle.pixels(ofPNG: covers.1, hasAlpha: false)
        )
        let difference = try #require(PixelDifference(pixels.0, pixels.1))
        #expect(difference.decibels >= 38, "\(difference), \(size) pixels, \(options)")
      }
    }
  }

  @Test("The loop filter is left out", .enabled(if: Scope.isFull), arguments: ["h264", "hevc", "vp8"])
  func unfiltered(_ codec: String) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "mandelbrot=s=960x720", "-frames:v", "2"]
    try await GeneratedClips.make(scratch("clip.mkv"), source + (GeneratedClips.qualities(of: codec).last ?? []))
    var request = CoverRequest(size: try #require(SizeLimit("137")))
    let quick = try cover(of: scratch("clip.mkv"), request)
    request.isExact = true
    #expect(try cover(of: scratch("clip.mkv"), request) != quick)
  }

  @Test(
    "The facts of a cover are those of the whole frame, although the decoder halves it",
    .enabled(if: Scope.isFull),
    arguments: ["mpeg2video", "mjpeg", "wmv1"]
  )
  func halvedFacts(_ codec: String) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=960x720", "-frames:v", "2", "-vf", "setsar=4/3", "-aspect", "16:9"]
    try await GeneratedClips.make(scratch("clip.mkv"), source + ["-c:v", codec])
    let file = try FileDescriptor.open(scratch("clip.mkv"), .readOnly, options: .closeOnExec)
    try file.closeAfter {
      let output = try scratch.create("cover.png")
      defer { try? output.close() }
      let request = CoverRequest(size: try #require(SizeLimit("64")))
      let facts = try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output.rawValue)
      #expect(facts.storedWidth == 960 && facts.storedHeight == 720)
      #expect(facts.width == 64 && facts.height == 36)
    }
  }

  // Halving an interlaced picture would mix its fields.
  @Test("An interlaced picture is not halved", arguments: ["mpeg2video", "mpeg4"])
  func interlaced(_ codec: String) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=960x720:r=50,interlace", "-frames:v", "2", "-flags", "+ilme+ildct"]
    try await GeneratedClips.make(scratch("clip.mkv"), source + ["-c:v", codec])
    let small = CoverRequest(size: try #require(SizeLimit("64")))
    var exact = small
    exact.isExact = true
    #expect(try cover(of: scratch("clip.mkv"), small) == cover(of: scratch("clip.mkv"), exact))
  }

  // libx264 marks the start of each intra refresh as a key frame, and the container stores that flag.
  @Test("A frame marked as a key frame only by the container is not decoded alone", .enabled(if: Scope.isFull))
  func keyFrameByName() async throws {
    let scratch = try ScratchFolder()
    let whole = scratch("whole.mkv")
    try await GeneratedClips.make(
      whole,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        + ["-x264-params", "intra-refresh=1:keyint=10:bframes=0"]
    )
    let flags = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", whole.string]
    )
    let packets = flags.text.split(separator: "\n").map { $0.hasPrefix("K") }
    let second = try #require(packets.indices.dropFirst().first { packets[$0] })
    let cut = scratch("cut.mkv")
    try await GeneratedClips.make(
      cut,
      ["-i", whole.string, "-c", "copy", "-bsf:v", "noise=drop=lt(n\\,\(second))"]
    )
    var patient = CoverRequest()
    // A frame at a time is found by decoding all frames up to the next one, without shortcuts.
    patient.time = .seconds(0)
    #expect(try cover(of: cut) == cover(of: cut, patient))
  }
}
