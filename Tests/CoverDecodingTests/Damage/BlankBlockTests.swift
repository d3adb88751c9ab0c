import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Frames with zeros in all planes of a part, because it was never decoded, or because that is its colour.
@Suite("Blocks that were never decoded")
struct BlankBlockTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func cover(_ clip: FilePath) throws -> CoverFacts {
    try CoverExtractor.makeCover(of: clip, in: scratch)
  }

  /// Makes a clip whose first frame is zeros from the middle down, as a decoder leaves what it does not reach.
  private func makeHalfBlank(_ container: String, _ encoder: [String]) async throws -> FilePath {
    let planes = [("lum", "Y\\,120"), ("cb", "Y\\,60"), ("cr", "Y\\,60")].map { plane, below in
      "\(plane)='if(eq(N\\,0)*gte(\(below))\\,0\\,\(plane)(X\\,Y))'"
    }
    return try await make(container, "geq=\(planes.joined(separator: ":"))", encoder)
  }

  private func make(_ container: String, _ filter: String, _ encoder: [String]) async throws -> FilePath {
    let clip = scratch("clip.\(container)")
    let source = "testsrc2=s=320x240:r=25,format=yuv420p,\(filter)"
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", source, "-frames:v", "8", "-g", "4", "-c:v"] + encoder)
    return clip
  }

  private static let lossy = [
    ("mp4", ["libx264", "-qp", "18"]), ("mkv", ["libx265", "-x265-params", "log-level=error"]),
    ("webm", ["libvpx", "-b:v", "2M"]), ("webm", ["libvpx-vp9", "-b:v", "2M"]), ("mpg", ["mpeg2video", "-q:v", "2"]),
    ("mp4", ["mpeg4", "-q:v", "2"]), ("avi", ["mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"]),
    ("ogv", ["libtheora", "-q:v", "9"]), ("mkv", ["libx264", "-qp", "10", "-pix_fmt", "yuv422p10le"]),
  ]

  @Test(
    "A frame of a lossy codec with blocks that were never decoded is damaged",
    .enabled(if: Scope.isFull),
    arguments: lossy
  )
  func blankBlocks(_ container: String, _ encoder: [String]) async throws {
    let facts = try cover(try await makeHalfBlank(container, encoder))
    #expect(facts.degradation == nil && facts.actualTime ?? 0 > 0)
  }

  /// Chromium's fake camera delivers such frames.
  @Test("A frame without any chroma is intact if it has luma", .enabled(if: Scope.isFull), arguments: lossy)
  func noChroma(_ container: String, _ encoder: [String]) async throws {
    let filter = "geq=lum='if(gt(X+Y\\,200)\\,0\\,lum(X\\,Y))':cb=0:cr=0"
    let facts = try cover(try await make(container, filter, encoder))
    #expect(facts.degradation == nil && facts.actualTime == 0)
  }

  @Test(
    "Any values are intact in a lossless codec",
    arguments: [("mkv", ["ffv1"]), ("avi", ["utvideo"]), ("mp4", ["libx264rgb", "-qp", "0"])]
  )
  func anyValues(_ container: String, _ encoder: [String]) async throws {
    let facts = try cover(try await makeHalfBlank(container, encoder))
    #expect(facts.degradation == nil && facts.actualTime == 0)
  }

  @Test(
    "No colour of RGB counts as damage",
    .enabled(if: Scope.isFull),
    arguments: ["black", "lime", "green", "0x008700", "0x000100"]
  )
  func colours(_ colour: String) async throws {
    let clip = scratch("flat.mp4")
    let source = ["-y", "-f", "lavfi", "-i", "color=\(colour):s=160x120:r=25", "-frames:v", "2", "-c:v"]
    for encoder in [["mpeg4", "-q:v", "2"], ["mjpeg", "-pix_fmt", "yuvj420p"]] {
      try await GeneratedClips.make(clip, source + encoder)
      #expect(try cover(clip).degradation == nil)
    }
  }

  /// Removes all slices of the first picture from a certain one on, in a raw HEVC stream.
  private func removeSlices(from first: Int, of stream: [UInt8]) -> [UInt8] {
    let starts = stream.indices.dropLast(5).filter { stream[$0...].starts(with: [0, 0, 1]) }
    var (kept, pictures, slices) = (Array(stream[..<starts[0]]), 0, 0)
    for (start, end) in zip(starts, starts.dropFirst() + [stream.count]) {
      let isSlice = stream[start + 3] >> 1 & 0x3f < 32
      if isSlice && stream[start + 5] & 0x80 != 0 { (pictures, slices) = (pictures + 1, 0) }
      if !isSlice || pictures != 1 || slices < first { kept += stream[start..<end] }
      if isSlice { slices += 1 }
    }
    return kept
  }

  /// The decoder reports nothing if slices are missing, also where the frame is cropped.
  @Test(
    "A frame without its last slices is not shown",
    .enabled(if: Scope.isFull),
    arguments: [["-pix_fmt", "yuv420p"], ["-pix_fmt", "yuv420p10le"], ["-pix_fmt", "yuv422p"]],
    ["", "crop_left=6:crop_top=10:crop_right=2:crop_bottom=2"]
  )
  func missingSlices(_ format: [String], _ crop: String) async throws {
    let whole = scratch("whole.hevc")
    try await GeneratedClips.make(
      whole,
      ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=25:d=0.4"] + format
        + ["-c:v", "libx265", "-x265-params", "slices=4:keyint=4:log-level=none"]
        + (crop.isEmpty ? [] : ["-bsf:v", "hevc_metadata=\(crop)"])
    )
    let bytes = try ScratchFolder.read(whole)
    #expect(try cover(whole).actualTime == 0)
    for first in 1...3 {
      let clip = try scratch.write(removeSlices(from: first, of: bytes), as: "cut.hevc")
      let facts = try cover(clip)
      #expect(facts.degradation == nil && facts.actualTime ?? 0 > 0.1, "from slice \(first): \(facts)")
    }
  }
}
