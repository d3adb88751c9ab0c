import Covers
import SystemPackage
import TestSupport
import Testing

@testable import CoverDecoding

/// Covers of a clip that stays open, compared with covers that are made alone.
@Suite("Several covers of one clip")
struct ClipCoversTests {
  /// The result of making a cover: its bytes, and everything known about it except the time taken.
  private struct Made: Equatable {
    var bytes: [UInt8] = []
    var facts: CoverFacts?
    var failure: CoverFailure?

    init(
      in output: FilePath,
      _ makeCover: (Int32) throws(CoverFailure) -> CoverFacts
    ) throws {
      let file = try FileDescriptor.open(
        output,
        .writeOnly,
        options: [.create, .truncate, .closeOnExec],
        permissions: .ownerReadWrite
      )
      defer { try? file.close() }
      do throws(CoverFailure) {
        facts = try makeCover(file.rawValue)
        facts?.milliseconds = nil
      } catch {
        failure = error
        return
      }
      bytes = Array(try ScratchFolder.read(output))
    }
  }

  /// Makes the covers for a list of times, and returns the times whose cover differs from that made alone.
  private func differences(_ clip: FilePath) throws -> [String] {
    let scratch = try ScratchFolder()
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    return try file.closeAfter {
      var covers = ClipCovers(of: file.rawValue)
      return try Self.times.split(separator: ",").compactMap { text in
        var request = CoverRequest(size: try #require(SizeLimit("64")))
        request.time = try #require(RequestedTime(String(text)))
        let alone = try Made(in: scratch("alone.png")) { output throws(CoverFailure) in
          try CoverExtractor.makeCover(of: file.rawValue, request: request, into: output)
        }
        let inSeries = try Made(in: scratch("series.png")) { output throws(CoverFailure) in
          try covers.makeCover(request, into: output)
        }
        return alone == inSeries ? nil : "\(clip.string) at \(text)"
      }
    }
  }

  private static let times = "10%,50%,50.5%,first,key:90%,30%,best,70%,100%,60%,best"

  /// Small files; all files in the long form.
  private static func short(_ clips: [FilePath]) -> [FilePath] {
    clips.filter { clip in LongForm.isWanted || ((try? bytes(of: clip)) ?? .max) < 100_000 }
  }

  private static func bytes(of clip: FilePath) throws -> Int64 {
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    return try file.closeAfter { try file.seek(offset: 0, from: .end) }
  }

  private static let shortRecordings: [FilePath] = short(
    (SharedClips.valid + SharedClips.awkward + SharedClips.hostile).map { SharedClips.path($0) }
  )

  private static let shortFixtures = short(FixtureManifest.withCover.map(\.path))

  @Test(
    "Each cover is the same as one made alone",
    .enabled(if: Scope.isFull),
    arguments: Scope.cases(shortFixtures, quick: 12)
  )
  func fixtures(_ clip: FilePath) throws {
    #expect(try differences(clip) == [])
  }

  @Test(
    "So it is with real recordings",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, Comment(rawValue: SharedClips.absence)),
    arguments: shortRecordings
  )
  func recordings(_ clip: FilePath) throws {
    #expect(try differences(clip) == [])
  }

  // One key frame, then 249 frames that depend on it.
  @Test("Frames between the times are decoded once", arguments: ["mp4", "mov"])
  func work(_ container: String) async throws {
    let scratch = try ScratchFolder()
    let clip = scratch("long-group.\(container)")
    try await GeneratedClips.make(
      clip,
      [
        "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=10", "-c:v", "mpeg4", "-g", "300",
        "-sc_threshold", "1000000000",
      ]
    )
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    try file.closeAfter {
      var reusable: ReusableClip?
      var work = ClipDecoder.Counters()
      for time in ["10%", "50%", "90%"] {
        let request = CoverRequest(time: try #require(RequestedTime(time)))
        var search = try FrameSearch(
          in: file.rawValue,
          for: request,
          limits: ClipDecoder.Limits(),
          reusing: reusable.take()
        )
        try search.find()
        work = search.work
        reusable = search.reusableClip()
      }
      #expect((220...230).contains(work.framesDecoded), "\(work)")
    }
  }

  @Test("The best frame is searched once", arguments: ["h264.mp4", "vp9.webm", "fade-in.mp4"])
  func best(_ fixture: String) throws {
    let clip = ProjectFolder.fixture(fixture)
    let file = try FileDescriptor.open(clip, .readOnly, options: .closeOnExec)
    try file.closeAfter {
      var found: BestFrame.Candidate?
      var decoded: [Int] = []
      for _ in 1...2 {
        let request = CoverRequest(time: .best)
        var search = try FrameSearch(in: file.rawValue, for: request, limits: ClipDecoder.Limits(), best: found)
        try search.find()
        found = search.best
        decoded.append(search.work.framesDecoded)
      }
      let work = try FrameSearch.work(
        on: clip,
        CoverRequest(time: try #require(found.map { .frame(at: .seconds($0.time / .seconds(1))) }))
      )
      #expect(decoded[1] <= work.framesDecoded && decoded[1] < decoded[0], "\(decoded), \(work)")
    }
  }

  @Test("The time limit is that of each cover")
  func deadline() throws {
    let file = try FileDescriptor.open(ProjectFolder.fixture("h264.mp4"), .readOnly, options: .closeOnExec)
    try file.closeAfter {
      let scratch = try ScratchFolder()
      let output = try FileDescriptor.open(
        scratch("cover.png"),
        .writeOnly,
        options: [.create, .closeOnExec],
        permissions: .ownerReadWrite
      )
      try output.closeAfter {
        var covers = ClipCovers(of: file.rawValue)
        let first = CoverRequest(time: try #require(RequestedTime("10%")))
        _ = try covers.makeCover(first, into: output.rawValue)
        let request = CoverRequest(time: try #require(RequestedTime("90%")))
        let error = #expect(throws: CoverFailure.self) {
          try covers.makeCover(
            request,
            into: output.rawValue,
            limits: ClipDecoder.Limits(deadline: .microseconds(1))
          )
        }
        #expect(error?.cause == .timedOut)
        #expect(try covers.makeCover(request, into: output.rawValue).warnings == [])
      }
    }
  }
}
