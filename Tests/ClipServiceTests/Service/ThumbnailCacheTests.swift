import ClipService
import Covers
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Uses the real decoder.
@Suite("Covers in the thumbnail cache")
struct ThumbnailCacheTests {
  /// A complete PNG of one pixel, written by Python with zlib, with the text `Thumb::MTime` = 1700000000.
  private static let thumbnail: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x90, 0x77, 0x53, 0xDE, 0x00, 0x00, 0x00, 0x17, 0x74,
    0x45, 0x58, 0x74, 0x54, 0x68, 0x75, 0x6D, 0x62, 0x3A, 0x3A, 0x4D, 0x54, 0x69, 0x6D, 0x65, 0x00, 0x31, 0x37, 0x30,
    0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x30, 0x15, 0x74, 0x6B, 0x20, 0x00, 0x00, 0x00, 0x0C, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9C, 0x63, 0xF8, 0xCF, 0xC0, 0x00, 0x00, 0x03, 0x01, 0x01, 0x00, 0xC9, 0xFE, 0x92, 0xEF, 0x00, 0x00, 0x00,
    0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  /// Makes the cover of a clip with the given modification time, where another program's thumbnail exists, and returns
  /// the resulting file.
  private func cover(over thumbnail: [UInt8], clipSeconds: Int, into folder: String = "") async throws -> [UInt8] {
    let scratch = try ScratchFolder()
    let clip = try scratch.copy(ProjectFolder.fixture("h264.mp4"))
    let time = timespec(tv_sec: clipSeconds, tv_nsec: 0)
    try #require(utimensat(AT_FDCWD, clip.string, [time, time], 0) == 0)
    let cache = FreedesktopCache(folder: scratch("thumbnails"))
    try cache.makeFolder(of: .normal)
    let place = cache.place(of: clip, size: .normal)
    try ScratchFolder.write(thumbnail, to: place)
    var request = CoverRequest()
    request.size = FreedesktopCache.Size.normal.limit
    let batch = Batch(
      clips: ClipSelection(paths: [clip]),
      request: request,
      placement: .thumbnails(cache, .normal),
      jobs: 1
    )
    let summary = try await CoverService(decoder: ProjectFolder.program("clipcanvas-decoder")).run(batch) { _ in }
    let bytes = try ScratchFolder.read(place)
    #expect(summary.clips == 1 && summary.fresh == (bytes == thumbnail ? 1 : 0))
    return bytes
  }

  @Test("Another program's thumbnail of the current version of the clip is kept", .enabled(if: Scope.isFull))
  func kept() async throws {
    #expect(try await cover(over: Self.thumbnail, clipSeconds: 1_700_000_000) == Self.thumbnail)
  }

  @Test("Another program's thumbnail that is outdated or truncated is replaced")
  func replaced() async throws {
    for (thumbnail, seconds) in [(Self.thumbnail, 1_700_000_001), (Self.thumbnail.dropLast(), 1_700_000_000)] {
      let head = PNGHead(try await cover(over: Array(thumbnail), clipSeconds: seconds))
      #expect(head?.size == PixelSize(width: 128, height: 96))
      #expect(head?[.mtime] == "\(seconds)")
    }
  }
}
