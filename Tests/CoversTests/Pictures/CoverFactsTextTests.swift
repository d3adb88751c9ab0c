import Covers
import Testing

@Suite("Facts stored in a cover")
struct CoverFactsTextTests {
  private static let facts = {
    var facts = CoverFacts(
      size: PixelSize(width: 240, height: 320),
      alpha: false,
      stored: PixelSize(width: 1440, height: 1080),
      orientation: Orientation(transposes: true, mirrorsX: true),
      sampleAspectRatio: Rational(4, over: 3),
      container: "avi",
      codec: "h264",
      pixelFormat: "yuv420p",
      milliseconds: .init(open: 1.5, decode: 2.5, convert: 0.25, encode: 4)
    )
    (facts.actualTime, facts.actualTimeExact) = (1.0 / 3, Rational(1, over: 3))
    facts.degradation = .corruptFrame
    facts.warnings = ["turned by 45°, \"so\" \\ to say", "🎬\u{7F}\n\u{1B}[2J"]
    return facts
  }()

  @Test("A delete character is escaped, even if it is the only one")
  func delete() throws {
    var facts = Self.facts
    facts.warnings = ["a\u{7F}b"]
    let text = try #require(facts.text?.text)
    #expect(text.contains(#""a\u007fb""#) && CoverFacts(text: text)?.warnings == facts.warnings)
  }

  private static let text = #"""
    {"actualTime":0.3333333333333333,"actualTimeExact":"1/3","alpha":false,"codec":"h264","container":"avi",\#
    "degradation":"corruptFrame","height":320,"interlaced":false,"lumaVariance":0,"meanLuma":0,"mirrored":false,\#
    "pixelFormat":"yuv420p","rotation":90,"sampleAspectRatio":"4/3","storedHeight":1080,"storedWidth":1440,\#
    "toneMapped":false,"warnings":["turned by 45\u00b0, \"so\" \\ to say","\ud83c\udfac\u007f\n\u001b[2J"],"width":240}
    """#

  @Test("They are canonical JSON in printable ASCII, without the times of the stages")
  func written() {
    #expect(Self.facts.text == CoverText(.facts, Self.text))
    #expect(Self.text.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
  }

  @Test("Reading them gives the same facts")
  func read() {
    var facts = Self.facts
    facts.milliseconds = nil
    #expect(CoverFacts(text: Self.text) == facts)
  }

  @Test("A hash is stored, and read only as it is written")
  func hash() throws {
    var facts = Self.facts
    (facts.milliseconds, facts.perceptualHash) = (nil, PerceptualHash(bits: 0xAB))
    let text = try #require(facts.text?.text)
    #expect(text.contains(#""mirrored":false,"perceptualHash":"00000000000000ab","pixelFormat""#))
    #expect(CoverFacts(text: text) == facts)
    #expect(CoverFacts(text: text.replacing("00ab", with: "00AB")) == nil)
    #expect(CoverFacts(text: text.replacing("00ab", with: "0ab")) == nil)
  }

  @Test("Facts with too many words, or with a number that JSON cannot express, are not stored")
  func unwritable() {
    var facts = Self.facts
    let spare = 8192 - Self.text.utf8.count
    facts.codec += String(repeating: "x", count: spare)
    #expect(facts.text?.text.utf8.count == 8192)
    #expect(facts.text.flatMap { CoverFacts(text: $0.text) }?.codec == facts.codec)
    facts.codec += "x"
    #expect(facts.text == nil)
    facts.codec = "h264"
    facts.meanLuma = .nan
    #expect(facts.text == nil)
  }

  @Test(
    "A text that is not exactly what clipcanvas writes is not read",
    arguments: [
      "", "{}", "[]", "null", String(repeating: "[", count: 4000), text + " ", String(text.dropLast()), " " + text,
      text.replacing("\"rotation\":90", with: "\"rotation\":90.0"),
      text.replacing("\"rotation\":90", with: "\"rotation\":\"90\""),
      text.replacing("\"rotation\":90", with: "\"rotation\":90,\"rotation\":0"),
      text.replacing("\"rotation\":90", with: "\"rotation\":90,\"s\":[{}]"),
      text.replacing("\"rotation\":90,", with: ""),
      text.replacing("\"lumaVariance\":0", with: "\"lumaVariance\":1e999"),
      text.replacing("\\u00b0", with: "°"), text.replacing("\\u00b0", with: "\\u00B0"),
      text.replacing("h264", with: "h\\u0032"), text.replacing("\"4/3\"", with: "\"4/0\""),
      text.replacing(
        "\"mirrored\"",
        with: "\"milliseconds\":{\"convert\":1,\"decode\":1,\"encode\":1,\"open\":1},\"mirrored\""
      ),
      text.replacing("h264", with: String(repeating: "x", count: 9000)),
    ]
  )
  func unreadable(text: String) {
    #expect(text != Self.text)
    #expect(CoverFacts(text: text) == nil)
  }
}
