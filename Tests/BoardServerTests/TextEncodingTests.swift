import TestSupport
import Testing

@testable import BoardServer

@Suite("Encodings in requests", .enabled(if: Scope.isFull))
struct TextEncodingTests {
  // RFC 4648, section 10.
  @Test(
    "Base64 is decoded as in the RFC",
    arguments: [
      ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
      ("Zm9vYmFy", "foobar"),
    ]
  )
  func base64(_ text: String, _ bytes: String) {
    #expect(Base64.decode(text) == Array(bytes.utf8))
  }

  @Test(
    "Text that is not Base64 is refused",
    arguments: ["Z", "Zg", "Zg=", "Z===", "====", "Zm9 ", "Zm9_", "Zg==Zg=="]
  )
  func notBase64(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test(
    "A range is cut to the file",
    arguments: [
      ("bytes=0-", 0..<10), ("bytes=3-5", 3..<6), ("bytes=3-99", 3..<10), ("bytes=-4", 6..<10), ("bytes=-99", 0..<10),
      ("bytes=9-9", 9..<10), ("bytes=2-3,5-6", 2..<4), ("bytes=0-9223372036854775807", 0..<10),
      ("bytes=0-99999999999999999999", 0..<10), ("bytes=-99999999999999999999", 0..<10), ("Bytes=1-", 1..<10),
    ]
  )
  func range(_ header: String, _ range: Range<Int>) {
    #expect(ByteRange(header, in: 10) == .part(range))
  }

  @Test(
    "A range that cannot be fulfilled is refused",
    arguments: [
      "bytes=10-", "bytes=5-3", "bytes=-0", "bytes=-", "bytes=,", "bytes=a-b", "bytes=0--1",
      "bytes=99999999999999999999-", "bytes=+1-2",
    ]
  )
  func noRange(_ header: String) {
    #expect(ByteRange(header, in: 10) == .unsatisfiable)
  }

  @Test("Another unit than bytes is ignored", arguments: ["items=0-1", "0-1", "", "bytes"])
  func foreignUnit(_ header: String) {
    #expect(ByteRange(header, in: 10) == .foreign)
  }

  @Test(
    "The name of an uploaded file cannot leave its folder, or hide",
    arguments: [
      ("beach.mp4", "beach.mp4"), ("../../etc/passwd", "passwd"), ("C:\\clips\\a.mov", "a.mov"), (".bashrc", "bashrc"),
      ("-rf.mp4", "rf.mp4"), ("a\u{0}\n\u{1B}b.webm", "a___b.webm"), ("", "clip"), ("..", "clip"),
      ("Strand ä 1.mp4", "Strand ä 1.mp4"), ("lake, summer (2).mp4", "lake, summer (2).mp4"),
      ("e\u{301}te\u{301}.mp4", "e\u{301}te\u{301}.mp4"), ("हिन्दी.mp4", "हिन्दी.mp4"),
      ("#1 'a' & b! 50%.mp4", "#1 'a' & b! 50%.mp4"),
      ("👩\u{200D}🚀.mp4", "👩\u{200D}🚀.mp4"), ("3.04\u{202F}PM.mov", "3.04 PM.mov"), ("a:b?.mp4", "a_b_.mp4"),
      ("\u{202E}4pm.webm", "_4pm.webm"), (".\u{301}hidden.mp4", "\u{301}hidden.mp4"),
    ]
  )
  func name(_ given: String, _ clean: String) {
    #expect(Array(ClipLibrary.clean(given).unicodeScalars) == Array(clean.unicodeScalars))
  }

  @Test("A long name keeps its ending and fits into a folder")
  func longName() {
    let name = ClipLibrary.clean(String(repeating: "日", count: 300) + ".mp4")
    #expect(name.utf8.count <= 200 && name.hasSuffix("日.mp4"))
  }
}
