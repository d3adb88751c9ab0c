import CoverDecoding
import Covers
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What finding the first frame takes, counted instead of timed.
@Suite("the first frame is found with little work")
struct WorkTests {
  private func search(_ clip: FilePath, _ request: CoverRequest = CoverRequest()) throws -> Clip.Counters {
    let file = try FileDescriptor.open(clip, .readOnly)
    return try file.closeAfter {
      var search = try FrameSearch(in: file.rawValue, for: request, limits: Clip.Limits())
      try search.find()
      return search.work
    }
  }

  // In a container that tells when each packet is presented, one packet suffices. In a transport stream the decoder of
  // MPEG-2 gives the first frame out with the second that is not presented before it.
  @Test(
    "one frame is decoded, of few packets",
    arguments: [
      ("h264-faststart.mov", 1), ("1080p.mp4", 1), ("b-frames-3.mp4", 1), ("hevc.mkv", 1), ("vp9.webm", 1),
      ("rotated-90.mp4", 1), ("mpeg2.ts", 3),
    ]
  )
  func firstFrame(_ fixture: String, _ mostPackets: Int) throws {
    let work = try search(ProjectFolder.fixture(fixture))
    #expect(work.framesDecoded == 1)
    #expect((1...mostPackets).contains(work.packetsRead), "\(work.packetsRead) packets")
    #expect(work.decodeErrors == 0)
  }

  @Test(
    "where a frame behind the first packet's is presented before it, or may be, the decoder has more packets",
    arguments: ["open-gop.mkv", "open-gop-hevc.mkv", "edit-list.mp4"]
  )
  func firstFrameIsBehind(_ fixture: String) throws {
    #expect(try search(ProjectFolder.fixture(fixture)).packetsRead > 1)
  }

  @Test("a small cover takes no more packets than a large one")
  func quickly() throws {
    let clip = ProjectFolder.fixture("1080p.mp4")
    let small = CoverRequest(size: try #require(SizeLimit("256")))
    #expect(try search(clip, small) == search(clip))
  }

  // The first frame shown of edit-list.mp4 is not a key frame; that of open-gop.mkv follows a frame that is not shown.
  @Test(
    "a small cover is decoded again where other frames were decoded too, or its own refers to others",
    arguments: ["edit-list.mp4", "open-gop.mkv"]
  )
  func again(_ fixture: String) throws {
    let clip = ProjectFolder.fixture(fixture)
    let small = try search(clip, CoverRequest(size: try #require(SizeLimit("40"))))
    #expect(small.framesDecoded == 2 * (try search(clip).framesDecoded))
  }

  // The whole clip would be 1 GiB. What is read beside the index and the first packets is rounding to whole buffers.
  @Test("of a clip of 1 GiB little is read, wherever its index is", arguments: [true, false])
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

/// What is left out for speed changes no cover.
@Suite("short cuts change nothing")
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
      _ = try CoverMaker.makeCover(of: file.rawValue, request: request, into: output.rawValue)
      return try ScratchFolder.read(scratch("cover.png"))
    }
  }

  // The clip has 96x80 pixels and is shown as 87x80, so these covers are 42 and 44 pixels high.
  @Test(
    "the loop filter is used for a cover that has more than half of the clip's shorter side",
    arguments: [46, 48]
  )
  func justAboveHalf(_ width: Int) throws {
    let clip = ProjectFolder.fixture("anamorphic-fraction.mp4")
    var request = CoverRequest(size: try #require(SizeLimit("\(width)x\(width)")))
    let quick = try cover(of: clip, request)
    request.skipsDark = true
    #expect(try cover(of: clip, request) == quick)
  }

  private func make(_ name: String, in scratch: ScratchFolder, _ arguments: [String]) async throws -> FilePath {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error"] + arguments + [scratch(name).string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return scratch(name)
  }

  // libx264 calls the places where a refresh in stripes begins key frames, and the container believes it.
  @Test("a key frame by the container's word alone is not decoded alone")
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
    // This one looks at the frames that follow, so it takes no short cut; the first is bright enough.
    patient.skipsDark = true
    #expect(try cover(of: cut) == cover(of: cut, patient))
  }
}

/// Movies whose media data is mostly a hole.
private enum SparseMovie {
  /// Copies a movie, with its media data grown to a size and its index before or behind that.
  ///
  /// The offsets in the index are from the file's start, so what lies before the media data keeps its length.
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
