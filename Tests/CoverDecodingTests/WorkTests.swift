import CoverDecoding
import Covers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Measures the work for finding the first frame by counters rather than by time.
@Suite("Work for the first frame")
struct WorkTests {
  private func search(_ clip: FilePath, _ request: CoverRequest = CoverRequest()) throws -> ClipDecoder.Counters {
    let file = try FileDescriptor.open(clip, .readOnly)
    return try file.closeAfter {
      var search = try FrameSearch(in: file.rawValue, for: request, limits: ClipDecoder.Limits())
      try search.find()
      return search.work
    }
  }

  // In a container with presentation times, one packet is sufficient. In a transport stream, the MPEG-2 decoder outputs
  // the first frame together with the second one that is not presented before it.
  @Test(
    "One frame is decoded from few packets",
    arguments: [
      ("h264-faststart.mov", 1), ("1080p.mp4", 1), ("b-frames-3.mp4", 1), ("hevc.mkv", 1), ("vp9.webm", 1),
      ("rotated-90.mp4", 1), ("mpeg2.ts", 3),
    ]
  )
  func firstFrame(_ fixture: String, _ maximumPackets: Int) throws {
    let work = try search(ProjectFolder.fixture(fixture))
    #expect(work.framesDecoded == 1)
    #expect((1...maximumPackets).contains(work.packetsRead), "\(work.packetsRead) packets")
    #expect(work.decodeErrors == 0)
  }

  @Test(
    "More packets are read if a later frame may be presented before the first one",
    arguments: ["open-gop.mkv", "open-gop-hevc.mkv", "edit-list.mp4"]
  )
  func firstFrameIsBehind(_ fixture: String) throws {
    #expect(try search(ProjectFolder.fixture(fixture)).packetsRead > 1)
  }

  @Test("A small cover takes no more packets than a large one")
  func quickly() throws {
    let clip = ProjectFolder.fixture("1080p.mp4")
    let small = CoverRequest(size: try #require(SizeLimit("256")))
    #expect(try search(clip, small) == search(clip))
  }

  // The first visible frame of edit-list.mp4 is not a key frame; that of open-gop.mkv follows an invisible frame.
  @Test(
    "A small cover is decoded again if its frame depends on others or others were decoded too",
    arguments: ["edit-list.mp4", "open-gop.mkv"]
  )
  func again(_ fixture: String) throws {
    let clip = ProjectFolder.fixture(fixture)
    let small = try search(clip, CoverRequest(size: try #require(SizeLimit("40"))))
    #expect(small.framesDecoded == 2 * (try search(clip).framesDecoded))
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
  @Test("Only a small part of a clip of 1 GiB is read, wherever its index is", arguments: [true, false])
  func largeClip(_ indexIsInFront: Bool) throws {
    let scratch = try ScratchFolder()
    let clip = scratch("large.mp4")
    try SparseMovie.write(
      from: ProjectFolder.fixture(indexIsInFront ? "h264-faststart.mov" : "h264.mp4"),
      to: clip,
      mediaBytes: 1 << 30,
      indexIsInFront: indexIsInFront
    )
    let work = try search(clip)
    #expect(work.framesDecoded == 1)
    #expect(work.bytesRead <= 192 * 1024, "\(work.bytesRead) bytes")
    #expect(work.seeks <= 4)
  }
}

/// Checks that speed optimisations do not change covers.
@Suite("Decoding shortcuts")
struct ShortCutTests {
  private func cover(
    of clip: FilePath,
    _ request: CoverRequest = CoverRequest()
  ) throws -> [UInt8] {
    let scratch = try ScratchFolder()
    let file = try FileDescriptor.open(clip, .readOnly)
    return try file.closeAfter {
      let output = try scratch.create("cover.png")
      defer { try? output.close() }
      _ = try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output.rawValue)
      return try ScratchFolder.read(scratch("cover.png"))
    }
  }

  // The first clip has 96x80 pixels and is displayed as 87x80, so the covers are 42 and 44 pixels high. The second one has
  // 120x120 pixels and is displayed as 160x120, so the covers are 46 and 60 pixels high.
  @Test(
    "The loop filter is used for a cover with more than half of the clip's shorter or longer side",
    arguments: [
      ("anamorphic-fraction.mp4", 46), ("anamorphic-fraction.mp4", 48), ("anamorphic.mp4", 62), ("anamorphic.mp4", 80),
    ]
  )
  func justAboveHalf(_ fixture: String, _ width: Int) throws {
    let clip = ProjectFolder.fixture(fixture)
    var request = CoverRequest(size: try #require(SizeLimit("\(width)x\(width)")))
    let quick = try cover(of: clip, request)
    request.skipsDark = true
    #expect(try cover(of: clip, request) == quick)
  }

  // One frame a second, black at first; from the given time on it has a white border.
  @Test("A frame with visible content is searched for in the first 10 s", arguments: [(10, true), (11, false)])
  func darkStart(_ seconds: Int, _ isFound: Bool) async throws {
    let scratch = try ScratchFolder()
    let clip = try await make(
      "dark.mkv",
      in: scratch,
      ["-f", "lavfi", "-i", "color=s=64x64:r=1:d=13,drawbox=c=white:t=8:enable='gte(t,\(seconds))'", "-c:v", "ffv1"]
    )
    let file = try FileDescriptor.open(clip, .readOnly)
    try file.closeAfter {
      var request = CoverRequest()
      request.skipsDark = true
      let output = try scratch.create("cover.png")
      defer { try? output.close() }
      let facts = try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output.rawValue)
      #expect(facts.actualTime == (isFound ? Double(seconds) : 0) && facts.warnings.isEmpty == isFound)
    }
  }

  private func make(_ name: String, in scratch: ScratchFolder, _ arguments: [String]) async throws -> FilePath {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error"] + arguments + [scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return scratch(name)
  }

  // libx264 marks the start of each intra refresh as a key frame, and the container stores that flag.
  @Test("A frame marked as a key frame only by the container is not decoded alone")
  func keyFrameByName() async throws {
    let scratch = try ScratchFolder()
    let whole = try await make(
      "whole.mkv",
      in: scratch,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-c:v", "libx264", "-pix_fmt", "yuv420p"]
        + ["-x264-params", "intra-refresh=1:keyint=10:bframes=0"]
    )
    let flags = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=flags", "-of", "csv=p=0", whole.string]
    )
    let packets = flags.text.split(separator: "\n").map { $0.hasPrefix("K") }
    let second = try #require(packets.indices.dropFirst().first { packets[$0] })
    let cut = try await make(
      "cut.mkv",
      in: scratch,
      ["-i", whole.string, "-c", "copy", "-bsf:v", "noise=drop=lt(n\\,\(second))"]
    )
    var patient = CoverRequest()
    // This request examines the frames that follow, so no shortcuts are used; the first frame is bright enough.
    patient.skipsDark = true
    #expect(try cover(of: cut) == cover(of: cut, patient))
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
    let file = try FileDescriptor.open(destination, .writeOnly, options: .create, permissions: .ownerReadWrite)
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
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      boxes.append((String(decoding: bytes[start + 4..<start + 8], as: UTF8.self), start..<start + length))
      start += length
    }
    return boxes
  }
}
