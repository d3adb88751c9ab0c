import Files
import TestSupport
import Testing

@Suite("Arguments without loss of bytes")
struct RawArgumentsTests {
  private func roundTrip(_ bytes: [UInt8]) -> [UInt8] {
    RawArguments.bytes(of: RawArguments.text(ofBytes: bytes.map { CChar(bitPattern: $0) }))
  }

  @Test("Valid UTF-8 is the text itself", arguments: ["", "clip.mp4", "ü", "日本語.mp4", "e\u{301}", "👩‍👩‍👧", "\u{FFFD}"])
  func valid(_ text: String) {
    #expect(RawArguments.text(ofBytes: text.utf8.map { CChar(bitPattern: $0) }) == text)
    #expect(RawArguments.bytes(of: text) == Array(text.utf8))
  }

  @Test("Each byte that is not UTF-8 is restored", arguments: UInt8(0x80)...0xFF)
  func single(_ byte: UInt8) {
    for bytes in [[byte], [0x61, byte, 0x62], [byte, byte]] { #expect(roundTrip(bytes) == bytes) }
  }

  @Test("Names that hold the stand-ins themselves, surrogates or cut sequences are restored")
  func odd() {
    let odd: [[UInt8]] = [
      Array("\u{10FF80}".utf8), Array("\u{10FFFF}x".utf8), [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF4, 0x90, 0x80, 0x80],
      [0xC0, 0xAF], [0xFE, 0xFF],
    ]
    for bytes in odd { #expect(roundTrip(bytes) == bytes, "\(bytes)") }
  }

  @Test("Random bytes are restored", .enabled(if: Scope.isFull))
  func random() {
    var numbers = SeededNumbers(seed: 5)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 1...30, using: &numbers)).map { _ in UInt8.random(in: 1 ... .max, using: &numbers)
      }
      #expect(roundTrip(bytes) == bytes, "\(bytes)")
    }
  }
}
