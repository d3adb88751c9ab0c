import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// Which pictures of HEVC are left out on the way to a frame.
///
/// The encoders of Apple's devices call all pictures referenced. libx265 does not, so the tests change the types of its
/// pictures.
@Suite("References of HEVC pictures")
struct ReferenceTests {
  /// Makes a clip of 60 numbered frames of which all are called referenced, unless `keepsTypes` is set.
  private func makeClip(
    _ name: String,
    _ structure: String,
    keepsTypes: Bool = false,
    in scratch: ScratchFolder
  ) async throws -> FilePath {
    let (movie, clip) = (scratch("all.mp4"), scratch(name))
    try await GeneratedClips.make(
      movie,
      NumberedFrames.source(seconds: 2.4)
        + ["-c:v", "libx265", "-x265-params", "\(structure):scenecut=0:log-level=none"]
    )
    var boxes = MovieBox.parse(try ScratchFolder.read(movie)[...])
    if !keepsTypes {
      let changed = callReferenced(&boxes["mdat"].fields)
      try #require(changed > 10, "libx265 called all pictures referenced")
    }
    try ScratchFolder.write(boxes.bytes, to: movie)
    try await GeneratedClips.make(clip, ["-i", movie.string, "-c", "copy"])
    return clip
  }

  /// Changes the types of the units, each of which follows its length.
  ///
  /// - Returns: The number of units that were changed.
  private func callReferenced(_ units: inout [UInt8]) -> Int {
    var (at, changed) = (0, 0)
    while at + 5 < units.count {
      let type = units[at + 4] >> 1 & 0x3f
      if type < 10 && type % 2 == 0 {
        units[at + 4] |= 2
        changed += 1
      }
      at += 4 + units[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return changed
  }

  private static let structures = [
    "keyint=100:bframes=3:b-adapt=0",
    "keyint=100:bframes=7:b-adapt=0:temporal-layers=3",
    "keyint=100:bframes=4:b-adapt=0:no-b-pyramid=1:slices=2",
    "keyint=20:min-keyint=20:bframes=4:b-adapt=0:open-gop=1:repeat-headers=1:aud=1",
    "keyint=20:min-keyint=20:bframes=4:b-adapt=0:open-gop=0:radl=2",
    "keyint=100:bframes=5:b-adapt=2:ref=5:weightb=1",
    "keyint=100:bframes=2:ref=1:scaling-list=default",
    "keyint=30:bframes=3:intra-refresh=1",
  ]

  @Test("The frame at a time is the right one", arguments: structures, ["mp4", "mkv", "ts"])
  func numbers(_ structure: String, _ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = try await makeClip("clip.\(container)", structure, in: scratch)
    for number in [0, 1, 7, 18, 19, 20, 21, 41, 54, 58, 59] {
      let time = RequestedTime.seconds(Double(number) / 25 + 0.01)
      try await NumberedFrames.expect(number, at: time, of: clip, in: scratch)
    }
  }

  /// Every fourth of 60 frames in a group is needed for the 55th, and a few around it are decoded.
  @Test("Frames that no other needs are not decoded", arguments: ["mp4", "mkv", "mov"], [false, true])
  func work(_ container: String, _ keepsTypes: Bool) async throws {
    let scratch = try ScratchFolder()
    let structure = "keyint=100:bframes=3:b-adapt=0:no-b-pyramid=1"
    let clip = try await makeClip("clip.\(container)", structure, keepsTypes: keepsTypes, in: scratch)
    let work = try FrameSearch.work(on: clip, CoverRequest(time: .seconds(54.0 / 25 + 0.01)))
    #expect((14...22).contains(work.framesDecoded) && work.packetsRead <= 60, "\(work)")
  }

  /// What is cut off by an edit list is decoded as far as what is shown needs it.
  @Test("The first frame behind an edit list is the right one", arguments: structures, 40...47)
  func editList(_ structure: String, _ first: Int) async throws {
    let scratch = try ScratchFolder()
    let whole = try await makeClip("whole.mp4", structure, in: scratch)
    let start = "\(Double(first) / 25)"
    try await GeneratedClips.make(scratch("cut.mp4"), ["-ss", start, "-i", whole.string, "-c", "copy"])
    try await NumberedFrames.expect(first, at: .first, of: scratch("cut.mp4"), in: scratch)
  }
}
