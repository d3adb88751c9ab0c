import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Cuts whole clips at many places, as a recording or a copy that is still running leaves them.
@Suite("Clips that are still being written")
struct IncompleteClipTests {
  /// A clip that ffmpeg writes.
  struct Clip: CustomTestStringConvertible {
    let name: String
    var codec: [String]
    var hasAudio = false

    var testDescription: String { "\(name) \(codec.joined(separator: " "))" }
  }

  private static let x264 = ["-c:v", "libx264", "-pix_fmt", "yuv420p"]
  private static let start = ["-movflags", "faststart"]

  static let clips = [
    Clip(name: "a.mp4", codec: x264 + start, hasAudio: true), Clip(name: "a.mp4", codec: x264, hasAudio: true),
    Clip(name: "a.mp4", codec: x264 + ["-movflags", "frag_keyframe+empty_moov"], hasAudio: true),
    Clip(name: "a.mov", codec: ["-c:v", "mpeg4"] + start), Clip(name: "b.mov", codec: ["-c:v", "mjpeg"] + start),
    Clip(name: "c.mov", codec: ["-c:v", "png"] + start), Clip(name: "b.mp4", codec: ["-c:v", "libvpx-vp9"] + start),
    Clip(name: "a.3gp", codec: x264 + start), Clip(name: "a.flv", codec: x264, hasAudio: true),
    Clip(name: "b.flv", codec: ["-c:v", "flv1"]), Clip(name: "a.mkv", codec: x264, hasAudio: true),
    Clip(name: "b.mkv", codec: ["-c:v", "ffv1"]), Clip(name: "a.webm", codec: ["-c:v", "libvpx"]),
    Clip(name: "a.avi", codec: ["-c:v", "mpeg4"]), Clip(name: "b.avi", codec: ["-c:v", "mjpeg"]),
  ]

  /// Clips of containers whose end is not examined.
  static let others = [
    Clip(name: "a.ts", codec: x264, hasAudio: true), Clip(name: "b.ts", codec: ["-c:v", "mpeg2video"], hasAudio: true),
    Clip(name: "a.vob", codec: ["-c:v", "mpeg2video"], hasAudio: true),
    Clip(name: "a.mpg", codec: ["-c:v", "mpeg1video"], hasAudio: true),
    Clip(name: "a.wmv", codec: ["-c:v", "wmv2"], hasAudio: true), Clip(name: "a.ogv", codec: ["-c:v", "libtheora"]),
    Clip(name: "a.mxf", codec: ["-c:v", "mpeg2video"]), Clip(name: "a.nut", codec: ["-c:v", "mpeg4"]),
    Clip(name: "b.nut", codec: ["-c:v", "ffv1", "-level", "1"]), Clip(name: "c.nut", codec: ["-c:v", "libvpx"]),
    Clip(name: "d.nut", codec: ["-c:v", "huffyuv", "-pix_fmt", "yuv422p"]),
    Clip(name: "e.nut", codec: ["-c:v", "libtheora"]), Clip(name: "a.rm", codec: ["-c:v", "rv20"]),
    Clip(name: "a.gif", codec: []), Clip(name: "a.apng", codec: ["-f", "apng"]),
    Clip(name: "a.y4m", codec: ["-pix_fmt", "yuv420p"]),
    Clip(name: "a.h264", codec: x264), Clip(name: "a.m2v", codec: ["-c:v", "mpeg2video"]),
    Clip(name: "a.m4v", codec: ["-c:v", "mpeg4", "-f", "m4v"]), Clip(name: "a.mjpeg", codec: ["-f", "mjpeg"]),
    Clip(name: "a.ivf", codec: ["-c:v", "libvpx"]), Clip(name: "a.wtv", codec: ["-c:v", "mpeg2video"]),
  ]

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func make(_ clip: Clip) async throws -> [UInt8] {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=0.6"]
        + (clip.hasAudio ? ["-f", "lavfi", "-i", "sine=d=0.6"] : []) + clip.codec + [scratch(clip.name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return try ScratchFolder.read(scratch(clip.name))
  }

  /// Returns why an open file has no cover; `nil` if it has one.
  private func failure(of file: FileDescriptor) throws -> CoverFailure? {
    let output = try scratch.create("cover.png")
    return try output.closeAfter {
      do throws(CoverFailure) {
        _ = try CoverExtractor.makeCover(of: file.rawValue, request: CoverRequest(), into: output.rawValue)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Every byte of the beginning, then ever fewer places.
  private static func places(below count: Int) -> [Int] {
    Array(1..<min(count, 1000)) + stride(from: 1000, to: min(count, 6000), by: 41)
      + stride(from: 6000, to: count, by: 4001)
  }

  @Test(
    "A clip cut anywhere before its first frame is incomplete",
    .enabled(if: Scope.isFull),
    arguments: clips
  )
  func cut(_ clip: Clip) async throws {
    try await grow(clip, from: 1, isIncomplete: true)
  }

  // Fewer bytes may start a movie, too.
  @Test(
    "A clip of another container that is cut before its first frame has just no cover",
    .enabled(if: Scope.isFull),
    arguments: others
  )
  func cutElsewhere(_ clip: Clip) async throws {
    try await grow(clip, from: 8, isIncomplete: false)
  }

  /// Writes a clip bit by bit, and tries to make a cover each time.
  private func grow(_ clip: Clip, from first: Int, isIncomplete: Bool) async throws {
    let bytes = try await make(clip)
    let file = try scratch.create("clip")
    try file.closeAfter {
      var written = 0
      for place in Self.places(below: bytes.count) where place >= first {
        try file.writeAll(toAbsoluteOffset: Int64(written), bytes[written..<place])
        written = place
        let failure = try failure(of: file)
        #expect(
          failure.map(\.isIncomplete) != !isIncomplete,
          "\(place) of \(bytes.count) bytes: \(String(describing: failure))"
        )
      }
      try file.writeAll(toAbsoluteOffset: Int64(written), bytes[written...])
      #expect(try failure(of: file) == nil)
    }
  }

  @Test(
    "A clip whose space is reserved, but not written yet, is incomplete",
    .enabled(if: Scope.isFull),
    arguments: clips.filter { ["a.mp4", "a.mkv", "a.avi", "a.flv"].contains($0.name) }
  )
  func reserved(_ clip: Clip) async throws {
    let bytes = try await make(clip)
    for place in stride(from: 0, to: min(bytes.count - 200, 4000), by: 97) {
      let content = bytes.prefix(place) + [UInt8](repeating: 0, count: bytes.count - place)
      let file = try FileDescriptor.open(try scratch.write(content, as: "clip"), .readOnly, options: .closeOnExec)
      try file.closeAfter {
        let failure = try failure(of: file)
        #expect(failure?.isIncomplete ?? true, "\(place) of \(bytes.count) bytes: \(String(describing: failure))")
      }
    }
  }

  // To read as many zeros would take minutes.
  @Test("The space reserved after a clip may be of any size", .enabled(if: Scope.isFull))
  func reservedBehind() async throws {
    let clip = Self.clips[0]
    let path = try scratch.write(try await make(clip).prefix(300), as: "large")
    let file = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
    try file.closeAfter {
      try file.resize(to: 1 << 40)
      #expect(try failure(of: file)?.cause == .truncated)
    }
  }

  /// Damage to the bytes of a whole clip that makes all its frames unreadable.
  struct Damage: CustomTestStringConvertible, Sendable {
    let clip: Clip
    /// The first occurrence of these bytes is where the damage is.
    let marker: [UInt8]
    /// The distance of the bytes that are replaced from the marker.
    var offset = 0
    let replacement: [UInt8]

    var testDescription: String { clip.testDescription }
  }

  private static let webm = Clip(name: "a.webm", codec: ["-c:v", "libvpx"])
  private static let ivf = Clip(name: "a.ivf", codec: ["-c:v", "libvpx"])
  private static let noise = [UInt8](repeating: 0x55, count: 40)

  static let damages = [
    // The size of the first frame is negative, or larger than the picture; then come its time and its data.
    Damage(clip: ivf, marker: Array("DKIF".utf8), offset: 35, replacement: [0xEB]),
    Damage(
      clip: ivf,
      marker: Array("DKIF".utf8),
      offset: 34,
      replacement: [0x7F] + [UInt8](repeating: 0, count: 9) + noise
    ),
    // The beginning of the only cluster, and the list of tracks.
    Damage(
      clip: webm,
      marker: [0x1F, 0x43, 0xB6, 0x75],
      offset: 11,
      replacement: [UInt8](repeating: 0, count: 512)
    ),
    Damage(clip: webm, marker: [0x16, 0x54, 0xAE, 0x6B], replacement: [UInt8](repeating: 0, count: 200)),
  ]

  @Test(
    "A whole clip whose container is damaged is damaged, not incomplete",
    .enabled(if: Scope.isFull),
    arguments: damages
  )
  func damagedContainer(_ damage: Damage) async throws {
    let bytes = try await make(damage.clip)
    var damaged = bytes
    let marker = try #require(bytes.indices.first { bytes[$0...].starts(with: damage.marker) })
    let start = marker + damage.offset
    damaged.replaceSubrange(start..<start + damage.replacement.count, with: damage.replacement)
    let file = try FileDescriptor.open(try scratch.write(damaged, as: "clip"), .readOnly, options: .closeOnExec)
    try file.closeAfter {
      let failure = try failure(of: file)
      #expect(failure?.cause == .damaged, "\(String(describing: failure))")
    }
  }

  @Test("A whole clip whose frames are damaged is not incomplete", arguments: ["a.mp4", "a.mkv", "a.avi", "a.wmv"])
  func damaged(_ name: String) async throws {
    let codec = name == "a.wmv" ? ["-c:v", "wmv2"] : ["-c:v", "mpeg4"]
    var bytes = try await make(Clip(name: name, codec: codec))
    // The start code of each frame in MPEG-4, and all of the frames in WMV.
    let start: [UInt8] = name == "a.wmv" ? [0x82, 0, 0] : [0, 0, 1, 0xB6]
    for index in bytes.indices.dropLast(start.count) where bytes[index...].starts(with: start) {
      bytes.replaceSubrange(index..<index + start.count, with: [UInt8](repeating: 0x55, count: start.count))
    }
    let file = try FileDescriptor.open(try scratch.write(bytes, as: "clip"), .readOnly, options: .closeOnExec)
    try file.closeAfter {
      let failure = try failure(of: file)
      #expect(failure?.isIncomplete != true, "\(String(describing: failure))")
    }
  }
}
