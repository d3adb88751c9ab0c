import CoverDecoding
import Covers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Measures the work for finding the first frame by counters rather than by time.
@Suite("Work for the first frame")
struct WorkTests {
  // The start of these clips differs in the container, in the pictures that follow, and in what was cut off before.
  @Test(
    "One packet is decoded if it holds the first frame",
    arguments: [
      "h264-faststart.mov", "1080p.mp4", "b-frames-3.mp4", "hevc.mkv", "vp9.webm", "rotated-90.mp4", "h264.flv",
      "h264.ts", "interlaced.m2ts", "elementary.h264", "mpeg1.mpg", "mpeg2.ts", "mpeg2.vob", "mpeg2.mxf",
      "b-frames-3.avi",
      "wmv2.wmv", "h263.3gp", "open-gop.mkv", "open-gop-hevc.mkv", "intra-refresh.mp4", "wraparound.ts",
    ]
  )
  func firstFrame(_ fixture: String) throws {
    let work = try FrameSearch.work(on: ProjectFolder.fixture(fixture))
    #expect(work.framesDecoded == 1 && work.packetsRead == 1 && work.decodeErrors == 0, "\(work)")
  }

  @Test(
    "Nothing is decoded before the first key picture",
    arguments: ["mid-gop.ts", "mid-gop.mkv", "mid-gop-hevc.mkv", "mid-gop-mpeg2.ts", "mid-gop-mpeg4.avi"]
  )
  func insideAGroup(_ fixture: String) throws {
    let work = try FrameSearch.work(on: ProjectFolder.fixture(fixture))
    #expect(work.framesDecoded == 1 && work.packetsRead == 1 && work.decodeErrors == 0, "\(work)")
  }

  // Some decoders output the damaged key frame, and others only the frames after it.
  @Test(
    "Nothing is decoded between a damaged key frame and the next key frame",
    .enabled(if: Scope.isFull),
    arguments: [
      ("clip.ts", "libx264"), ("clip.mp4", "libx264"), ("clip.ts", "mpeg2video"), ("clip.mpg", "mpeg1video"),
      ("clip.avi", "mpeg4"), ("clip.mkv", "mpeg4"),
    ]
  )
  func damagedGroup(_ name: String, _ encoder: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    let source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=4", "-pix_fmt", "yuv420p", "-c:v", encoder]
    let noise = ["-bsf:v", "noise=amount=if(eq(n\\,0)\\,50\\,0)"]
    try await GeneratedClips.make(clip, source + ["-g", "50", "-keyint_min", "50", "-sc_threshold", "0"] + noise)
    let work = try FrameSearch.work(on: clip)
    #expect(work.framesDecoded <= 12, "\(work)")
    let cover = try CoverExtractor.makeCover(of: clip, in: scratch)
    #expect(cover.degradation == nil && cover.actualTime == 2, "\(cover)")
  }

  // Decoders hold frames back: they have the next key frame before they output the damaged one.
  @Test(
    "The key frame after a damaged one is not passed over",
    .enabled(if: Scope.isFull),
    arguments: [("clip.mp4", "libx264"), ("clip.mkv", "libx264"), ("clip.ts", "mpeg2video"), ("clip.mkv", "mpeg4")],
    ["2", "3"]
  )
  func nextKeyFrame(_ form: (String, String), _ reordered: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(form.0)
    let source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1", "-pix_fmt", "yuv420p", "-c:v", form.1]
    let groups = ["-g", "3", "-keyint_min", "3", "-bf", reordered, "-b_strategy", "0", "-flags", "+cgop"]
    let options = form.1 == "libx264" ? ["-x264-params", "ref=4:scenecut=0"] : ["-sc_threshold", "1000000000"]
    let noise = ["-bsf:v", "noise=amount=if(eq(n\\,0)\\,40\\,0)"]
    try await GeneratedClips.make(clip, source + groups + options + noise)
    let cover = try CoverExtractor.makeCover(of: clip, in: scratch)
    let packets = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0", clip.string]
    )
    let keys = packets.text.split(separator: "\n").filter { $0.contains("K") }
    let times = keys.compactMap { Double($0.prefix { $0 != "," }) }
    try #require(times.count > 2)
    let shown = try #require(cover.actualTime)
    #expect(cover.degradation == nil && shown < times[2] - times[0], "\(cover)")
  }

  // The first visible frame of edit-list.mp4 is the 13th. The other clip was cut inside an intra refresh, and the
  // picture is complete with the 9th packet that is left.
  @Test(
    "Frames that the first one depends on are decoded once",
    arguments: [("edit-list.mp4", 13), ("intra-refresh-cut.mkv", 9)]
  )
  func dependentFrame(_ fixture: String, _ packets: Int) throws {
    for size in ["40", "1000"] {
      let work = try FrameSearch.work(
        on: ProjectFolder.fixture(fixture),
        CoverRequest(size: try #require(SizeLimit(size)))
      )
      #expect(work.packetsRead == packets && work.decodeErrors == 0, "\(work) at \(size)")
    }
  }

  @Test("A small cover takes no more work than a large one", arguments: ["1080p.mp4", "edit-list.mp4", "open-gop.mkv"])
  func quickly(_ fixture: String) throws {
    let clip = ProjectFolder.fixture(fixture)
    let small = CoverRequest(size: try #require(SizeLimit("40")))
    #expect(try FrameSearch.work(on: clip, small) == FrameSearch.work(on: clip))
  }

  // Only their leading pictures of this type can be decoded without the pictures before the first one.
  @Test("Pictures of HEVC that are presented before the first key picture are decoded if they are whole")
  func leadingPictures() async throws {
    let scratch = try ScratchFolder()
    let arguments = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-pix_fmt", "yuv420p", "-c:v", "libx265"]
    let structure = "keyint=20:min-keyint=20:bframes=4:b-adapt=0:scenecut=0:open-gop=0:radl=3:log-level=none"
    try await GeneratedClips.make(scratch("whole.hevc"), arguments + ["-x265-params", structure])
    let bytes = try ScratchFolder.read(scratch("whole.hevc"))
    let cut = try scratch.write(Array(bytes[(bytes.count / 4)...]), as: "cut.hevc")
    #expect(try FrameSearch.work(on: cut).packetsRead > 1)
  }

  // 60 frames in one group, every third of them a reference; the frame is the 55th. All frames but the last ones are
  // 40 ms before the next.
  @Test(
    "On the way to a time, only frames that others depend on are decoded",
    .enabled(if: Scope.isFull),
    arguments: ["mp4", "mkv"]
  )
  func seeking(_ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("clip.\(container)")
    let structure = "keyint=100:bframes=2:b-adapt=0:b-pyramid=none:scenecut=0"
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2.4", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
    try await GeneratedClips.make(clip, source + ["-x264-params", structure])
    let work = try FrameSearch.work(on: clip, CoverRequest(time: .seconds(54 * 0.04)))
    #expect((18...26).contains(work.framesDecoded), "\(work)")
    #expect(work.packetsRead <= 60)
  }

  @Test("A clip is read from a pipe without seeking")
  func pipe() throws {
    let clip = ProjectFolder.fixture("h264-faststart.mov")
    let ends = try FileDescriptor.pipe()
    defer { try? ends.readEnd.close() }
    // The clip is shorter than the buffer of a pipe, 64 KiB.
    try ends.writeEnd.closeAfter { _ = try ends.writeEnd.writeAll(ScratchFolder.read(clip)) }
    var search = try FrameSearch(in: ends.readEnd.rawValue, for: CoverRequest(), limits: ClipDecoder.Limits())
    try search.find()
    #expect(search.work.framesDecoded == 1 && search.work.seeks == 0)
  }

  // The complete clip would be 1 GiB. Beyond the index and the first packets, reads are only rounded up to whole
  // buffers.
  @Test("Only a small part of a clip of 1 GiB is read, with its index at either end", arguments: [true, false])
  func largeClip(_ indexIsInFront: Bool) throws {
    let scratch = try ScratchFolder()
    let clip = scratch("large.mp4")
    try SparseMovie.write(
      from: ProjectFolder.fixture(indexIsInFront ? "h264-faststart.mov" : "h264.mp4"),
      to: clip,
      mediaBytes: 1 << 30,
      indexIsInFront: indexIsInFront
    )
    let work = try FrameSearch.work(on: clip)
    #expect(work.framesDecoded == 1)
    #expect(work.bytesRead <= 192 * 1024, "\(work.bytesRead) bytes")
    #expect(work.seeks <= 4)
  }
}

/// Movies whose media data is mostly a hole.
private enum SparseMovie {
  /// Copies a movie, growing its media data to the given size, with the index before or after the media data.
  ///
  /// The offsets in the index are relative to the start of the file, so the data before the media data keeps its
  /// length.
  static func write(from source: FilePath, to destination: FilePath, mediaBytes: Int, indexIsInFront: Bool) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source.string)))
    let boxes = boxes(of: bytes)
    let media = try #require(boxes.firstIndex { $0.type == "mdat" })
    let index = try #require(boxes.firstIndex { $0.type == "moov" })
    #expect((index < media) == indexIsInFront, "\(source) has its index elsewhere")
    let file = try FileDescriptor.open(
      destination,
      .writeOnly,
      options: [.create, .closeOnExec],
      permissions: .ownerReadWrite
    )
    try file.closeAfter {
      for box in boxes[..<media] { try file.writeAll(bytes[box.range]) }
      let start = try file.seek(offset: 0, from: .current)
      try file.writeAll(withUnsafeBytes(of: UInt32(mediaBytes).bigEndian, Array.init))
      try file.writeAll(bytes[boxes[media].range].dropFirst(4))
      try file.resize(to: start + Int64(mediaBytes))
      if !indexIsInFront {
        try file.seek(offset: 0, from: .end)
        try file.writeAll(bytes[boxes[index].range])
      }
    }
  }

  private static func boxes(of bytes: [UInt8]) -> [(type: String, range: Range<Int>)] {
    var boxes: [(String, Range<Int>)] = []
    var start = 0
    while start + 8 <= bytes.count {
      let length = bytes[start..<start + 4].bigEndian
      boxes.append((String(decoding: bytes[start + 4..<start + 8], as: UTF8.self), start..<start + length))
      start += length
    }
    return boxes
  }
}
