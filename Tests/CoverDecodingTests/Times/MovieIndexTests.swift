import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Uses movies that consist only of boxes, laid out according to ISO/IEC 14496-12, section 4.2.
@Suite("Movies without an index")
struct MovieIndexTests {
  /// Returns a box with the given size field, type and data.
  private static func box(_ type: String, size: UInt32, data: [UInt8] = []) -> [UInt8] {
    withUnsafeBytes(of: size.bigEndian, Array.init) + Array(type.utf8) + data
  }

  /// Returns a box with a 64-bit size and some data.
  private static func largeBox(size: UInt64) -> [UInt8] {
    box("mdat", size: 1, data: withUnsafeBytes(of: size.bigEndian, Array.init) + data)
  }

  /// Returns many boxes; only the first has data.
  private static func boxes(_ count: Int) -> [UInt8] {
    box("mdat", size: 108, data: data) + (1..<count).flatMap { _ in box("free", size: 8) }
  }

  private static let data = [UInt8](repeating: 0x78, count: 100)
  private static let start = box("ftyp", size: 16, data: Array("isom\0\0\u{2}\0".utf8))

  private func cause(_ bytes: [UInt8]) throws -> CoverFailure.Cause? {
    let scratch = try ScratchFolder()
    let file = try FileDescriptor.open(try scratch.write(bytes, as: "clip.mp4"), .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      #expect(throws: CoverFailure.self) { try CoverExtractor.probe(file.rawValue) }?.cause
    }
  }

  @Test(
    "A file that consists of movie boxes up to its end lacks its index",
    arguments: [
      start + box("mdat", size: 108, data: data), start + box("mdat", size: 0, data: data), start + largeBox(size: 116),
      start + box("free", size: 8) + box("mdat", size: 108, data: data),
      start + box("mdat", size: 108, data: data) + [0],
      box("mdat", size: 108, data: data), box("wide", size: 8) + box("mdat", size: 108, data: data),
      // The data ends before the box does.
      start + box("mdat", size: 1000, data: data), start + largeBox(size: 1 << 40), start + boxes(4094),
    ]
  )
  func missing(_ bytes: [UInt8]) throws {
    #expect(try cause(bytes) == .noIndex)
  }

  @Test(
    "An index that bytes missing or inserted before it have moved is not missing",
    .enabled(if: Scope.isFull),
    arguments: [-2, -1, 1, 3]
  )
  func moved(_ bytes: Int) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("whole.mp4")
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", "testsrc=s=160x120:d=1", "-c:v", "mpeg4"])
    var content = try ScratchFolder.read(clip)
    // The data follows a header of 32 bytes and two of 8.
    content.replaceSubrange(600..<600 + max(-bytes, 0), with: [UInt8](repeating: 0x55, count: max(bytes, 0)))
    let path = try scratch.write(content, as: "moved.mp4")
    let failure = try #require(throws: CoverFailure.self) { try CoverExtractor.makeCover(of: path, in: scratch) }
    #expect(failure.cause == .damaged && !failure.isIncomplete, "\(failure)")
  }

  @Test("A whole movie whose sample table is damaged is damaged", arguments: [[], ["-movflags", "faststart"]])
  func sampleTable(_ options: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("whole.mp4")
    let source = ["-f", "lavfi", "-i", "testsrc=s=160x120:d=1", "-c:v", "mpeg4"]
    try await GeneratedClips.make(clip, source + options)
    let content = try ScratchFolder.read(clip)
    // The offsets follow the type, the version and flags, and their number.
    let table = try #require(content.indices.first { content[$0...].starts(with: "stco".utf8) })
    var damaged = content
    damaged[table + 12] = 0x7F
    let path = try scratch.write(damaged, as: "damaged.mp4")
    let failure = try #require(throws: CoverFailure.self) { try CoverExtractor.makeCover(of: path, in: scratch) }
    #expect(failure.cause == .damaged, "\(failure)")
    // If the media is missing, the table is right.
    guard !options.isEmpty else { return }
    let media = try #require(content.indices.first { content[$0...].starts(with: "mdat".utf8) }) - 4
    let cut = try scratch.write(content.prefix(media), as: "cut.mp4")
    let other = try #require(throws: CoverFailure.self) { try CoverExtractor.makeCover(of: cut, in: scratch) }
    #expect(other.isIncomplete, "\(other)")
  }

  @Test(
    "A file with an impossible box size or without movie boxes is damaged",
    .enabled(if: Scope.isFull),
    arguments: [
      start + box("mdat", size: 7, data: data), start + largeBox(size: 1 << 63 - 1),
      start + box("mdat", size: 108, data: data) + box("mdat", size: 7),
      box("free", size: 8) + box("skip", size: 108, data: data),
      // The search ends after 4096 boxes.
      start + boxes(4096),
    ]
  )
  func damaged(_ bytes: [UInt8]) throws {
    #expect(try cause(bytes) != .noIndex)
  }
}
