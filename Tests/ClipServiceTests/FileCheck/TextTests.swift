import ClipService
import Covers
import TestSupport
import Testing

@Suite("Texts of a cover")
struct TextTests {
  private typealias Text = (keyword: String, text: String)

  /// Returns a cover with changed texts, written by hand.
  private static func bytes(of cover: RealCover, _ change: (inout [Text]) -> Void) throws -> [UInt8] {
    func changed(_ bodies: [[UInt8]], separator: Character) -> [[UInt8]] {
      var texts = bodies.map { body in
        let parts = String(decoding: body, as: UTF8.self).split(separator: separator, maxSplits: 1)
        return Text(String(parts[0]), String(parts[1]))
      }
      change(&texts)
      return texts.map { Array("\($0.keyword)\(separator)\($0.text)".utf8) }
    }
    switch cover.check.request.format {
    case .png:
      var parts = PNGParts(cover.bytes)
      let places = parts.places(of: "tEXt")
      let bodies = changed(places.map { parts.chunks[$0].data }, separator: "\0")
      parts.chunks.replaceSubrange(2..<2 + places.count, with: bodies.map { PNGParts.Chunk("tEXt", $0) })
      return parts.bytes
    case .jpeg:
      var parts = JPEGParts(cover.bytes)
      let texts = parts.segments.filter { $0.marker == 0xFE }
      let bodies = changed(texts.map(\.data), separator: "=")
      parts.segments.replaceSubrange(1..<1 + texts.count, with: bodies.map { .init(marker: 0xFE, data: $0) })
      return parts.bytes
    case .webp:
      var parts = WebPParts(cover.bytes)
      let texts = parts.chunks.filter { $0.name == "tEXt" }
      let bodies = changed(texts.map(\.data), separator: "\0")
      parts.chunks.replaceSubrange(1..<1 + texts.count, with: bodies.map { .init(name: "tEXt", data: $0) })
      return parts.bytes
    }
  }

  private func flaw(_ format: CoverFormat, _ change: (inout [Text]) -> Void) throws -> CoverFlaw? {
    let cover = try RealCover("h264.mp4", format)
    return cover.flaw(of: try Self.bytes(of: cover, change))
  }

  @Test("The original texts are accepted when rewritten by hand", arguments: CoverFormat.allCases)
  func unchanged(_ format: CoverFormat) throws {
    #expect(try flaw(format) { _ in } == nil)
  }

  @Test(
    "Each text must have exactly the value that was sent",
    .enabled(if: Scope.isFull),
    arguments: CoverFormat.allCases
  )
  func values(_ format: CoverFormat) throws {
    for (index, text) in RealCover.texts.enumerated() {
      for other in ["", text.text + " ", String(text.text.dropLast()), "file:///clips/other.mp4", text.text + "\0"] {
        #expect(try flaw(format) { $0[index].text = other } == .text(text.keyword), "\(text.keyword) is \(other)")
      }
      #expect(try flaw(format) { $0[index].keyword = "Title" } == .text(text.keyword))
    }
  }

  @Test("Each text must occur once and in order", .enabled(if: Scope.isFull), arguments: CoverFormat.allCases)
  func once(_ format: CoverFormat) throws {
    for index in RealCover.texts.indices {
      let keyword = RealCover.texts[index].keyword
      #expect(try flaw(format) { $0.remove(at: index) } == .text(keyword))
      #expect(try flaw(format) { $0.swapAt(index, index + 1) } == .text(keyword))
      #expect(try flaw(format) { $0.insert($0[index], at: index) } != nil)
      #expect(try flaw(format) { $0.append($0[index]) } == .unexpectedText)
    }
    #expect(try flaw(format) { $0.append(("Comment", "x")) } == .unexpectedText)
    #expect(try flaw(format) { $0 = [] } == .text(.uri))
  }

  @Test("The texts of another clip are rejected", arguments: CoverFormat.allCases)
  func otherClip(_ format: CoverFormat) throws {
    let cover = try RealCover("h264.mp4", format)
    var texts = RealCover.texts
    texts[0].text = "file:///clips/other.mp4"
    #expect(cover.check.announcing(texts: texts).flaw(of: cover.bytes) == .text(.uri))
    #expect(cover.check.announcing(texts: []).flaw(of: cover.bytes) == .text(.facts))
  }

  @Test("The facts must be exactly those that were reported", arguments: CoverFormat.allCases)
  func facts(_ format: CoverFormat) throws {
    let index = RealCover.texts.count
    let changes: [@Sendable (inout [Text]) -> Void] = [
      { $0.remove(at: index) }, { $0.insert($0[index], at: index) }, { $0.swapAt(index, index + 1) },
      { $0[index].text = "{}" }, { $0[index].text += " " }, { $0[index].text.replace("false", with: "true") },
    ]
    for change in changes { #expect(try flaw(format, change) != nil) }
    let cover = try RealCover("h264.mp4", format)
    #expect(cover.check.reporting(nil).flaw(of: cover.bytes) == .text(.mimeType))
    let without = try Self.bytes(of: cover) { $0.remove(at: index) }
    #expect(cover.check.reporting(nil).flaw(of: without) == nil)
    #expect(cover.flaw(of: without) == .text(.facts))
  }

  @Test(
    "The type of the clip must be a MIME type",
    .enabled(if: Scope.isFull),
    arguments: [
      ("video/x-matroska", true), ("application/vnd.rn-realmedia", true), ("a/b", true), ("", false), ("video", false),
      ("video/", false), ("/mp4", false), ("video/mp4/x", false), ("video/mp 4", false), ("video/\u{1B}[2J", false),
      ("video/mp4;codecs=x", false), ("video/" + String(repeating: "x", count: 94), true),
      ("video/" + String(repeating: "x", count: 95), false), ("vidéo/mp4", false),
    ]
  )
  func type(_ type: String, isValid: Bool) throws {
    let index = RealCover.texts.count + 1
    for format in CoverFormat.allCases {
      #expect(try flaw(format) { $0[index].text = type } == (isValid ? nil : .text(.mimeType)))
    }
  }

  @Test(
    "The software must be this version",
    arguments: [("ClipCanvas \(ClipCanvasVersion.current)", true), ("ClipCanvas", false), ("ClipCanvas 99.0", false)]
  )
  func software(_ software: String, isValid: Bool) throws {
    let index = RealCover.texts.count + 2
    for format in CoverFormat.allCases {
      #expect(try flaw(format) { $0[index].text = software } == (isValid ? nil : .text(.software)))
    }
  }

  @Test(
    "The duration of the clip is optional, but must be a number",
    .enabled(if: Scope.isFull),
    arguments: [
      ("0", true), ("86400", true), ("9999999999999999", true), ("", false), ("-1", false), ("1.5", false),
      ("1 ", false),
      ("99999999999999999", false), ("١", false),
    ]
  )
  func length(_ length: String, isValid: Bool) throws {
    let index = RealCover.texts.count + 3
    for format in CoverFormat.allCases {
      #expect(try flaw(format) { $0[index].text = length } == (isValid ? nil : .text(.movieLength)))
      #expect(try flaw(format) { $0.remove(at: index) } == nil)
    }
  }

  @Test("Descriptions of flaws are short and show only an escaped chunk name from the file")
  func words() throws {
    let cover = try RealCover("h264.mp4", .png)
    var parts = PNGParts(cover.bytes)
    parts.chunks.insert(PNGParts.Chunk("\u{1B}[2J", []), at: parts.chunks.count - 1)
    let flaw = try #require(cover.flaw(of: parts.bytes))
    #expect("\(flaw)" == #"unexpected chunk \x1b[2J"#)
    #expect(
      "\(try #require(try self.flaw(.jpeg) { $0[0].text = "\u{1B}]52;c;x" }))"
        == "the text Thumb::URI is missing or wrong"
    )
    #expect(
      "\(CoverFlaw.length(1 << 30, most: 2000))"
        == "1073741824 bytes, more than the 2000 that a cover of this size can have"
    )
  }
}
