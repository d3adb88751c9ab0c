import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Raw streams whose content is not recognised")
struct RawFormatTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Makes a stream that starts with a unit of another layer, as multiview HEVC has them, which no probe recognises.
  private func makeStream(as name: String) async throws {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=0.4", "-c:v", "libx265"]
        + ["-x265-params", "log-level=none", scratch("plain.hevc").string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    let unit: [UInt8] = [0, 0, 0, 1, 0x7E, 0x09] + [UInt8](repeating: 0x55, count: 5000)
    try scratch.write(unit + ScratchFolder.read(scratch("plain.hevc")), as: name)
  }

  // Each of the runs of zeros was looked for from the beginning, which took half a minute.
  @Test("Zeros beside the pictures of a raw stream take no time, however many there are", .enabled(if: Scope.isFull))
  func filler() async throws {
    let scratch = try ScratchFolder()
    let stream = try ScratchFolder.read(ProjectFolder.fixture("elementary.h264"))
    let picture = try #require(stream.indices.dropLast(4).first { stream[$0...].starts(with: [0, 0, 1, 0x65]) })
    let unit = [UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 12)
    let filler: [UInt8] = [0, 0, 1, 0x0C] + (0..<1_500_000).flatMap { _ in unit } + [0x80]
    try scratch.write(stream[..<picture] + filler + stream[picture...], as: "filler.h264")
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "--timeout", "15", "-o", "a.png", "filler.h264"],
      in: scratch.path
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
  }

  @Test(
    "The file extension decides, for cover, batch and probe",
    .enabled(if: Scope.isFull),
    arguments: ["a.hevc", "a.265", "a.H265"]
  )
  func fileExtension(_ name: String) async throws {
    try await makeStream(as: name)
    let cover = try await Program.run("clipcanvas", ["cover", "-o", "cover.png", name], in: scratch.path)
    #expect(cover.exitStatus == 0, "\(cover.errorOutput)")
    let pixels = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let expected = try await Oracle.cover(of: scratch("plain.hevc"))
    #expect(try #require(PixelDifference(pixels, expected)).decibels > 40)
    let probe = try await Program.run("clipcanvas", ["probe", "--json", name], in: scratch.path)
    #expect(probe.exitStatus == 0 && probe.text.contains(#""codec":"hevc""#), "\(probe.errorOutput)")
    let batch = try await Program.run("clipcanvas", ["batch", "-o", "covers", "."], in: scratch.path)
    #expect(batch.exitStatus == 0, "\(batch.errorOutput)")
  }

  @Test("Without such an extension, the stream is not recognised")
  func noExtension() async throws {
    try await makeStream(as: "a.bin")
    let cover = try await Program.run("clipcanvas", ["cover", "-o", "cover.png", "a.bin"], in: scratch.path)
    #expect(cover.exitStatus == 1 && cover.errorOutput.contains("its content is not a recognised video format"))
  }

  @Test("A file of another kind is not recognised, whatever its extension", arguments: RawFormat.allCases)
  func otherContent(_ format: RawFormat) async throws {
    let name = format == .mpegvideo ? "a.m2v" : format == .cavsvideo ? "a.cavs" : "a.\(format.rawValue)"
    try scratch.write("This is text, not a clip.\n".utf8.cycled(300), as: name)
    let cover = try await Program.run("clipcanvas", ["cover", "-o", "cover.png", name], in: scratch.path)
    #expect(
      cover.exitStatus == 1 && cover.errorOutput.contains("not a recognised video format"),
      "\(cover.errorOutput)"
    )
  }

  @Test("A stream that begins with a start code fails with the decoder's reason, not as a file of another kind")
  func startCode() async throws {
    let plain = try ScratchFolder.read(ProjectFolder.fixture("elementary.h264"))
    let unit = try #require(plain.indices.dropLast(4).first { plain[$0...].starts(with: [0, 0, 1, 0x65]) })
    // Without its parameter sets, FFmpeg does not detect it.
    try scratch.write([0] + plain[unit...].prefix(2000), as: "a.h264")
    let cover = try await Program.run("clipcanvas", ["cover", "-o", "cover.png", "a.h264"], in: scratch.path)
    #expect(cover.exitStatus == 1 && cover.errorOutput.contains("[h264]"), "\(cover.errorOutput)")
    #expect(!cover.errorOutput.contains("recognised"))
  }

  @Test(
    "Start codes in a program are not a stream",
    arguments: [[0x7F, 0x45, 0x4C, 0x46], [0x4D, 0x5A, 0x90, 0x00]] as [[UInt8]],
    [["mpeg4", "m4v"], ["mpeg2video", "mpeg2video"]]
  )
  func program(_ signature: [UInt8], _ coding: [String]) async throws {
    let stream = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=25:d=1", "-c:v", coding[0]]
        + ["-f", coding[1], scratch("stream").string]
    )
    try #require(stream.exitStatus == 0, "\(stream.errorOutput)")
    let bytes = try ScratchFolder.read(scratch("stream"))
    try scratch.write([UInt8](repeating: 0x55, count: 60) + bytes, as: "other")
    try scratch.write(signature + [UInt8](repeating: 0x55, count: 60) + bytes, as: "program")
    let detected = try await Program.run("clipcanvas", ["probe", "other"], in: scratch.path)
    #expect(detected.exitStatus == 0, "the stream is detected after other data: \(detected.errorOutput)")
    let refused = try await Program.run("clipcanvas", ["probe", "program"], in: scratch.path)
    #expect(refused.errorOutput.contains("its content is not a recognised video format"), "\(refused.errorOutput)")
  }
}

extension Sequence {
  fileprivate func cycled(_ count: Int) -> [Element] { (0..<count).flatMap { _ in Array(self) } }
}
