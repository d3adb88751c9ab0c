import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Clips whose container marks every frame as a key frame, as some do that lack the list of key frames.
///
/// The references are the types of the frames by ffprobe, and pictures by ffmpeg, which decodes from the beginning.
@Suite("Frames that are falsely marked as key frames")
struct FalseKeyTests {
  struct Kind: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var testDescription: String { name }

    init(_ name: String, _ arguments: String...) {
      (self.name, self.arguments) = (name, arguments)
    }
  }

  static let kinds = [
    Kind("mpeg4.mp4", "-c:v", "mpeg4"), Kind("reordered.mp4", "-c:v", "mpeg4", "-bf", "2"),
    Kind("hevc.mp4", "-c:v", "libx265", "-x265-params", "log-level=none"), Kind("h263.mov", "-c:v", "h263"),
    Kind("mpeg2.mp4", "-c:v", "mpeg2video"), Kind("h264.mp4", "-c:v", "libx264", "-pix_fmt", "yuv420p"),
    Kind("msmpeg4v2.avi", "-c:v", "msmpeg4v2"), Kind("msmpeg4v3.avi", "-c:v", "msmpeg4"),
    Kind("wmv1.avi", "-c:v", "wmv1"), Kind("wmv2.avi", "-c:v", "wmv2"), Kind("h263.avi", "-c:v", "h263"),
    Kind("flv.flv", "-c:v", "flv"), Kind("qtrle.mov", "-c:v", "qtrle"), Kind("rpza.mov", "-c:v", "rpza"),
    Kind("flashsv.flv", "-c:v", "flashsv"), Kind("msvideo1.avi", "-c:v", "msvideo1"),
  ]

  private static let size = PixelSize(width: 176, height: 144)

  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Makes a clip of ten seconds.
  private func make(_ kind: Kind, group: Int) async throws -> FilePath {
    let clip = scratch(kind.name)
    try await GeneratedClips.make(
      clip,
      [
        "-f", "lavfi", "-i", "testsrc2=s=\(Self.size.width)x\(Self.size.height):r=25:d=10", "-sc_threshold",
        "1000000000", "-g", "\(group)",
      ]
        + kind.arguments
    )
    var bytes = try ScratchFolder.read(clip)
    switch clip.extension {
    case "avi": try Self.markIndex(of: &bytes)
    case "flv": Self.markTags(of: &bytes)
    default: Self.removeList(of: &bytes)
    }
    try ScratchFolder.write(bytes, to: clip)
    return clip
  }

  private static func positions(of word: String, in bytes: [UInt8]) -> [Int] {
    let word = Array(word.utf8)
    return bytes.indices.filter { bytes[$0] == word[0] && bytes[$0...].starts(with: word) }
  }

  /// Hides the box with the list of key frames.
  private static func removeList(of movie: inout [UInt8]) {
    for position in positions(of: "stss", in: movie) {
      movie.replaceSubrange(position..<position + 4, with: "free".utf8)
    }
  }

  /// Sets the flag in all entries of the index, which are 16 bytes long.
  private static func markIndex(of avi: inout [UInt8]) throws {
    let index = try #require(positions(of: "idx1", in: avi).last)
    for entry in stride(from: index + 8, to: index + 8 + avi[index + 4..<index + 8].littleEndian, by: 16) {
      avi[entry + 4] |= 0x10
    }
  }

  /// Sets the type of all frames to that of key frames.
  private static func markTags(of flv: inout [UInt8]) {
    var tag = 13
    while tag + 11 < flv.count {
      if flv[tag] == 9 { flv[tag + 11] = flv[tag + 11] & 0x0F | 0x10 }
      tag += 11 + flv[tag + 1..<tag + 4].bigEndian + 4
    }
  }

  /// - Parameter wanted: Returns the frame that is expected, given the time of the frame that is shown.
  private func expect(of clip: FilePath, at time: String, _ wanted: (Double) -> ReferenceFrame?) async throws {
    var request = CoverRequest()
    request.time = try #require(RequestedTime(time))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let wanted = try #require(wanted(facts.actualTime ?? -1))
    #expect(facts.degradation == nil && abs((facts.actualTime ?? -1) - wanted.time) < 0.0021, "\(time): \(facts)")
    let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let difference = try #require(PixelDifference(cover, wanted.pixels))
    #expect(difference.decibels >= 30, "\(time): \(difference)")
  }

  private func expectSheet(of clip: FilePath, _ frames: [ReferenceFrame]) async throws {
    var request = CoverRequest()
    request.sheet = SheetPlan(.spread(8))
    let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
    let pixels = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let times = try #require(facts.tiles?.times)
    #expect(times.count == 8 && facts.degradation == nil)
    for (number, time) in times.enumerated() {
      let time = try #require(time)
      let frame = try #require(frames.min { abs($0.time - time) < abs($1.time - time) })
      let bytes = frame.pixels.bytes.count
      let tile = RawPixels(
        width: Self.size.width,
        height: Self.size.height,
        channels: 3,
        bytes: Array(pixels.bytes[number * bytes..<(number + 1) * bytes])
      )
      let difference = try #require(PixelDifference(tile, frame.pixels))
      #expect(difference.decibels >= 30, "tile \(number): \(difference)")
    }
  }

  @Test(
    "The frames at times, in sheets, and the best ones are those of the clip",
    .enabled(if: Scope.isFull),
    arguments: kinds,
    [60, 1000]
  )
  func pictures(_ kind: Kind, _ group: Int) async throws {
    let clip = try await make(kind, group: group)
    let frames = try await ReferenceFrame.all(of: clip, size: Self.size)
    try #require(frames.count >= 240)
    try await expectSheet(of: clip, frames)
    for seconds in [0.6, 3.1, 5.5, 9.8] {
      let frame = try #require(frames.last { $0.time <= seconds + 0.0005 })
      try await expect(of: clip, at: "\(seconds)") { _ in frame }
      // The parser of MPEG-4 AVC marks the frames that decoding can begin at; these are not false. Other
      // decoders do not know key frames.
      guard kind.name != "h264.mp4", frames[0].isIntra else { continue }
      let key = try #require(frames.last { $0.isIntra && $0.time <= seconds + 0.0005 })
      try await expect(of: clip, at: "key:\(seconds)") { _ in key }
    }
    try await expect(of: clip, at: "best") { time in frames.min { abs($0.time - time) < abs($1.time - time) } }
  }
}
