import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Repairs of board files")
struct RepairTests {
  private let scratch: ScratchFolder
  private let original: [UInt8]
  private let file: BoardFile

  init() throws {
    scratch = try ScratchFolder()
    original = try ScratchFolder.read(Schemas.first)
    file = BoardFile(at: scratch("board.json"))
  }

  @Test("A repair restores what can be read and keeps a copy of each damaged file")
  func repaired() throws {
    let text = String(decoding: original, as: UTF8.self)
    let cut = try #require(text.firstRange(of: #""zoom""#)).lowerBound
    for (number, damaged) in [Array(text[..<cut].utf8), Array(text.replacing("\"paused\"", with: "paused").utf8)]
      .enumerated()
    {
      try scratch.write(damaged, as: "board.json")
      let repair = try #require(try file.repair(lockTimeout: .seconds(5)))
      #expect(repair.copy == scratch(number == 0 ? "board.json.damaged" : "board.json.damaged-2"))
      #expect(try ScratchFolder.read(repair.copy) == damaged)
      let board = try file.read().board
      #expect(board == repair.board)
      #expect(board.canvases.map(\.id.description) == ["c1", "c2"])
      #expect(board.canvases.first?.clip?.file.path == "a.mp4")
      #expect(
        board.canvases.first?.cover
          == .ready(try #require(CoverFile(path: "board.covers/c1-2.png", width: 320, height: 240, actualTime: 0.04)))
      )
      #expect(board.session == .idle && !board.isLocked)
      #expect(board.revision > 2)
      #expect(try file.repair(lockTimeout: .seconds(5))?.problem == nil)
    }
  }

  /// Forms that editors, shells and lost blocks give a file, without loss.
  enum Form: CaseIterable {
    case littleEndian, littleEndianUnmarked, bigEndian, bigEndianUnmarked, zerosBefore, zerosAfter

    func bytes(of text: String) -> [UInt8] {
      let units = text.utf16.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      let zeros = [UInt8](repeating: 0, count: 4096)
      return switch self {
      case .littleEndian: [0xFF, 0xFE] + units.joined()
      case .littleEndianUnmarked: Array(units.joined())
      case .bigEndian: [0xFE, 0xFF] + units.map { $0.reversed() }.joined()
      case .bigEndianUnmarked: Array(units.map { $0.reversed() }.joined())
      case .zerosBefore: zeros + text.utf8
      case .zerosAfter: text.utf8 + zeros
      }
    }
  }

  @Test("A repair of UTF-16 text and of zero bytes around the text loses nothing", arguments: Form.allCases)
  func foreignText(form: Form) throws {
    let text = String(decoding: original, as: UTF8.self).replacing("a.mp4", with: "ä–🎬.mp4")
    try scratch.write(text.utf8, as: "board.json")
    let whole = try file.read().board
    try scratch.write(form.bytes(of: text), as: "board.json")
    #expect(throws: BoardError.self) { try file.read() }
    let repair = try #require(try file.repair(lockTimeout: .seconds(5)))
    #expect(repair.board == whole && repair.forgotten == 0)
    #expect(try ScratchFolder.read(repair.copy) == form.bytes(of: text))
    #expect(try file.read().board == whole)
  }

  @Test("Compressed data and pages are named, and not repaired")
  func foreignFormats() throws {
    for (bytes, format) in [([0x1F, 0x8B, 8, 0], .gzip), (Array("\n <html>".utf8), .markup)]
      as [([UInt8], ForeignFormat)]
    {
      try scratch.write(bytes, as: "board.json")
      #expect(throws: BoardError.unreadable(.foreign(format))) { try file.read() }
      #expect(throws: BoardError.unreadable(.foreign(format))) { try file.repair(lockTimeout: .seconds(5)) }
      #expect(try ScratchFolder.read(file.path) == bytes)
    }
  }

  @Test("A repair keeps regions that can be read, and continues after the highest number that can be")
  func regions() throws {
    let region = try #require(Region(x: 0, y: 0, width: 0.25, height: 1))
    let text = String(decoding: BoardDocument(Board(regions: [region, .whole])).bytes, as: UTF8.self)
    let damaged = text.replacing(#""width": 1"#, with: #""width": 7"#).replacing(
      #""revision": 0"#,
      with: #""revision": -1"#
    )
    try scratch.write(damaged.utf8, as: "board.json")
    let board = try #require(try file.repair(lockTimeout: .seconds(5))).board
    let free = try #require(Region(x: 0.25, y: 0, width: 0.25, height: 1))
    #expect(board.canvases.map(\.region) == [region, free])
    // The revision is lost, and with it at most as many changes as the history holds.
    #expect(board.revision == 1 + History.maximumTransactions)
  }

  /// A change of a good board's text, and the canvases and clips that are left; ÿ stands for a byte that is not UTF-8.
  struct Edit {
    let old: String
    let new: String
    var canvases = "c1 c2 c3 c4"
    var clips = "a.mp4 b.mp4 c.mp4 d.mp4"
  }

  private static let edits: [Edit] = [
    Edit(old: "\"path\": \"b", new: "\"path\": \"ÿb", clips: "a.mp4 - c.mp4 d.mp4"),
    Edit(old: "\"id\": \"c2\",", new: "\"id\": \"c2\""),
    Edit(old: "\"id\": \"c1\",", new: "\"id\": \"c1\", \"id\": \"c9\","),
    Edit(old: "\"id\": \"c1\",", new: "\"id\": \"c1\", \"note\": NaN,"),
    Edit(old: "\"id\": \"c2\",", new: "\"id\": ,", canvases: "c1 c3 c4", clips: "a.mp4 c.mp4 d.mp4"),
    Edit(old: "{\n  \"canvases\"", new: "\u{FEFF}{\n  \"canvases\""),
  ]

  @Test("A repair loses only what is damaged", arguments: edits.indices)
  func oneError(_ number: Int) throws {
    let edit = Self.edits[number]
    var board = Board(columns: 4, rows: 1)
    for (canvas, name) in zip(board.canvases.map(\.id), ["a", "b", "c", "d"]) {
      _ = board.apply(.importClip(canvas, try #require(ClipFile(path: name + ".mp4"))), at: .zero)
    }
    let text = String(decoding: BoardDocument(board).bytes, as: UTF8.self)
    let range = try #require(text.firstRange(of: edit.old))
    var damaged: [UInt8] = []
    for scalar in text.replacingCharacters(in: range, with: edit.new).unicodeScalars {
      damaged += scalar == "ÿ" ? [0xFF] : Array(String(scalar).utf8)
    }
    try scratch.write(damaged, as: "board.json")
    #expect(throws: BoardError.self) { try file.read() }
    let repaired = try #require(try file.repair(lockTimeout: .seconds(5))).board
    #expect(repaired.canvases.map(\.id.description).joined(separator: " ") == edit.canvases)
    #expect(repaired.canvases.map { $0.clip?.file.path ?? "-" }.joined(separator: " ") == edit.clips)
    #expect(repaired.revision >= board.revision)
  }

  @Test("A repair uses no number again that a lost part of the board may have used")
  func lostNumbers() throws {
    var board = Board(columns: 2, rows: 1)
    let canvas = board.canvases[1].id
    for _ in 0..<40 { _ = board.apply(.tap(canvas), at: .zero) }
    let text = Array(BoardDocument(board).bytes)
    let start = try #require(text.firstRange(of: Array("\"history\"".utf8))).lowerBound
    try scratch.write(text.prefix(start + 400), as: "board.json")
    #expect(try #require(try file.repair(lockTimeout: .seconds(5))).board.revision > board.revision)
    // The name of a cover that is left has a higher number.
    try scratch.write(text.prefix(start), as: "board.json")
    try #require(mkdir(scratch("board.covers").string, 0o777) == 0)
    try scratch.write(Array("png".utf8), as: "board.covers/c2-700.png")
    #expect(try #require(try file.repair(lockTimeout: .seconds(5))).board.revision > 700)
  }

  @Test("A damaged board of a newer version is left alone")
  func newerAndDamaged() throws {
    let text = String(decoding: BoardDocument(Board(columns: 2, rows: 1)).bytes, as: UTF8.self)
    let newer = text.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 3") + "garbage"
    try scratch.write(newer.utf8, as: "board.json")
    #expect(throws: BoardError.unreadable(.newer(3))) { try file.repair(lockTimeout: .seconds(5)) }
    #expect(try ScratchFolder.read(file.path) == Array(newer.utf8))
  }

  @Test("A file without a readable canvas is not repaired")
  func beyondRepair() throws {
    for bytes in [Array("{}".utf8), [0, 0, 0], Array("{\"canvases\":[{\"id\":7}]}".utf8), [0xFF, 0xD8]] {
      try scratch.write(bytes, as: "board.json")
      #expect(throws: BoardError.self) { try file.repair(lockTimeout: .seconds(5)) }
      #expect(try ScratchFolder.read(file.path) == bytes)
      #expect(try scratch.names().filter { !$0.hasPrefix(".") } == ["board.json"])
    }
  }

  @Test(
    "A file truncated anywhere is either repaired to complete canvases or reported as unreadable",
    .enabled(if: Scope.isFull)
  )
  func repairedAnywhere() throws {
    let step = LongForm.isWanted ? 1 : 37
    var saved = 0
    for count in stride(from: 1, to: original.count - 1, by: step) {
      try scratch.write(original.prefix(count), as: "board.json")
      guard let repair = try? file.repair(lockTimeout: .seconds(5)) else { continue }
      saved += 1
      #expect(["c1", "c1 c2"].contains(repair.board.canvases.map(\.id.description).joined(separator: " ")))
      #expect(try file.read().board == repair.board)
    }
    #expect(saved > 10)
  }

  static let replacements = [nil, UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "{"), UInt8(ascii: "]")]

  // In the short form, each byte is damaged in one of these ways.
  @Test(
    "A board with any byte removed or replaced is repaired or refused in a moment",
    .enabled(if: Scope.isFull),
    .timeLimit(.minutes(10)),
    arguments: replacements.indices
  )
  func anyByte(_ way: Int) throws {
    let replacement = Self.replacements[way]
    var board = Board(columns: 1, rows: 1)
    _ = board.apply(.tap(board.canvases[0].id), at: .zero)
    let text = Array(BoardDocument(board).bytes)
    var repaired = 0
    for index in text.indices where text[index] > 0x20 && text[index] != replacement {
      guard LongForm.isWanted || index % Self.replacements.count == way else { continue }
      var damaged = text
      damaged.replaceSubrange(index...index, with: [replacement].compactMap(\.self))
      try scratch.write(damaged, as: "board.json")
      repaired += (try? file.repair(lockTimeout: .seconds(5))) == nil ? 0 : 1
    }
    #expect(repaired > 50)
  }
}
