import Covers
import DecoderWire
import Testing

@Suite("Decoder messages")
struct DecoderMessagesTests {
  /// Returns the line of a message, after checking that decoding and encoding it again gives the same line.
  private static func line<Message: Codable>(_ message: Message) throws -> String {
    let line = try CanonicalJSON.line(message)
    let again = try CanonicalJSON.line(try CanonicalJSON.decode(Message.self, from: line))
    #expect(again == line)
    return String(decoding: line, as: UTF8.self)
  }

  @Test("The greeting contains the versions of protocol, program and libraries, and the state of the sandbox")
  func hello() throws {
    let hello = ProgramHello(
      version: "1.2.3",
      libraries: ["libavutil": "57.28.100", "libavcodec": "59.37.100"],
      sandbox: SandboxState(holds: ["limits"], landlock: nil, missing: [.init(part: "landlock", reason: "no")])
    )
    #expect(
      try Self.line(hello) == """
        {"libraries":{"libavcodec":"59.37.100","libavutil":"57.28.100"},\
        "sandbox":{"holds":["limits"],"missing":[{"part":"landlock","reason":"no"}]},"version":"1.2.3","wire":18}
        """
    )
    #expect(try CanonicalJSON.decode(ProgramHello.self, from: Self.line(hello).utf8) == hello)
  }

  @Test("A request for a cover contains the texts to store in it")
  func coverRequest() throws {
    let texts = [CoverText(.uri, "file:///a%20b.mp4"), CoverText(.mtimeNanoseconds, "17")]
    let request = CoverRequest(size: try #require(SizeLimit("320x240")), time: .percent(50))
    let line = try Self.line(
      DecoderRequest(number: 7, deadlineMilliseconds: 30_000, work: .cover(request, texts: texts))
    )
    #expect(
      line == """
        {"deadlineMilliseconds":30000,"number":7,"work":{"cover":{"_0":{"at":"50.0%","size":"320x240"},\
        "texts":[{"keyword":"Thumb::URI","text":"file:///a%20b.mp4"},\
        {"keyword":"ClipCanvas::MTimeNanoseconds","text":"17"}]}}}
        """
    )
    let read = try CanonicalJSON.decode(DecoderRequest.self, from: line.utf8)
    guard case .cover(request, texts) = read.work else {
      Issue.record("\(read)")
      return
    }
  }

  @Test("A request may name the format to assume")
  func rawFormat() throws {
    let request = DecoderRequest(number: 8, deadlineMilliseconds: 1, work: .probe(programme: nil), rawFormat: .hevc)
    #expect(
      try Self.line(request) == #"{"deadlineMilliseconds":1,"number":8,"rawFormat":"hevc","work":{"probe":{}}}"#
    )
    #expect(throws: (any Error).self) {
      _ = try CanonicalJSON.decode(
        DecoderRequest.self,
        from: #"{"deadlineMilliseconds":1,"number":8,"rawFormat":"concat","work":{"probe":{}}}"#.utf8
      )
    }
  }

  @Test("A request for facts contains nothing else")
  func probe() throws {
    let request = DecoderRequest(number: 8, deadlineMilliseconds: 1, work: .probe(programme: nil))
    #expect(try Self.line(request) == #"{"deadlineMilliseconds":1,"number":8,"work":{"probe":{}}}"#)
  }

  /// Returns the facts of a cover whose values are all within the limits of messages.
  private static func smallFacts() -> CoverFacts {
    CoverFacts(
      size: PixelSize(width: 1, height: 2),
      alpha: false,
      stored: PixelSize(width: 1, height: 2),
      orientation: Orientation(),
      sampleAspectRatio: Rational(1, over: 1),
      container: "c",
      codec: "d",
      pixelFormat: "p",
      milliseconds: .init(open: 1, decode: 1, convert: 1, encode: 1)
    )
  }

  @Test("Facts with up to 64 warnings are accepted")
  func manyWarnings() {
    var facts = Self.smallFacts()
    facts.warnings = Array(repeating: "a warning", count: 64)
    #expect(facts.isWithinBounds)
    facts.warnings.append("a warning")
    #expect(!facts.isWithinBounds)
  }

  @Test("Each fact of a cover has its own limit")
  func boundsOfCoverFacts() {
    let long = String(repeating: "x", count: 129)
    let sentence = String(repeating: "x", count: 1025)
    let score = FrameScore(entropy: 0.5, sharpness: 0.5, colourfulness: 0.5, extremes: 0.5, change: 0.5)
    let edits: [(inout CoverFacts) -> Void] = [
      { $0.container = long }, { $0.primaries = long }, { $0.width = -1 }, { $0.dolbyVisionProfile = 1 << 41 },
      { $0.actualTime = .infinity }, { $0.durationSeconds = 1e14 }, { $0.frameRate = .infinity },
      { $0.milliseconds?.encode = .nan },
      { $0.rotation = 45 }, { $0.warnings = [sentence] }, { $0.score?.total = 1.5 }, { $0.score?.change = -0.1 },
    ]
    for (number, edit) in edits.enumerated() {
      var facts = Self.smallFacts()
      facts.score = score
      #expect(facts.isWithinBounds)
      edit(&facts)
      #expect(!facts.isWithinBounds, "\(number)")
    }
  }

  @Test("Each detail of a clip has its own limit")
  func boundsOfDetails() throws {
    let long = String(repeating: "x", count: 129)
    let sentence = String(repeating: "x", count: 1025)
    var full = ClipDetails(streams: (0..<64).map { ClipDetails.Stream(index: $0, kind: .audio) })
    full.location = ClipLocation("+48.8577+002.2950/" + String(repeating: "x", count: 1006))
    full.streams[0].title = String(repeating: "x", count: 1024)
    full.streams[0].dispositions = Array(repeating: String(repeating: "x", count: 128), count: 64)
    full.streams[0].rotation = 270
    #expect(full.isWithinBounds && full.location != nil)
    let edits: [(inout ClipDetails) -> Void] = [
      { $0.streams.append($0.streams[1]) }, { $0.streams[0].title? += "x" }, { $0.streams[0].dispositions.append("x") },
      { $0.streams[0].dispositions[3] = long }, { $0.streams[63].codec = long }, { $0.streams[63].language = long },
      { $0.streams[1].index = -1 }, { $0.streams[1].rotation = 45 }, { $0.streams[1].channels = -1 },
      { $0.streams[1].sampleRate = 1 << 41 }, { $0.streams[1].framesPerSecond = .infinity }, { $0.make = sentence },
      { $0.model = sentence }, { $0.software = sentence },
      { $0.location = ClipLocation("+48.8577+002.2950/" + String(repeating: "x", count: 1007)) },
    ]
    for (number, edit) in edits.enumerated() {
      var details = full
      edit(&details)
      #expect(!details.isWithinBounds, "\(number)")
    }
    let forged = #"{"latitude":91,"longitude":0,"text":""}"#
    #expect(try !CanonicalJSON.decode(ClipLocation.self, from: forged.utf8).isValid)
  }

  @Test("Each list and text of a greeting has its own limit")
  func boundsOfGreetings() {
    let long = String(repeating: "x", count: 129)
    let full = ProgramHello(
      version: String(repeating: "x", count: 128),
      libraries: Dictionary(uniqueKeysWithValues: (0..<64).map { ("\($0)", "1") }),
      sandbox: SandboxState(
        holds: Array(repeating: "a", count: 64),
        landlock: 7,
        missing: Array(repeating: .init(part: "b", reason: String(repeating: "x", count: 1024)), count: 64)
      )
    )
    #expect(full.isWithinBounds)
    let edits: [(inout ProgramHello) -> Void] = [
      { $0.version = long }, { $0.libraries["c"] = "1" }, { $0.libraries["1"] = long },
      { $0.sandbox.holds.append("a") },
      { $0.sandbox.holds[1] = long }, { $0.sandbox.landlock = -1 },
      { $0.sandbox.missing.append($0.sandbox.missing[0]) },
      { $0.sandbox.missing[1].part = long }, { $0.sandbox.missing[63].reason += "x" },
    ]
    for (number, edit) in edits.enumerated() {
      var hello = full
      edit(&hello)
      #expect(!hello.isWithinBounds, "\(number)")
    }
  }

  @Test("The message and the advice of a failure each have their own limit")
  func boundsOfFailures() {
    func failure(_ message: Int, _ advice: Int, code: Int = -1) -> CoverFailure {
      CoverFailure(
        stage: .decode,
        cause: .damaged,
        code: code,
        message: String(repeating: "x", count: message),
        advice: String(repeating: "x", count: advice)
      )
    }
    #expect(failure(1024, 1024).isWithinBounds)
    #expect(!failure(1025, 1).isWithinBounds && !failure(1, 1025).isWithinBounds)
    // FFmpeg's codes have 32 bits.
    #expect(failure(1, 1, code: Int(Int32.min)).isWithinBounds)
    #expect(!failure(1, 1, code: Int(Int32.min) - 1).isWithinBounds && !failure(1, 1, code: .min).isWithinBounds)
  }

  @Test("Copies may be larger than a terabyte, but no number of bytes is negative")
  func boundsOfSizes() {
    #expect(ComposerReply.progress(bytes: 1 << 45).isWithinBounds)
    #expect(!ComposerReply.progress(bytes: -1).isWithinBounds && !ComposerReply.progress(bytes: .max).isWithinBounds)
  }

  @Test("A name that is too long and a count that is too large are each refused")
  func singleBounds() {
    let size = PixelSize(width: 1, height: 2)
    var facts = ClipFacts(
      container: "c",
      mimeType: "m",
      codec: "d",
      stored: size,
      shown: size,
      orientation: Orientation(),
      sampleAspectRatio: nil
    )
    #expect(facts.isWithinBounds)
    facts.codec = String(repeating: "d", count: 129)
    #expect(!facts.isWithinBounds)
    facts.codec = String(repeating: "d", count: 128)
    #expect(facts.isWithinBounds)
    facts.audioStreams = -1
    #expect(!facts.isWithinBounds)
  }

  @Test("A reply with a cover preserves all facts")
  func coverReply() throws {
    var facts = CoverFacts(
      size: PixelSize(width: 1, height: 2),
      alpha: true,
      stored: PixelSize(width: 3, height: 4),
      orientation: Orientation(transposes: true),
      sampleAspectRatio: Rational(5, over: 6),
      container: "c",
      codec: "d",
      pixelFormat: "p",
      milliseconds: .init(open: 0.1, decode: 1.0 / 3, convert: 7, encode: 1e-9)
    )
    (facts.matrix, facts.range, facts.transfer, facts.primaries) = ("m", "r", "t", "q")
    (facts.actualTime, facts.durationSeconds) = (1.0 / 3, 0.1)
    facts.actualTimeExact = Rational(1, over: 3)
    (facts.toneMapped, facts.dolbyVisionProfile) = (true, 8)
    (facts.warnings, facts.degradation, facts.interlaced) = (["w\n", "\u{1B}"], .corruptFrame, true)
    let reply = DecoderReply(number: 9, result: .cover(facts, bytes: 1234))
    let read = try CanonicalJSON.decode(DecoderReply.self, from: Self.line(reply).utf8)
    #expect(read.number == 9)
    guard case .cover(facts, bytes: 1234) = read.result else {
      Issue.record("\(read)")
      return
    }
  }

  @Test("A reply with clip facts preserves all of them")
  func factsReply() throws {
    var facts = ClipFacts(
      container: "matroska,webm",
      mimeType: "video/webm",
      codec: "vp9",
      stored: PixelSize(width: 1, height: 2),
      shown: PixelSize(width: 3, height: 4),
      orientation: Orientation(mirrorsY: true),
      sampleAspectRatio: nil
    )
    (facts.durationSeconds, facts.framesPerSecond, facts.bitsPerSecond) = (0.1, 30_000.0 / 1001, .max)
    (facts.videoStreams, facts.audioStreams, facts.artworkStreams, facts.streamIndex) = (1, 2, 3, 4)
    var stream = ClipDetails.Stream(index: 1, kind: .audio)
    (stream.language, stream.title, stream.dispositions) = ("eng", "a\u{1B}\"\n", ["default", "forced"])
    var details = ClipDetails(streams: [ClipDetails.Stream(index: 0, kind: .video), stream])
    details.captureDate = CaptureDate("2024-05-01T12:30:45.5+0200")
    details.location = ClipLocation("-33.8568+151.2153+5.5/")
    (details.make, details.model, details.software) = ("a", "b", "c")
    let reply = DecoderReply(number: .min, result: .facts(facts, details: details))
    let read = try CanonicalJSON.decode(DecoderReply.self, from: Self.line(reply).utf8)
    #expect(facts.rotation == 180 && facts.mirrored && facts.hasAudio)
    guard case .facts(facts, details) = read.result else {
      Issue.record("\(read)")
      return
    }
  }

  @Test("A reply with a failure preserves its stage, cause, code and message")
  func failureReply() throws {
    let failure = CoverFailure(stage: .decode, cause: .damaged, code: -1_094_995_529, message: "damaged")
    #expect(
      try Self.line(DecoderReply(number: 1, result: .failure(failure))) == """
        {"number":1,"result":{"failure":{"_0":{"code":-1094995529,"message":"damaged","reason":"damaged",\
        "stage":"decode"}}}}
        """
    )
  }

  @Test(
    "A line of another kind is rejected",
    arguments: [
      "{}", #"{"number":1}"#, #"{"number":1,"result":{}}"#, #"{"number":1,"result":{"cover":{}}}"#,
      #"{"number":1,"result":{"failure":{"_0":{"reason":"new","code":0,"message":"","stage":"decode"}}}}"#,
      #"{"deadlineMilliseconds":1,"number":8,"work":{"probe":{}}}"#, #"{"number":"1","result":{"other":{}}}"#,
    ]
  )
  func nonsense(line: String) {
    #expect(throws: DecodingError.self) { try CanonicalJSON.decode(DecoderReply.self, from: line.utf8) }
  }
}
