import BoardStore
import CanvasModel
import Glibc
import SystemPackage
import TestSupport
import Testing

/// Documents as released, by schema version.
enum Schemas {
  static let first = ProjectFolder.top.appending("Tests/BoardStoreTests/Schemas/schema-1.json")
}

/// Each test tries to read and to change a damaged file, of which no byte may change.
@Suite("Damaged board files")
struct DamagedBoardTests {
  private let scratch: ScratchFolder
  private let original: [UInt8]
  /// The same document with fewer bytes to damage.
  private let short: [UInt8]
  private let file: BoardFile

  init() throws {
    scratch = try ScratchFolder()
    original = try ScratchFolder.read(Schemas.first)
    short = LongForm.isWanted ? original : try JSON(parsing: original).line + [0x0A]
    file = BoardFile(at: scratch("board.json"))
  }

  private enum Verdict: Equatable {
    case read
    case unreadable(UnreadableBoard)
  }

  /// Reads the file, tries to change the board, and checks that the bytes are unchanged.
  private func verdict(_ bytes: [UInt8]) throws -> Verdict {
    try scratch.write(bytes, as: "board.json")
    var verdict = Verdict.read
    do {
      _ = try file.read()
    } catch .unreadable(let why) {
      verdict = .unreadable(why)
    }
    var asked = false
    do {
      try file.transact { board in
        asked = true
        // The fixture's board is locked; do not change a board that a damaged byte has unlocked.
        guard board.isLocked else { return }
        _ = board.apply(.deselect, at: .zero)
      }
      #expect(verdict == .read)
    } catch .unreadable(.newer) {
      // A board with a newer schema may still be readable.
    } catch .unreadable(let why) {
      #expect(verdict == .unreadable(why))
    }
    #expect(verdict == .read || !asked)
    #expect(try ScratchFolder.read(file.path) == bytes)
    return verdict
  }

  @Test("A file truncated at any byte is reported as damaged and left unchanged")
  func truncated() throws {
    for count in 0..<(short.count - 1) {
      let verdict = try verdict(Array(short.prefix(count)))
      if count == 0 {
        #expect(verdict == .unreadable(.empty))
      } else {
        guard case .unreadable(.corrupt) = verdict else {
          Issue.record("\(count) bytes: \(verdict)")
          return
        }
      }
    }
    // The last byte is a newline, which is not required.
    #expect(try verdict(short.dropLast()) == .read)
  }

  @Test("A flipped bit or zeroed byte is usually reported, and the file is never changed")
  func flipped() throws {
    var numbers = SeededNumbers(seed: 6)
    var unread = 0
    for index in short.indices {
      let bits: [UInt8] = LongForm.isWanted ? (0..<8).map { 1 << $0 } : [1 << UInt8.random(in: 0..<8, using: &numbers)]
      for mask in LongForm.isWanted || index % 4 > 0 ? bits : [short[index]] {
        var bytes = short
        bytes[index] ^= mask
        if try verdict(bytes) != .read { unread += 1 }
      }
    }
    #expect(unread > short.count / 2)
  }

  @Test("Damage by editors, disks and attackers is reported")
  func odd() throws {
    let zeros = [UInt8](repeating: 0, count: 4096)
    let texts: [[UInt8]] = [
      zeros, original + zeros, Array(original.dropLast(100)) + zeros, [0xEF, 0xBB, 0xBF] + original, [0],
      Array("\n".utf8),
      Array("[]".utf8), Array("{}".utf8), Array("null".utf8), original + original,
      Array(String(repeating: "[", count: 100_000).utf8), Array(String(repeating: "{\"a\":", count: 100_000).utf8),
    ]
    for text in texts {
      guard case .unreadable(.corrupt) = try verdict(text) else {
        Issue.record("\(text.prefix(40))")
        return
      }
    }
    #expect(try verdict(zeros) == .unreadable(.corrupt("it holds nothing but zeros")))
  }

  @Test(
    "A contradiction or an invalid value is reported with its cause",
    arguments: [
      (#""revision": 4"#, #""revision": -1"#, "revision is below 0"),
      (#""revision": 4"#, #""revision": 9007199254740993"#, "revision is above 2⁵³"),
      (#""revision": 4"#, #""revision": 9223372036854775807"#, "revision is above 2⁵³"),
      (#""revision": 4"#, #""revision": 1e2"#, "revision is not a whole number"),
      (#""revision": 4"#, #""revision": 2"#, "history has revision 3 out of order"),
      (#""generation": 2"#, #""generation": 9223372036854775807"#, "canvases[0].clip.generation is above 2⁵³"),
      (#""revision": 4"#, #""revision": 4, "revision": 4"#, "duplicate member \"revision\""),
      (#""id": "c2""#, #""id": "c1""#, "two canvases have one id"),
      (#""isSelected": false"#, #""isSelected": true"#, "2 canvases are selected"),
      (#""session": "paused""#, #""session": "idle""#, "the session is idle"),
      (#""session": "paused""#, #""session": "asleep""#, "session is \"asleep\", not one of idle"),
      (#""schemaVersion": 1"#, #""schemaVersion": 0"#, "schemaVersion is below 1"),
      (#""schemaVersion": 1"#, #""schemaversion": 1"#, "schemaVersion is missing"),
      (#""x": 0.5"#, #""x": 0.6"#, "canvases[1].region does not lie inside 0…1"),
    ]
  )
  func contradictions(_ old: String, _ new: String, _ words: String) throws {
    let text = String(decoding: original, as: UTF8.self)
    let range = try #require(text.firstRange(of: old))
    let verdict = try verdict(Array(text.replacingCharacters(in: range, with: new).utf8))
    guard case .unreadable(.corrupt(let what)) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(what.contains(words), "\(what)")
  }

  @Test("A missing file, a folder or pipe, an oversized file and an empty file are reported as such")
  func kinds() throws {
    #expect(throws: BoardError.unreadable(.missing)) { try file.read() }
    #expect(throws: BoardError.unreadable(.missing)) { try file.transact { _ in } }
    #expect(!ProjectFolder.isThere(file.path))
    try FilePath.makeFolder(file.path)
    #expect(throws: BoardError.unreadable(.corrupt("it is not a regular file"))) { try file.read() }
    try #require(rmdir(file.path.string) == 0 && mkfifo(file.path.string, 0o600) == 0)
    #expect(throws: BoardError.unreadable(.corrupt("it is not a regular file"))) { try file.read() }
    try #require(unlink(file.path.string) == 0)
    try scratch.write([], as: "board.json")
    try #require(truncate(file.path.string, BoardDocument.maximumBytes + 1) == 0)
    #expect(throws: BoardError.unreadable(.corrupt("it is larger than 32 MiB"))) { try file.read() }
    try #require(truncate(file.path.string, 0) == 0)
    #expect(throws: BoardError.unreadable(.empty)) { try file.read() }
  }

  @Test("A newer schema is read where possible, but never written")
  func newer() throws {
    let text = String(decoding: original, as: UTF8.self)
    for (new, isRead) in [(#""schemaVersion": 2"#, true), (#""schemaVersion": 2, "canvases2": 1"#, true)] {
      let bytes = Array(text.replacing(#""schemaVersion": 1"#, with: new).utf8)
      try scratch.write(bytes, as: "board.json")
      #expect(isRead == (try file.read().schemaVersion == 2))
      #expect(throws: BoardError.unreadable(.newer(2))) { try file.transact { _ in } }
      #expect(throws: BoardError.unreadable(.newer(2))) { _ = try file.repair(lockTimeout: .seconds(5)) }
      #expect(try ScratchFolder.read(file.path) == bytes)
    }
    // An unknown structure in a newer schema does not count as damage.
    let other = Array(
      text.replacing(#""schemaVersion": 1"#, with: #""schemaVersion": 3"#).replacing(
        #""session": "paused""#,
        with: #""session": "replaying""#
      ).utf8
    )
    try scratch.write(other, as: "board.json")
    #expect(throws: BoardError.unreadable(.newer(3))) { try file.read() }
    #expect(throws: BoardError.unreadable(.newer(3))) { try file.repair(lockTimeout: .seconds(5)) }
    #expect(try ScratchFolder.read(file.path) == other)
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
    let newer = text.replacing("\"schemaVersion\": 1", with: "\"schemaVersion\": 2") + "garbage"
    try scratch.write(newer.utf8, as: "board.json")
    #expect(throws: BoardError.unreadable(.newer(2))) { try file.repair(lockTimeout: .seconds(5)) }
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

  @Test("A file truncated anywhere is either repaired to complete canvases or reported as unreadable")
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
}

extension Instant {
  fileprivate static var zero: Instant {
    Instant(secondsSince1970: 0) ?? { preconditionFailure("zero is a number") }()
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
    var result = self
    result.replaceSubrange(range, with: text)
    return result
  }
}
