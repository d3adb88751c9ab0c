import Covers
import Testing

@Suite("Canonical JSON")
struct CanonicalJSONTests {
  private struct Sample: Codable, Equatable {
    var zebra = 1
    var apple: String
    var mango: Double? = nil
    var list: [Int] = []
  }

  private static func text(_ value: some Encodable) throws -> String {
    String(decoding: try CanonicalJSON.line(value), as: UTF8.self)
  }

  @Test("Keys are sorted, slashes are not escaped and missing values are omitted")
  func form() throws {
    #expect(try Self.text(Sample(apple: "a/b")) == #"{"apple":"a/b","list":[],"zebra":1}"#)
    #expect(try Self.text(["b": 1, "a": 2, "B": 3, "aa": 4]) == #"{"B":3,"a":2,"aa":4,"b":1}"#)
  }

  @Test(
    "Any text is encoded without a line break",
    arguments: [
      ("a\nb", #"["a\nb"]"#), ("\r\n", #"["\r\n"]"#), ("\u{1B}[2J", #"["\u001b[2J"]"#), ("\0", #"["\u0000"]"#),
      ("\"\\", #"["\"\\"]"#), ("\t", #"["\t"]"#),
    ]
  )
  func oneLine(text: String, line: String) throws {
    #expect(try Self.text([text]) == line)
    #expect(try CanonicalJSON.decode([String].self, from: line.utf8) == [text])
  }

  @Test("Decoding an encoded number returns the same number", arguments: [0.1, 1.0 / 3, 1e-9, 12_345.678, -2.5, 1e300])
  func numbers(number: Double) throws {
    #expect(try CanonicalJSON.decode([Double].self, from: try CanonicalJSON.line([number])) == [number])
  }

  @Test("A value is decoded from an array slice, with characters of all scripts")
  func slices() throws {
    let bytes = Array("xx[\"日本語 🎬 é\"]xx".utf8)
    #expect(try CanonicalJSON.decode([String].self, from: bytes[2..<(bytes.count - 2)]) == ["日本語 🎬 é"])
  }

  @Test("Encoding a number that JSON cannot represent throws", arguments: [Double.nan, .infinity, -.infinity])
  func notANumber(number: Double) {
    #expect(throws: EncodingError.self) { try CanonicalJSON.line([number]) }
  }

  @Test(
    "Decoding throws for bytes that are not JSON of the expected type",
    arguments: [
      [], Array("{".utf8), Array("{} {}".utf8), Array("nonsense".utf8), [0xFF, 0xFE], Array("{\"zebra\":1}".utf8),
      Array("{\"apple\":1,\"list\":[],\"zebra\":1}".utf8), Array(repeating: UInt8(ascii: "["), count: 100_000),
    ] as [[UInt8]]
  )
  func nonsense(bytes: [UInt8]) {
    #expect(throws: DecodingError.self) { try CanonicalJSON.decode(Sample.self, from: bytes) }
  }
}
