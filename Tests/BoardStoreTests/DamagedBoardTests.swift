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

/// Each test tries to read and to change a damaged file, and no byte of it may change.
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

  @Test("A file truncated at any byte is reported as damaged and left unchanged", .enabled(if: Scope.isFull))
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

  @Test("A flipped bit or zeroed byte is usually reported, and the file is never changed", .enabled(if: Scope.isFull))
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

  @Test("Damage by editors, disks and attackers is reported", .enabled(if: Scope.isFull))
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
    #expect(try verdict(zeros) == .unreadable(.corrupt("it contains only zeros")))
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
    #expect(throws: BoardError.unreadable(.notFile)) { try file.read() }
    try #require(rmdir(file.path.string) == 0 && mkfifo(file.path.string, 0o600) == 0)
    #expect(throws: BoardError.unreadable(.notFile)) { try file.read() }
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
    for (new, isRead) in [(#""schemaVersion": 3"#, true), (#""schemaVersion": 3, "canvases2": 1"#, true)] {
      let bytes = Array(text.replacing(#""schemaVersion": 1"#, with: new).utf8)
      try scratch.write(bytes, as: "board.json")
      #expect(isRead == (try file.read().schemaVersion == 3))
      #expect(throws: BoardError.unreadable(.newer(3))) { try file.transact { _ in } }
      #expect(throws: BoardError.unreadable(.newer(3))) { _ = try file.repair(lockTimeout: .seconds(5)) }
      #expect(try ScratchFolder.read(file.path) == bytes)
    }
    // An unknown structure in a newer schema does not count as damage.
    let other = Array(
      text.replacing(#""schemaVersion": 1"#, with: #""schemaVersion": 4"#).replacing(
        #""session": "paused""#,
        with: #""session": "replaying""#
      ).utf8
    )
    try scratch.write(other, as: "board.json")
    #expect(throws: BoardError.unreadable(.newer(4))) { try file.read() }
    #expect(throws: BoardError.unreadable(.newer(4))) { try file.repair(lockTimeout: .seconds(5)) }
    #expect(try ScratchFolder.read(file.path) == other)
  }
}
