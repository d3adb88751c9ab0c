import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Clips whose size libavformat does not take from the header, such as MPEG-4 in MP4 and MOV.
@Suite("Sizes that only frames state")
struct UnstatedSizeTests {
  static let clips = [
    ("a.mov", ["-c:v", "mpeg4"]), ("a.mp4", ["-c:v", "mpeg4"]), ("a.3gp", ["-c:v", "mpeg4"]),
    ("h263.3gp", ["-c:v", "h263"]), ("turned.mov", ["-c:v", "mpeg4"]),
    ("wide.mov", ["-c:v", "mpeg4", "-aspect", "4:1"]),
    ("mpeg2.mov", ["-c:v", "mpeg2video"]), ("xvid.avi", ["-c:v", "mpeg4", "-vtag", "XVID"]),
  ]

  @Test("The header of a contact sheet has the size of the frames", arguments: clips)
  func sheet(_ name: String, _ coding: [String]) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch(name)
    try await GeneratedClips.make(clip, ["-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=2"] + coding)
    var (width, height) = (name.hasPrefix("wide") ? 576 : 176, 144)
    if name.hasPrefix("turned") {
      // In the header itself, because ffmpeg's option for it depends on its version.
      var movie = try ScratchFolder.read(clip)
      try TrackMatrix.replace(with: TrackMatrix.turned(height: 144), in: &movie)
      try ScratchFolder.write(movie, to: clip)
      (width, height) = (144, 176)
    }
    var request = CoverRequest(size: .none)
    request.sheet = SheetPlan(.spread(4))
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    let output = try FileDescriptor.open(
      scratch("tiles"),
      .readWrite,
      options: [.create, .closeOnExec],
      permissions: .ownerReadWrite
    )
    let facts = try file.closeAfter {
      try output.closeAfter {
        try CoverExtractor.writeTiles(of: file.rawValue, request: request, into: output.rawValue).clip
      }
    }
    #expect((facts.shownWidth, facts.shownHeight) == (width, height), "\(facts)")
    #expect((facts.storedWidth, facts.storedHeight) == (176, 144), "\(facts)")
    let probed = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    let other = try probed.closeAfter { try CoverExtractor.probe(probed.rawValue).facts }
    #expect((other.shownWidth, other.shownHeight) == (width, height), "\(other)")
  }
}
