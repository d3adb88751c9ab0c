import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// FFmpeg makes up the times of raw MPEG-1, MPEG-2 and MPEG-4, and gives some of them to the wrong frames.
@Suite("Raw MPEG video")
struct RawMPEGTests {
  @Test(
    "Frames are counted from the first that is shown",
    .enabled(if: Scope.isFull),
    arguments: ["mpeg2video", "mpeg1video", "mpeg4", "libxvid"],
    [["-bf", "2"], ["-bf", "0"], ["-bf", "2", "-flags", "+cgop", "-sc_threshold", "1000000000"]]
  )
  func times(_ encoder: String, _ coding: [String]) async throws {
    let endings = ["mpeg2video": "m2v", "mpeg1video": "m1v"]
    // Xvid packs pictures together, and leaves some out.
    guard encoder != "libxvid" || coding[1] == "0" else { return }
    let scratch = try ScratchFolder()
    let clip = scratch("a." + (endings[encoder] ?? "m4v"))
    try await GeneratedClips.make(
      clip,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=3", "-c:v", encoder, "-g", "12", "-q:v", "2"] + coding
    )
    let times = [("first", 0), ("0", 0), ("50.1%", 45)]
    // A seek must not end at another picture because of the times that libavformat makes up after a seek.
    let numbers = [10, 12, 15, 25, 39, 61, 75, 88]
    try await expectFrames(numbers, at: times, of: clip, framesPerSecond: 30, in: scratch)
  }

  @Test(
    "Frames are not counted where the first is not a key picture, because the decoder may drop it",
    .enabled(if: Scope.isFull)
  )
  func startInsideGroup() async throws {
    let scratch = try ScratchFolder()
    let (whole, clip) = (scratch("whole.m2v"), scratch("a.m2v"))
    try await GeneratedClips.make(
      whole,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=3", "-c:v", "mpeg2video", "-g", "12", "-bf", "0", "-q:v", "2"]
    )
    // The sequence header, and everything from the second picture on.
    let bytes = try ScratchFolder.read(whole)
    let header = try #require(bytes.firstRange(of: [0, 0, 1, 0xB8])).lowerBound
    let first = try #require(bytes.firstRange(of: [0, 0, 1, 0x00])).upperBound
    let second = try #require(bytes[first...].firstRange(of: [0, 0, 1, 0x00])).lowerBound
    try ScratchFolder.write(Array(bytes[..<header] + bytes[second...]), to: clip)
    try await expectFrames([0, 6, 14, 26, 38, 50, 70], of: clip, framesPerSecond: 25, in: scratch)
  }

  /// Expects covers of a clip to be the frames with the given numbers among those that ffmpeg decodes.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of frames, each to be found at a time while it is shown.
  ///   - times: Further times, and the numbers of their frames.
  ///   - clip: The clip.
  ///   - framesPerSecond: Its frame rate.
  ///   - scratch: The folder of the covers.
  private func expectFrames(
    _ numbers: [Int],
    at times: [(time: String, number: Int)] = [],
    of clip: FilePath,
    framesPerSecond: Double,
    in scratch: ScratchFolder
  ) async throws {
    let raw = try await Program.runTool(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", clip.string, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24",
        "-",
      ]
    )
    let bytes = 3 * 160 * 120
    for (time, number) in times + numbers.map({ ("\((Double($0) + 0.3) / framesPerSecond)", $0) }) {
      var request = CoverRequest()
      request.time = try #require(RequestedTime(time))
      let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
      let cover = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      let rows = Array(raw.output.dropFirst(number * bytes).prefix(bytes))
      let frame = RawPixels(width: 160, height: 120, channels: 3, bytes: rows)
      let difference = try #require(PixelDifference(cover, frame))
      #expect(difference.decibels > 38 && facts.warnings == [], "\(time): \(difference), \(facts)")
      #expect(abs((facts.actualTime ?? -1) - Double(number) / framesPerSecond) < 0.002, "\(time): \(facts)")
    }
  }

  /// Film at 24 pictures a second, whose fields are shown three and two times alternately.
  @Test("Pictures with repeated fields are shown for longer", .enabled(if: Scope.isFull))
  func pulldown() async throws {
    let scratch = try ScratchFolder()
    let (film, clip) = (scratch("film.m2v"), scratch("a.m2v"))
    try await GeneratedClips.make(
      film,
      NumberedFrames.source(seconds: 4, rate: "24000/1001") + ["-c:v", "mpeg2video", "-g", "12", "-bf", "2"]
    )
    try ScratchFolder.write(try Self.repeatingFields(of: try ScratchFolder.read(film)), to: clip)
    for number in [0, 1, 2, 3, 11, 13, 24, 27, 55, 70, 94] {
      let fields = number / 2 * 5 + number % 2 * 3
      for later in [0.5, 1.5] {
        var request = CoverRequest()
        request.time = .seconds((Double(fields) + later) * 1001 / 60000)
        let facts = try CoverExtractor.makeCover(of: clip, request, in: scratch)
        #expect(try await NumberedFrames.number(ofPNG: scratch("cover.png")) == number, "\(request.time): \(facts)")
        #expect(abs((facts.actualTime ?? -1) - Double(fields) * 1001 / 60000) < 0.0005, "\(number): \(facts)")
      }
    }
  }

  /// Returns a stream whose every other picture, in presentation order, repeats its first field.
  private static func repeatingFields(of stream: [UInt8]) throws -> [UInt8] {
    var stream = stream
    // The pictures in groups before, and the picture at hand.
    var (pictures, group, shown) = (0, 0, 0)
    for start in stream.indices.dropLast(8) where stream[start..<start + 3] == [0, 0, 1] {
      switch stream[start + 3] {
      case 0xB3: stream[start + 7] = stream[start + 7] & 0xF0 | 4  // 30000/1001 pictures a second
      case 0xB8: group = pictures
      case 0x00:
        shown = group + Int(stream[start + 4]) << 2 + Int(stream[start + 5] >> 6)
        pictures += 1
      case 0xB5 where stream[start + 4] >> 4 == 1: stream[start + 5] &= ~0x08  // not progressive
      case 0xB5 where stream[start + 4] >> 4 == 8:
        let (top, repeated): (UInt8, UInt8) = [(0x80, 0x02), (0, 0), (0, 0x02), (0x80, 0)][shown % 4]
        stream[start + 7] = stream[start + 7] & ~0x82 | top | repeated
        stream[start + 8] |= 0x80
      default: break
      }
    }
    return stream
  }
}
