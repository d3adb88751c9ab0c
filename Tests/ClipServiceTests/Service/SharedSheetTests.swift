import Covers
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ClipService

/// Uses the real decoder.
///
/// One decoder that decodes all tiles is the reference for two that share them; what it decodes is compared with
/// ffmpeg's frames in `SheetTests`.
@Suite("Sheets shared by two decoders")
struct SharedSheetTests {
  private let scratch: ScratchFolder
  private let service = CoverService(decoder: ProjectFolder.program("clipcanvas-decoder"))

  init() throws {
    scratch = try ScratchFolder()
  }

  // MARK: - Clips

  struct Kind: CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var testDescription: String { name }

    init(_ name: String, _ arguments: String...) {
      (self.name, self.arguments) = (name, arguments)
    }
  }

  /// Key frames near and far, without and with reordering, gaps, fields, and frames of several tiles' length.
  static let kinds = [
    Kind("near.mp4", "-g", "10"), Kind("far.mkv", "-g", "1000"), Kind("open.ts", "-x264-params", "open-gop=1"),
    Kind("vp9.webm", "-c:v", "libvpx-vp9", "-deadline", "realtime"), Kind("mpeg2.ts", "-c:v", "mpeg2video"),
    Kind("mjpeg.avi", "-c:v", "mjpeg"), Kind("raw.h264", "-g", "10"), Kind("fields.ts", "-flags", "+ilme+ildct"),
    Kind("slow.mkv", "-r", "1.3"),
    Kind("gap.mp4", "-vf", "select=not(between(n\\,20\\,60))", "-fps_mode", "vfr"),
    Kind("refresh.ts", "-g", "1000", "-x264-params", "intra-refresh=1:keyint=30"),
  ]

  private func make(
    _ name: String,
    seconds: Double = 4,
    sound: String? = nil,
    _ arguments: [String] = []
  ) async throws -> FilePath {
    let clip = scratch(name)
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=\(seconds)"]
        + (sound.map { ["-f", "lavfi", "-i", $0] } ?? []) + ["-c:v", "libx264", "-pix_fmt", "yuv420p"] + arguments
        + ["-y", clip.string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return clip
  }

  // MARK: - Sheets

  private static let plans = [
    ("contact sheet", SheetPlan(.spread(12))), ("exact contact sheet", exact(SheetPlan(.spread(9)))),
    ("positions", SheetPlan(.at([.seconds(0.3), .percent(40), .percent(41), .seconds(3), .percent(99)]))),
    ("storyboard", SheetPlan(columns: 3, rows: 4, interval: 0.4)),
    ("exact storyboard", exact(SheetPlan(columns: 5, rows: 5, interval: 0.3))),
  ]

  private static func exact(_ plan: SheetPlan) -> SheetPlan {
    var plan = plan
    plan.usesKeyFrames = false
    return plan
  }

  private func pictures(of clip: FilePath, helper: RestartingDecoder? = nil) -> ClipPictures {
    ClipPictures(clip: FoundClip(named: clip, relativePath: clip), uri: clip.uri(in: scratch.path), helper: helper)
  }

  private func request(_ plan: SheetPlan) -> CoverRequest {
    var request = CoverRequest(size: SizeLimit(width: 80, height: 80) ?? .none)
    request.sheet = plan
    request.format = .jpeg
    return request
  }

  /// A sheet as a file, and its facts without the times of the stages.
  private struct Sheet: Equatable {
    let facts: CoverFacts
    let bytes: [UInt8]

    init(_ sheet: DecodedCover) throws {
      var facts = sheet.facts
      facts.milliseconds = nil
      self.facts = facts
      bytes = try sheet.picture.withBytes { Array($0) }
    }
  }

  private func sheet(_ plan: SheetPlan, of clip: FilePath, helper: RestartingDecoder? = nil) async throws -> Sheet {
    let (pictures, decoder) = (pictures(of: clip, helper: helper), service.makeDecoder())
    let result = try await pictures.decode(request(plan), text: "{}", of: try pictures.open(), with: decoder)
    await decoder.end()
    return try Sheet(try result.get())
  }

  /// Returns the tiles if two decoders have shared them.
  private func sharedTiles(_ plan: SheetPlan, of clip: FilePath, helper: RestartingDecoder) async throws -> SheetTiles?
  {
    let (pictures, decoder) = (pictures(of: clip, helper: helper), service.makeDecoder())
    let result = try await pictures.decodeSharedTiles(for: request(plan), of: try pictures.open(), with: decoder)
    await decoder.end()
    return try result.get()
  }

  // MARK: - Tests

  @Test("They are those that one decoder makes", .enabled(if: Scope.isFull), arguments: kinds)
  func same(_ kind: Kind) async throws {
    let clip = try await make(kind.name, kind.arguments)
    let helper = service.makeDecoder()
    for (name, plan) in Self.plans {
      let tiles = try #require(try await sharedTiles(plan, of: clip, helper: helper), "\(name) was not shared")
      #expect(tiles.frames.times.count >= 4 && !tiles.frames.times.contains(nil), "\(name)")
      #expect(try await sheet(plan, of: clip, helper: helper) == sheet(plan, of: clip), "\(name)")
    }
    #expect(await helper.starts == 1)
    await helper.end()
  }

  @Test(
    "Later and padded sheets of a storyboard are shared as well",
    .enabled(if: Scope.isFull),
    arguments: [0, 1, 2],
    [false, true]
  )
  func series(_ number: Int, _ isPadded: Bool) async throws {
    let clip = try await make("a.mp4", ["-g", "10"])
    var plan = SheetPlan(columns: 3, rows: 3, interval: 0.17)
    (plan.number, plan.isPadded) = (number, isPadded)
    let helper = service.makeDecoder()
    // The third sheet has six tiles.
    let tiles = try #require(try await sharedTiles(plan, of: clip, helper: helper))
    #expect(tiles.frames.times.count == (number == 2 ? 6 : 9))
    #expect(try await sheet(plan, of: clip, helper: helper) == sheet(plan, of: clip))
    await helper.end()
  }

  @Test(
    "A storyboard with few tiles is made by one decoder",
    .enabled(if: Scope.isFull),
    arguments: [(0.2, 1), (0.5, 2), (0.8, 3)]
  )
  func few(_ seconds: Double, _ count: Int) async throws {
    let clip = try await make("a.mp4", seconds: seconds)
    let (plan, helper) = (SheetPlan(columns: 3, rows: 3, interval: 0.3), service.makeDecoder())
    let tiles = try #require(try await sharedTiles(plan, of: clip, helper: helper))
    #expect(tiles.frames.times.count == count)
    #expect(try await sheet(plan, of: clip, helper: helper) == sheet(plan, of: clip))
    await helper.end()
  }

  @Test("A frame that both halves show is shown once", .enabled(if: Scope.isFull), arguments: [1, 2, 3, 4, 5])
  func boundary(_ frames: Int) async throws {
    // From FFmpeg 6 on, ffmpeg adds a frame at the end.
    let clip = try await make("a.mkv", ["-r", "\(frames)/4", "-g", "1", "-frames:v", "\(frames + 1)"])
    let (plan, helper) = (SheetPlan(.spread(12)), service.makeDecoder())
    let alone = try await sheet(plan, of: clip)
    #expect(alone.facts.tiles?.times.count ?? 0 <= frames + 1)
    #expect(try await sheet(plan, of: clip, helper: helper) == alone)
    await helper.end()
  }

  @Test("Damaged tiles are crossed out in both halves")
  func damage() async throws {
    let clip = try await make("a.mkv", seconds: 8, ["-g", "10"])
    var bytes = try ScratchFolder.read(clip)
    let start = bytes.count / 2
    for index in start..<start + bytes.count / 5 { bytes[index] = UInt8(truncatingIfNeeded: index &* 37) }
    try ScratchFolder.write(bytes, to: clip)
    let helper = service.makeDecoder()
    for plan in [SheetPlan(.spread(20)), SheetPlan(columns: 5, rows: 4, interval: 0.4)] {
      let alone = try await sheet(plan, of: clip)
      #expect(alone.facts.tiles?.damaged ?? 0 > 0 && alone.facts.degradation == .damagedTiles)
      #expect(try await sheet(plan, of: clip, helper: helper) == alone)
    }
    await helper.end()
  }

  @Test(
    "One decoder makes the sheet of a clip whose video ends early, or that changes its size",
    .enabled(if: Scope.isFull)
  )
  func unshared() async throws {
    let (long, helper) = (SheetPlan(.spread(12)), service.makeDecoder())
    let silent = try await make("short.mkv", sound: "sine=d=9")
    let (small, large) = (try await make("a.ts"), try await make("b.ts", ["-s", "64x96", "-output_ts_offset", "4"]))
    try scratch.write(ScratchFolder.read(small) + ScratchFolder.read(large), as: "both.ts")
    for clip in [silent, scratch("both.ts")] {
      #expect(try await sharedTiles(long, of: clip, helper: helper) == nil, "\(clip)")
      #expect(try await sheet(long, of: clip, helper: helper) == sheet(long, of: clip), "\(clip)")
    }
    let late = SheetPlan(.at([.seconds(0), .seconds(1), .seconds(2), .seconds(30)]))
    let clip = try await make("a.mp4")
    let warned = try await sheet(late, of: clip, helper: helper)
    #expect(warned.facts.warnings == ["the clip ends before 30 s; used the last frame"])
    #expect(try await sheet(late, of: clip) == warned)
    await helper.end()
  }

  @Test("A second decoder that cannot be started is done without", .enabled(if: Scope.isFull))
  func missing() async throws {
    let clip = try await make("a.mp4")
    let helper = CoverService(decoder: scratch("missing")).makeDecoder()
    #expect(
      try await sheet(SheetPlan(.spread(12)), of: clip, helper: helper) == sheet(SheetPlan(.spread(12)), of: clip)
    )
  }

  /// The files of a storyboard with nine tiles in each sheet, by name.
  private func storyboard(of clip: FilePath, helper: RestartingDecoder?) async throws -> [String: [UInt8]] {
    var picture = CoverRequest(size: SizeLimit(width: 80, height: 80) ?? .none)
    picture.isExact = true
    let plan = SheetPlan(columns: 3, rows: 3, interval: 0.2)
    let request = StoryboardRequest(layout: .webvtt, plan: plan, picture: picture)
    let order = StoryboardOrder(clip: clip, in: nil, request: request, isForced: true)
    let decoder = service.makeDecoder()
    var job = StoryboardJob(order, text: try order.request.picture.text(), in: scratch.path)
    job.pictures.helper = helper
    let outcome = try await job.outcomeWithRetry(with: decoder)
    await decoder.end()
    try #require(outcome.failure == nil && outcome.attempts == 1, "\(outcome)")
    let folder = FilePath(clip.string + ".storyboard")
    var files: [String: [UInt8]] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.string) {
      files[name] = try ScratchFolder.read(folder.appending(name))
    }
    return files
  }

  @Test(
    "Of several sheets, each decoder makes one, and they share the last",
    .enabled(if: Scope.isFull),
    arguments: 1...5
  )
  func several(_ sheets: Int) async throws {
    let clip = try await make("a.mp4", seconds: 1.8 * Double(sheets) - 0.5, ["-g", "10"])
    let helper = service.makeDecoder()
    let shared = try await storyboard(of: clip, helper: helper)
    #expect(shared.count == sheets + 1)
    #expect(try await storyboard(of: clip, helper: nil) == shared)
    #expect(await helper.starts == 1)
    await helper.end()
  }

  @Test(
    "Sheets that follow have the tiles of the first, whatever size the clip declares",
    .enabled(if: Scope.isFull)
  )
  func otherSize() async throws {
    let (small, large) = (try await make("a.ts"), try await make("b.ts", ["-s", "64x96", "-output_ts_offset", "4"]))
    try scratch.write(ScratchFolder.read(small) + ScratchFolder.read(large), as: "both.ts")
    let helper = service.makeDecoder()
    let shared = try await storyboard(of: scratch("both.ts"), helper: helper)
    #expect(shared.count > 3)
    #expect(try await storyboard(of: scratch("both.ts"), helper: nil) == shared)
    await helper.end()
  }

  @Test(
    "A second decoder that dies or lies fails the sheet, which is then made by one",
    .enabled(if: Scope.isFull),
    arguments: [
      "killed", "garbage", "halfPicture",
    ]
  )
  func broken(_ fault: String) async throws {
    let clip = try await make("a.mp4")
    let faulty = try TestDecoder.broken(by: fault, in: scratch)
    let order = StoryboardOrder(
      clip: clip,
      in: nil,
      request: StoryboardRequest(
        layout: .webvtt,
        plan: SheetPlan(columns: 4, rows: 4, interval: 0.3),
        picture: CoverRequest(size: SizeLimit(width: 80, height: 80) ?? .none)
      ),
      isForced: true
    )
    let (decoder, helper) = (service.makeDecoder(), CoverService(decoder: faulty).makeDecoder())
    var job = StoryboardJob(order, text: try order.request.picture.text(), in: scratch.path)
    job.pictures.helper = helper
    let outcome = try await job.outcomeWithRetry(with: decoder)
    #expect(outcome.status == .storyboard && outcome.attempts == 2, "\(outcome)")
    await decoder.end()
    await helper.end()
  }
}
