import Covers
import Testing

@Suite("Picture outcomes")
struct PictureOutcomeTests {
  private static let clip = PictureOutcome.Clip(
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

  private static func text(_ outcome: PictureOutcome) throws -> String {
    String(decoding: try CanonicalJSON.line(outcome), as: UTF8.self)
  }

  @Test("The outcome with a cover is one object with the request, the clip and the facts")
  func cover() throws {
    let request = CoverRequest(size: try #require(SizeLimit("320")), time: .seconds(0.5))
    let outcome = PictureOutcome(status: .cover, clip: Self.clip, path: "b.png", request: request, facts: Self.facts)
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
    let clip = PictureOutcome.Clip(path: "b.mp3", uri: "file:///b.mp3")
    let outcome = PictureOutcome(status: .failed, clip: clip, path: nil, request: CoverRequest(), failure: failure)
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
    let outcome = PictureOutcome(
      status: .degraded,
      clip: Self.clip,
      path: "b.png",
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
    let outcome = PictureOutcome(
      status: .fresh,
      clip: .init(path: "b.mp4", uri: "file:///b.mp4"),
      path: "b.png",
      request: CoverRequest()
    )
    #expect(
      try Self.text(outcome) == """
        {"clip":{"path":"b.mp4","uri":"file:///b.mp4"},"cover":"b.png","requestedTime":"first","status":"fresh"}
        """
    )
  }

  @Test("The outcome of a storyboard has its grid and interval, and no size")
  func storyboard() throws {
    var request = CoverRequest(size: try #require(SizeLimit("320")))
    request.sheet = SheetPlan(columns: 10, rows: 5, interval: 2.5)
    var outcome = PictureOutcome(
      status: .storyboard,
      kind: .storyboard,
      clip: .init(path: "b.mp4", uri: "file:///b.mp4"),
      path: "b.mp4.storyboard",
      request: request
    )
    outcome.storyboard = .init(
      sheets: 2,
      tiles: 61,
      tileSize: PixelSize(width: 320, height: 180),
      durationSeconds: 152.5,
      warnings: []
    )
    outcome.attempts = 2
    #expect(
      try Self.text(outcome) == """
        {"attempts":2,"clip":{"path":"b.mp4","uri":"file:///b.mp4"},"columns":10,"durationSeconds":152.5,\
        "interval":2.5,"rows":5,"sheets":2,"status":"storyboard","storyboard":"b.mp4.storyboard","tileHeight":180,\
        "tileWidth":320,"tiles":61,"warnings":[]}
        """
    )
  }

  @Test(
    "A new, degraded or fresh picture is usable",
    arguments: [
      (.cover, true), (.storyboard, true), (.fresh, true), (.degraded, true), (.incomplete, false), (.failed, false),
    ] as [(PictureOutcome.Status, Bool)]
  )
  func hasPicture(status: PictureOutcome.Status, hasPicture: Bool) {
    let outcome = PictureOutcome(status: status, clip: Self.clip, path: nil, request: CoverRequest())
    #expect(outcome.hasPicture == hasPicture)
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
