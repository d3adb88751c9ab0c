import Files
import Testing

@Suite("Percent-encoding")
struct PercentEncodingTests {
  @Test(
    "Escapes stand for bytes",
    arguments: [("c1", "c1"), ("a%2Fb", "a/b"), ("%C3%A4%20%25", "ä %"), ("%c3%a4", "ä"), ("", "")]
  )
  func decoded(_ text: String, _ decoded: String) {
    #expect(PercentEncoding.decode(text.utf8) == Array(decoded.utf8))
  }

  @Test("Text that is encoded wrongly is refused", arguments: ["%", "%4", "%zz", "%+1", "%-0", "% 1", "a%1"])
  func refused(_ text: String) {
    #expect(PercentEncoding.decode(text.utf8) == nil)
  }

  @Test("Escapes need not stand for UTF-8")
  func bytes() {
    #expect(PercentEncoding.decode("%FF%00".utf8) == [0xFF, 0])
  }
}
