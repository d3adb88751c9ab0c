import ClipService
import Covers
import Files
import SystemPackage
import TestSupport
import Testing

@Suite("Failure markers")
struct FailureMarkerTests {
  private let request = CoverRequest()

  private func outcome(
    _ stage: CoverFailure.Stage,
    _ cause: CoverFailure.Cause,
    bytes: Int? = 100,
    isKnown: Bool = false
  ) -> PictureOutcome {
    var outcome = PictureOutcome(
      status: .failed,
      clip: .init(path: "a.mp4", uri: "file:///a.mp4", bytes: bytes, mtimeNanoseconds: bytes.map { $0 * 10 }),
      path: nil,
      request: request,
      failure: CoverFailure(stage: stage, cause: cause, code: -22, message: "why", advice: "what to do")
    )
    outcome.isKnown = isKnown
    return outcome
  }

  private func place(_ scratch: ScratchFolder) -> CoverPlace {
    CoverPlace(
      cover: OutputPlace(scratch("covers/a.mp4.png"), derivedComponents: 2),
      marker: OutputPlace(scratch("covers/.a.mp4.failed.json"), derivedComponents: 2)
    )
  }

  @Test(
    "A marker is created if the cause lies in the clip",
    .enabled(if: Scope.isFull),
    arguments: [
      (.open, .unrecognised), (.open, .noIndex), (.selectStream, .noVideoStream), (.decode, .damaged),
      (.service, .decoderDied), (.service, .timedOut),
    ] as [(CoverFailure.Stage, CoverFailure.Cause)]
  )
  func made(stage: CoverFailure.Stage, cause: CoverFailure.Cause) throws {
    let marker = try #require(FailureMarker(outcome(stage, cause)))
    let scratch = try ScratchFolder()
    marker.leave(at: place(scratch))
    #expect(try ScratchFolder.names(in: scratch("covers")) == [".a.mp4.failed.json"])
    #expect(FailureMarker(at: place(scratch).marker) == marker)
    FailureMarker.remove(at: place(scratch))
    #expect(try ScratchFolder.names(in: scratch("covers")) == [])
    FailureMarker.remove(at: place(scratch))
  }

  @Test(
    "No marker is created if a later run may end differently with the same clip",
    arguments: [
      (.input, .missing), (.input, .denied), (.input, .empty), (.output, .outputFull), (.output, .outputDuplicate),
      (.encode, .outputFailed), (.service, .misuse),
    ] as [(CoverFailure.Stage, CoverFailure.Cause)]
  )
  func notMade(stage: CoverFailure.Stage, cause: CoverFailure.Cause) {
    #expect(FailureMarker(outcome(stage, cause)) == nil)
  }

  @Test("No marker is created for a failure already recorded, or for a clip that could not be opened")
  func notKnown() {
    #expect(FailureMarker(outcome(.decode, .damaged, isKnown: true)) == nil)
    #expect(FailureMarker(outcome(.decode, .damaged, bytes: nil)) == nil)
  }

  @Test("A marker applies only to the same clip and request")
  func holds() async throws {
    let scratch = try ScratchFolder()
    let clip = try scratch.write(Array(repeating: 1, count: 100), as: "a.mp4")
    func dated(_ date: String) async throws -> ClipVersion {
      let touch = try await Program.runTool("touch", ["-d", date, clip.string])
      try #require(touch.exitStatus == 0)
      return try ClipVersion(of: clip, followsLinks: true)
    }
    let marker = try #require(FailureMarker(outcome(.decode, .damaged)))
    var other = request
    other.size = SizeLimit(width: 64, height: 64) ?? .none
    // 100 bytes and 1000 nanoseconds after 1970, as in the outcome.
    let same = try await dated("1970-01-01T00:00:00.000001Z")
    #expect(marker.holds(for: same, request: request))
    #expect(!marker.holds(for: same, request: other))
    let later = try await dated("1970-01-01T00:00:00.000001001Z")
    #expect(!marker.holds(for: later, request: request))
    try scratch.write(Array(repeating: 1, count: 101), as: "a.mp4")
    let longer = try await dated("1970-01-01T00:00:00.000001Z")
    #expect(!marker.holds(for: longer, request: request))
  }

  @Test("Invalid and missing markers are ignored", arguments: ["", "{}", "[]", "{\"bytes\":1}", "\u{0}\u{1}"])
  func broken(_ text: String) throws {
    let scratch = try ScratchFolder()
    try scratch.write(Array(text.utf8), as: "note")
    #expect(FailureMarker(at: OutputPlace(named: scratch("note"))) == nil)
    #expect(FailureMarker(at: OutputPlace(named: scratch("missing"))) == nil)
  }
}
