import Testing

@testable import ClipService

@Suite("Sets of bytes in glob patterns")
struct GlobSetTests {
  private func members(_ pattern: String) -> String? {
    guard let (set, end) = GlobSet.parse(Array(pattern.utf8), from: 1), end == pattern.utf8.count else { return nil }
    return String(decoding: (UInt8.min...UInt8.max).filter { set[Int($0)] }, as: UTF8.self)
  }

  @Test(
    "A hyphen is a range between two bytes, and itself at the end",
    arguments: [
      ("[a-c]", "abc"), ("[a-]", "-a"), ("[a-cx]", "abcx"), ("[a-c-]", "-abc"), ("[]-_]", "]^_"), ("[\\a-\\c]", "abc"),
      ("[c-a]", ""), ("[-a]", "-a"),
    ]
  )
  func ranges(_ pattern: String, _ expected: String) {
    #expect(members(pattern) == expected)
  }

  @Test("A set that is not closed is not one", arguments: ["[a", "[a-", "[a-c", "[", "[]", "[[:alpha:]", "[[:a:]]"])
  func open(_ pattern: String) {
    #expect(members(pattern) == nil)
  }
}
