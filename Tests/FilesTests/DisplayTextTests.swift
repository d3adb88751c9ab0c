import Files
import TestSupport
import Testing

@Suite("Display text")
struct DisplayTextTests {
  @Test(
    "Plain text is unchanged in any script",
    arguments: [
      "", "clip.mp4", "clip 13:19:57.webm", "-x.mp4", "日本語.mp4", "é.mp4", "e\u{301}.mp4", "👩‍👩‍👧.mp4", "עברית.mp4", "a\\b",
      "\u{10FFFF}", "\u{FFFD}",
    ]
  )
  func plain(text: String) {
    #expect(Array(DisplayText.of(Array(text.utf8)).utf8) == Array(text.utf8))
  }

  @Test(
    "Control characters are escaped",
    arguments: [
      ("\u{1B}[2J", #"\x1b[2J"#),
      ("a\nb", #"a\x0ab"#),
      ("a\r\nb", #"a\x0d\x0ab"#),
      ("\0", #"\x00"#),
      ("\t", #"\x09"#),
      ("\u{7F}", #"\x7f"#),
      ("\u{9B}31m", #"\xc2\x9b31m"#),  // CSI as a single character
      ("\u{85}", #"\xc2\x85"#),
      ("\u{2028}", #"\xe2\x80\xa8"#),
      ("\u{1B}]0;title\u{07}", #"\x1b]0;title\x07"#),
    ]
  )
  func control(text: String, shown: String) {
    #expect(DisplayText.of(Array(text.utf8)) == shown)
  }

  @Test("Every character that changes the text direction is escaped")
  func direction() {
    // The characters with the Unicode property Bidi_Control.
    let marks: [UInt32] = [0x061C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    for mark in marks.compactMap(Unicode.Scalar.init) {
      let shown = DisplayText.of(Array("a\(Character(mark))gpm.exe".utf8))
      #expect(shown.hasPrefix(#"a\x"#) && shown.hasSuffix("gpm.exe"), "U+\(String(mark.value, radix: 16))")
      #expect(shown.utf8.allSatisfy { $0 < 0x80 })
    }
  }

  @Test(
    "Only bytes that are not UTF-8 are escaped",
    arguments: [
      ([0xFF], #"\xff"#),
      ([0x61, 0x80, 0x62], #"a\x80b"#),
      ([0xC3, 0x61], #"\xc3a"#),  // truncated
      ([0xC3], #"\xc3"#),
      ([0xE2, 0x82], #"\xe2\x82"#),
      ([0xE2, 0x82, 0xC3, 0xA9], #"\xe2\x82é"#),
      ([0xC0, 0xAF], #"\xc0\xaf"#),  // overlong
      ([0xE0, 0x80, 0x9B], #"\xe0\x80\x9b"#),
      ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#),  // one half of a surrogate pair
      ([0xF4, 0x90, 0x80, 0x80], #"\xf4\x90\x80\x80"#),  // above U+10FFFF
      ([0xF0, 0x9F, 0x8E, 0xAC, 0xF0], #"🎬\xf0"#),
      ([0xE9, 0x74, 0xE9], #"\xe9t\xe9"#),  // Latin-1
    ] as [([UInt8], String)]
  )
  func invalid(bytes: [UInt8], shown: String) {
    #expect(DisplayText.of(bytes) == shown)
  }

  @Test("Every control character is escaped with two digits")
  func controlCharacters() {
    for byte: UInt8 in Array(0..<0x20) + [0x7F] {
      let digits = Array("0123456789abcdef")
      #expect(DisplayText.of([byte]) == "\\x\(digits[Int(byte / 16)])\(digits[Int(byte % 16)])")
    }
  }

  @Test("A long name is displayed in full")
  func long() {
    let name = String(repeating: "é🎬x", count: 5_000)
    #expect(DisplayText.of(Array(name.utf8)) == name)
    #expect(DisplayText.of([UInt8](repeating: 0x1B, count: 10_000)) == String(repeating: #"\x1b"#, count: 10_000))
  }

  @Test("Random bytes never produce a control character, and plain letters are preserved", .enabled(if: Scope.isFull))
  func random() {
    var numbers = SeededNumbers(seed: 3)
    for _ in 0..<3_000 {
      let bytes = (0..<40).map { _ in UInt8.random(in: .min ... .max, using: &numbers) }
      let shown = DisplayText.of(bytes)
      let isSafe = shown.unicodeScalars.allSatisfy { scalar in
        let category = scalar.properties.generalCategory
        return category != .control && category != .lineSeparator && category != .paragraphSeparator
          && !scalar.properties.isBidiControl
      }
      let capitals = shown.unicodeScalars.filter { (0x41...0x5A).contains($0.value) }.map { UInt8($0.value) }
      if !isSafe || capitals != bytes.filter({ (0x41...0x5A).contains($0) }) { Issue.record("\(bytes)") }
    }
  }
}
