import ClipService
import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Lists of clips")
struct ClipListTests {
  private func paths(
    _ bytes: [UInt8],
    zeros: Bool = false
  ) throws -> [[UInt8]] {
    let scratch = try ScratchFolder()
    let list = try ClipList(at: scratch.write(bytes, as: "list"), isSeparatedByZeros: zeros) { false }
    var paths: [[UInt8]] = []
    while let path = try list.next() { paths.append(path.bytes) }
    return paths
  }

  @Test(
    "Each line is a path; empty lines are skipped and the last newline is optional",
    arguments: [
      ("", []), ("\n", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("\n\na\n\n\nb\n\n", ["a", "b"]),
      (" a \n-x\n", [" a ", "-x"]), ("a\r\n", ["a\r"]), ("#a\n\"b\"\n", ["#a", "\"b\""]),
    ] as [(String, [String])]
  )
  func lines(text: String, expected: [String]) throws {
    #expect(try paths(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test("Paths separated by zero bytes may contain newlines and bytes that are not UTF-8", .enabled(if: Scope.isFull))
  func zeros() throws {
    let bytes: [UInt8] = [0x61, 0x0A, 0x62, 0, 0, 0xFF, 0xFE, 0, 0x63]
    #expect(try paths(bytes, zeros: true) == [[0x61, 0x0A, 0x62], [0xFF, 0xFE], [0x63]])
    #expect(throws: ServiceError.self) { try paths(bytes) }
  }

  @Test(
    "Many lines are read correctly, at any position in the read buffer",
    .enabled(if: Scope.isFull),
    arguments: [1, 7, 4096, 65_535]
  )
  func manyLines(_ length: Int) throws {
    let count = 300_000 / length + 3
    let line = (0..<length).map { UInt8(ascii: "a") + UInt8($0 % 26) }
    let found = try paths(Array(repeating: line + [0x0A], count: count).flatMap { $0 })
    #expect(found.count == count && found.allSatisfy { $0 == line })
  }

  @Test("A line longer than any path is refused, whatever its length", .enabled(if: Scope.isFull))
  func endless() throws {
    let longest = [UInt8](repeating: 0x61, count: 1 << 16)
    #expect(try paths(longest) == [longest] && paths(longest + [0x0A]) == [longest])
    for length in [(1 << 16) + 1, 1 << 20] {
      for end: [UInt8] in [[], [0x0A]] {
        let line = [UInt8](repeating: 0x61, count: length)
        let error = try #require(throws: ServiceError.self) { try paths([0x62, 0x0A] + line + end) }
        #expect(error.description.hasSuffix("has a line of more than 65536 bytes, which is not a path"))
      }
    }
  }

  @Test("A list written to a pipe in small pieces is read as it arrives", .enabled(if: Scope.isFull))
  func pipe() async throws {
    let scratch = try ScratchFolder()
    try #require(mkfifo(scratch("pipe").string, 0o600) == 0)
    // Both ends are opened before the list, so opening it does not block.
    let end = try FileDescriptor.open(scratch("pipe"), .readWrite, options: .closeOnExec)
    let list = try ClipList(at: scratch("pipe"), isSeparatedByZeros: false) { false }
    for (piece, expected) in [("a.mp4\nb", "a.mp4"), (".mp4\n", "b.mp4"), ("c\nd\n", "c")] {
      try end.writeAll(piece.utf8)
      #expect(try list.next() == FilePath(expected))
    }
    #expect(try list.next() == "d")
    try end.writeAll("the last".utf8)
    try end.close()
    #expect(try list.next() == "the last")
    #expect(try list.next() == nil)
  }

  @Test("Reading from an idle pipe ends when the list is no longer needed", .enabled(if: Scope.isFull))
  func stopped() throws {
    let scratch = try ScratchFolder()
    try #require(mkfifo(scratch("pipe").string, 0o600) == 0)
    let end = try FileDescriptor.open(scratch("pipe"), .readWrite, options: .closeOnExec)
    defer { try? end.close() }
    let list = try ClipList(at: scratch("pipe"), isSeparatedByZeros: false) { true }
    try end.writeAll("a.mp4\nhalf a na".utf8)
    #expect(try list.next() == "a.mp4")
    #expect(try list.next() == nil)
  }

  @Test("The clips are counted unless the list can be read only once or the task is cancelled")
  func count() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for number in 0..<30 { try scratch.write([0], as: "c/\(number).mp4") }
    try scratch.write(Array("x.mp4\ny.mp4\n".utf8), as: "list")
    var selection = ClipSelection(paths: [scratch("c"), scratch("z.mp4")], list: scratch("list"))
    #expect(await selection.count() == 33)
    let cancelled = Task { [selection] in
      withUnsafeCurrentTask { $0?.cancel() }
      return await selection.count()
    }
    #expect(await cancelled.value == nil)
    try #require(mkfifo(scratch("pipe").string, 0o600) == 0)
    selection.list = scratch("pipe")
    #expect(await selection.count() == nil)
    selection.list = scratch("missing")
    #expect(await selection.count() == nil)
  }
}
