import Covers
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import BoardServer

@Suite("The types of clips", .enabled(if: Scope.isFull))
struct ClipKindsTests {
  /// A decoder that gives answers one after another, the last of them for ever.
  private final class Decoder: Sendable {
    let asked = Mutex(0)
    private let answers: [Result<String, CoverFailure>]

    init(_ answers: Result<String, CoverFailure>...) { self.answers = answers }

    func answer() async -> Result<String, CoverFailure> {
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      // Long enough for others to ask.
      try? await pause(.milliseconds(50))
      return answers[min(number, answers.count) - 1]
    }
  }

  private static func failure(_ cause: CoverFailure.Cause) -> Result<String, CoverFailure> {
    .failure(CoverFailure(stage: .open, cause: cause, message: "it failed"))
  }

  private func type(_ kinds: ClipKinds, _ tag: String = "1") async -> String? {
    try? await kinds.type(of: "clip", tag)
  }

  @Test("One question is enough for all who ask at once or later", arguments: [false, true])
  func once(_ isClip: Bool) async throws {
    let decoder = Decoder(isClip ? .success("video/mp4") : Self.failure(.unrecognised))
    let kinds = ClipKinds { _ in await decoder.answer() }
    await withTaskGroup(of: String?.self) { group in
      for _ in 0..<5 { group.addTask { await type(kinds) } }
      for await answer in group { #expect(answer == (isClip ? "video/mp4" : nil)) }
    }
    _ = await type(kinds)
    #expect(decoder.asked.withLock { $0 } == 1)
    // The file was repaired, for instance.
    _ = await type(kinds, "2")
    #expect(decoder.asked.withLock { $0 } == 2)
  }

  @Test(
    "A decoder that breaks down is asked again",
    arguments: [CoverFailure.Cause.decoderDied, .outOfMemory, .timedOut]
  )
  func breakdown(_ cause: CoverFailure.Cause) async throws {
    let decoder = Decoder(Self.failure(cause), .success("video/mp4"))
    let kinds = ClipKinds { _ in await decoder.answer() }
    #expect(await type(kinds) == nil)
    #expect(await type(kinds) == "video/mp4")
  }
}
