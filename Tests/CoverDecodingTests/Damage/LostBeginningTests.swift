import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

@Suite("Clips whose beginning is missing")
struct LostBeginningTests {
  private let scratch: ScratchFolder
  init() throws { scratch = try ScratchFolder() }

  private func message(of clip: FilePath) throws -> String? {
    let failure = #expect(throws: CoverFailure.self) {
      try CoverExtractor.makeCover(of: clip, CoverRequest(), in: scratch)
    }
    return failure?.cause == .unrecognised ? failure?.message : nil
  }

  @Test(
    "A clip without its first part is named as such",
    arguments: [
      ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-cluster_time_limit", "500"]),
      ("mkv", ["-c:v", "libx264", "-cluster_time_limit", "500"]), ("mp4", ["-c:v", "libx264"]),
      ("mov", ["-c:v", "libx264", "-movflags", "frag_keyframe+empty_moov"]),
    ]
  )
  func cut(container: String, options: [String]) async throws {
    let whole = scratch("whole.\(container)")
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=4", "-g", "25", "-pix_fmt", "yuv420p"]
    try await GeneratedClips.make(whole, source + options)
    let bytes = try ScratchFolder.read(whole)
    let rest = try scratch.write(bytes.dropFirst(bytes.count / 10), as: "rest.\(container)")
    #expect(try message(of: rest) == "the beginning of the file is missing")
    // Only the last part.
    let end = try scratch.write([UInt8](repeating: 1, count: 3 << 20) + bytes.dropFirst(bytes.count / 10), as: "end")
    #expect(try message(of: end) == "the beginning of the file is missing")
  }

  @Test("Other files are not reported as clips whose beginning is missing")
  func others() throws {
    var numbers = SeededNumbers(seed: 3)
    let noise = (0..<2_000_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
    for (number, bytes) in [noise, Array("The boxes moof, mfhd, moov and mvhd.".utf8), cluster, cluster + [0, 0xE7]]
      .enumerated()
    {
      let file = try scratch.write(bytes, as: "\(number).mp4")
      #expect(try message(of: file) == "its content is not a recognised video format", "\(number)")
    }
  }
}
