import Files
import SystemPackage
import Testing

@Suite("Derived names")
struct DerivedNameTests {
  private func make(_ name: String, prefix: String = "", suffix: String) -> [UInt8] {
    DerivedName.make(from: Array(name.utf8), prefix: prefix, suffix: suffix)
  }

  @Test("A derived name contains the whole name if it is not too long")
  func short() {
    #expect(make("a.mp4", prefix: ".", suffix: ".failed.json") == Array(".a.mp4.failed.json".utf8))
    let longest = String(repeating: "a", count: 251)
    #expect(make(longest, suffix: ".png") == Array((longest + ".png").utf8))
    #expect(FilePath("/c/a.mp4").derivingName(suffix: ".png") == "/c/a.mp4.png")
    #expect(FilePath("a.mp4").derivingName(prefix: ".", suffix: ".lock") == ".a.mp4.lock")
  }

  @Test("A derived name has at most 255 bytes, all in complete characters", arguments: 240...300, ["a", "é", "日", "🎬"])
  func long(count: Int, letter: String) throws {
    let name = String(repeating: letter, count: count / letter.utf8.count)
    let made = make(name, prefix: ".", suffix: ".failed.json")
    #expect(made.count <= 255)
    let text = try #require(String(validating: made, as: UTF8.self))
    #expect(text.hasPrefix("." + letter) && text.hasSuffix(".failed.json"))
  }

  // The MD5 of 252 times "a", computed by md5sum.
  @Test("A truncated name ends in the digest of the whole name")
  func digest() {
    let made = String(decoding: make(String(repeating: "a", count: 252), suffix: ".png"), as: UTF8.self)
    #expect(made == String(repeating: "a", count: 218) + "~" + "0eae304c738191613302fb6721ea3605" + ".png")
  }

  @Test("Long names that differ only at the end have different derived names")
  func different() {
    let names = (0..<50).map { String(repeating: "x", count: 250) + "\($0)" }
    #expect(Set(names.map { make($0, suffix: ".png") }).count == 50)
    #expect(make(names[0], suffix: ".png") == make(names[0], suffix: ".png"))
  }

  @Test("Names with bytes that are not UTF-8 are accepted")
  func notUTF8() {
    let name = [UInt8](repeating: 0xFF, count: 254)
    let made = DerivedName.make(from: name, suffix: ".png")
    #expect(made.count <= 255 && made.starts(with: [0xFF, 0xFF]))
    #expect(DerivedName.make(from: [UInt8](repeating: 0x80, count: 300), suffix: ".png").count <= 255)
  }
}
