import ClipService
import Covers
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Uses the real decoder.
@Suite("Replacement of decoder processes")
struct DecoderReplacementTests {
  private static let fixtures = ["h264.mp4", "vp9.webm", "rotated-90.mp4", "1x1.mkv", "sound-only.m4a", "mpeg2.ts"]

  /// Creates a folder with twelve clips.
  private func clips() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for (number, fixture) in (Self.fixtures + Self.fixtures).enumerated() {
      try scratch.copy(ProjectFolder.fixture(fixture), as: "c/\(number)-\(fixture).mp4")
    }
    return scratch
  }

  /// Makes covers in a folder and returns the outcome of each clip.
  private func run(
    _ scratch: ScratchFolder,
    into folder: String,
    clipsADecoder: Int,
    jobs: Int,
    whenBegun: @escaping @Sendable () -> Void = {}
  ) async throws -> (summary: BatchSummary, outcomes: [String]) {
    var service = CoverService(decoder: ProjectFolder.program("clipcanvas-decoder"))
    service.maximumClipsPerDecoder = clipsADecoder
    let batch = Batch(
      clips: ClipSelection(paths: [scratch("c")]),
      request: CoverRequest(),
      placement: .below(scratch(folder)),
      jobs: jobs
    )
    let outcomes = Mutex<[String]>([])
    let summary = try await service.run(batch) { event in
      switch event {
      case .began: whenBegun()
      case .finished(let result):
        let outcome = result.cover?.outcome
        outcomes.withLock {
          $0.append(
            "\(result.clip.lastComponent?.string ?? "") \(outcome?.status, default: "-") \(outcome?.attempts ?? 0)"
          )
        }
      case .postponed, .ended, .madeExtra, .wasNoClip, .planned, .removed, .keptPictures: break
      }
    }
    return (summary, outcomes.withLock { $0.sorted() })
  }

  @Test(
    "Replacing decoders after any number of clips does not change the covers",
    .enabled(if: Scope.isFull),
    arguments: [1, 2, 5],
    [1, 2]
  )
  func afterClips(_ clips: Int, _ jobs: Int) async throws {
    let scratch = try self.clips()
    let one = try await run(scratch, into: "one", clipsADecoder: 1000, jobs: 1)
    #expect(one.summary.decoders == 1 && one.summary.covers == 10 && one.summary.failed == 2)
    let many = try await run(scratch, into: "many", clipsADecoder: clips, jobs: jobs)
    #expect(many.outcomes == one.outcomes)
    #expect(try FolderTree(below: scratch("many")).differences(from: FolderTree(below: scratch("one"))) == [])
    // Each decoder processes its full share; with two jobs the last ones may process less.
    let least = (12 + clips - 1) / clips
    #expect((least...least + jobs - 1).contains(many.summary.decoders), "\(many.summary.decoders)")
  }

  // The test runs in a separate process, whose only children are decoders.
  @Test("A decoder killed between two clips does not cost an attempt", .enabled(if: Scope.isFull))
  func killedIdle() async throws {
    await #expect(processExitsWith: .success) {
      let test = DecoderReplacementTests()
      let scratch = try test.clips()
      let run = try await test.run(scratch, into: "covers", clipsADecoder: 1000, jobs: 1) {
        // The decoder has replied and is waiting for this clip, which is sent when this call returns.
        for child in ProcessStatus.children() {
          kill(child, SIGKILL)
          while ProcessStatus.isRunning(child) { usleep(1000) }
        }
      }
      #expect(run.summary.covers == 10 && run.summary.failed == 2 && run.summary.decoders == 12)
      #expect(run.outcomes.allSatisfy { $0.hasSuffix(" 1") }, "\(run.outcomes)")
    }
  }
}
