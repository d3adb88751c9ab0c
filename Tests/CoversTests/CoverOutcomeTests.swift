import Covers
import Testing

@Suite("Cover outcomes")
struct CoverOutcomeTests {
  private static let clip = CoverOutcome.Clip(
    path: "a/b.mp4",
    uri: "file:///a/b.mp4",
    bytes: 12_345,
    mtimeNanoseconds: 1_700_000_000_123_456_789
  )

  private static let facts = {
    var facts = CoverFacts(
      size: PixelSize(width: 240, height: 320),
      alpha: false,
      stored: PixelSize(width: 1440, height: 1080),
      orientation: Orientation(transposes: true, mirrorsX: true),
      sampleAspectRatio: Rational(4, over: 3),
      container: "mov,mp4,m4a,3gp,3g2,mj2",
      codec: "h264",
      pixelFormat: "yuv420p",
      milliseconds: .init(open: 1.5, decode: 2.5, convert: 0.25, encode: 4)
    )
    facts.actualTime = 0.5
    facts.actualTimeExact = Rational(1, over: 2)
    return facts
  }()

  private static func text(_ outcome: CoverOutcome) throws -> String {
    String(decoding: try CanonicalJSON.line(outcome), as: UTF8.self)
  }

  @Test("The outcome with a cover is one object with the request, the clip and the facts")
  func cover() throws {
    let request = CoverRequest(size: try #require(SizeLimit("320")), time: .seconds(0.5))
    let outcome = CoverOutcome(status: .cover, clip: Self.clip, cover: "b.png", request: request, facts: Self.facts)
    #expect(
      try Self.text(outcome) == """
        {"actualTime":0.5,"actualTimeExact":"1/2","alpha":false,\
        "clip":{"bytes":12345,"mtimeNanoseconds":1700000000123456789,"path":"a/b.mp4","uri":"file:///a/b.mp4"},\
        "codec":"h264","container":"mov,mp4,m4a,3gp,3g2,mj2","cover":"b.png","height":320,"interlaced":false,\
        "lumaVariance":0,"meanLuma":0,\
        "milliseconds":{"convert":0.25,"decode":2.5,"encode":4,"open":1.5},"mirrored":false,"pixelFormat":"yuv420p",\
        "requestedSize":"320x320","requestedTime":"0.5","rotation":90,"sampleAspectRatio":"4/3","status":"cover",\
        "storedHeight":1080,"storedWidth":1440,"toneMapped":false,"warnings":[],"width":240}
        """
    )
  }

  @Test("A failure contains stage, reason, code and message, and no size if none was requested")
  func failure() throws {
    let failure = CoverFailure(
      stage: .selectStream,
      cause: .noVideoStream,
      code: -1,
      message: "no video stream",
      advice: "take another clip"
    )
    let clip = CoverOutcome.Clip(path: "b.mp3", uri: "file:///b.mp3")
    let outcome = CoverOutcome(status: .failed, clip: clip, cover: nil, request: CoverRequest(), failure: failure)
    #expect(
      try Self.text(outcome) == """
        {"advice":"take another clip","clip":{"path":"b.mp3","uri":"file:///b.mp3"},"code":-1,\
        "message":"no video stream","reason":"noVideoStream","requestedTime":"first","stage":"selectStream",\
        "status":"failed"}
        """
    )
  }

  @Test("A degraded cover has a reason in addition to its facts")
  func degraded() throws {
    var facts = Self.facts
    facts.degradation = .corruptFrame
    let outcome = CoverOutcome(
      status: .degraded,
      clip: Self.clip,
      cover: "b.png",
      request: CoverRequest(),
      facts: facts
    )
    let text = try Self.text(outcome)
    #expect(text.contains(#""reason":"corruptFrame""#))
    #expect(text.contains(#""status":"degraded""#))
    #expect(text.contains(#""width":240"#))
  }

  @Test("A fresh cover made by an earlier version has no facts")
  func fresh() throws {
    let outcome = CoverOutcome(
      status: .fresh,
      clip: .init(path: "b.mp4", uri: "file:///b.mp4"),
      cover: "b.png",
      request: CoverRequest()
    )
    #expect(
      try Self.text(outcome) == """
        {"clip":{"path":"b.mp4","uri":"file:///b.mp4"},"cover":"b.png","requestedTime":"first","status":"fresh"}
        """
    )
  }

  @Test(
    "A new, degraded or fresh cover is usable",
    arguments: [
      (.cover, true), (.fresh, true), (.degraded, true), (.incomplete, false), (.failed, false),
    ] as [(CoverOutcome.Status, Bool)]
  )
  func hasCover(status: CoverOutcome.Status, hasCover: Bool) {
    let outcome = CoverOutcome(status: status, clip: Self.clip, cover: nil, request: CoverRequest())
    #expect(outcome.hasCover == hasCover)
  }

  @Test(
    "A clip that is empty or has no index yet is incomplete",
    arguments: [
      (.empty, true), (.noIndex, true), (.damaged, false), (.missing, false), (.noFrame, false), (.timedOut, false),
    ] as [(CoverFailure.Cause, Bool)]
  )
  func incomplete(cause: CoverFailure.Cause, isIncomplete: Bool) {
    #expect(CoverFailure(stage: .open, cause: cause, message: "").isIncomplete == isIncomplete)
  }
}
