import Covers
import SystemPackage
import Testing

@testable import ClipService

@Suite("Patterns of the names of covers")
struct CoverNameTests {
  /// Patterns, clips, and the names of covers, written by hand.
  static let examples: [(String, String, String)] = [
    ("{name}.{ext}", "a.mp4", "a.mp4.png"),
    ("{stem}.{ext}", "a.mp4", "a.png"),
    ("{stem}-thumb.{ext}", "holiday.2024.mkv", "holiday.2024-thumb.png"),
    ("cover of {name}.{ext}", "a.mp4", "cover of a.mp4.png"),
    ("{stem}.cover.jpg", "a.mp4", "a.cover.jpg"),
    ("poster.{ext}", "a.mp4", "poster.png"),
    ("{stem}.tbn", "a.mp4", "a.tbn"),
    ("{stem}.{ext}", "noextension", "noextension.png"),
    ("{stem}.{ext}", ".hidden", ".hidden.png"),
    ("日本 {stem}.{ext}", "é.mov", "日本 é.png"),
  ]

  @Test("A pattern gives each clip's cover its name", arguments: examples)
  func names(_ pattern: String, _ clip: String, _ cover: String) throws {
    let name = try CoverName(pattern)
    #expect(name.path(for: FilePath("in/\(clip)"), format: .png) == FilePath("in/\(cover)"))
    #expect(name.description == pattern)
  }

  @Test("The number of one of several covers stands before the extension")
  func numbers() throws {
    #expect(CoverName.usual.path(for: "a.mp4", number: 2, format: .webp) == "a.mp4.2.webp")
    #expect(try CoverName("{stem}-thumb.{ext}").path(for: "a.mp4", number: 3, format: .jpeg) == "a-thumb.3.jpg")
  }

  static let mistakes: [(String, CoverName.Flaw)] = [
    ("", .empty), ("a/{stem}.{ext}", .character), ("{stem}\n.{ext}", .character), ("{stem}", .noExtension),
    ("{stem}.", .noExtension), ("{stem}.png{ext}", .noExtension), ("{stem}.{name}", .noExtension),
    ("{title}.{ext}", .token("{title}")), ("{stem.{ext}", .token("{stem")), ("}{stem}.{ext}", .token("}")),
    ("{stem}-{name}.{ext}", .position("{name}")), ("{ext}-{stem}.{ext}", .position("{ext}")),
    ("{stem}.mp4", .otherExtension("mp4")), ("{stem}.MOV", .otherExtension("MOV")),
    ("{stem}.avif", .otherExtension("avif")), ("{stem}.gif", .otherExtension("gif")),
    ("{stem}.ts", .otherExtension("ts")),
    (String(repeating: "x", count: 160) + "{stem}.{ext}", .tooLong),
  ]

  @Test("A pattern that could not name covers is refused", arguments: mistakes)
  func flaws(_ pattern: String, _ flaw: CoverName.Flaw) {
    #expect(throws: flaw) { try CoverName(pattern) }
  }

  @Test(
    "Long names keep the text of the pattern and differ where the clips' names do",
    arguments: ["{stem}", "{name}"]
  )
  func longNames(_ part: String) throws {
    let name = try CoverName("thumb of \(part) (small).{ext}")
    let clips = ["a", "b"].map { FilePath(String(repeating: "日", count: 81) + $0 + ".mp4") }
    let covers = clips.map { name.path(for: $0, format: .png).string }
    #expect(Set(covers).count == 2)
    for cover in covers {
      #expect(cover.utf8.count <= 255 && cover.hasPrefix("thumb of 日") && cover.hasSuffix(" (small).png"))
    }
  }
}
