import Glibc
import SystemPackage
import TestSupport
import Testing

/// The lock's name is derived from the board's, so a file of any kind may already have it.
@Suite("Foreign file in place of a board's lock")
struct ForeignLockTests {
  /// The kind of file in place of the lock.
  enum Kind: String, CaseIterable, Sendable {
    case file, emptyFileOfTwoNames, fileOfTwoNames, link, danglingLink, pipe, folder, longFile, almostANote,
      noteOfNoProcess

    /// The part of the message that describes the file.
    var words: String {
      switch self {
      case .file, .longFile, .almostANote, .noteOfNoProcess: "has other content"
      case .emptyFileOfTwoNames, .fileOfTwoNames: "has a second name"
      case .link, .danglingLink: "is a symbolic link"
      case .pipe, .folder: "is not a regular file"
      }
    }

    /// Creates the file; `target` is a file of the user that links refer to.
    func make(at path: FilePath, target: FilePath) throws {
      let failed: Int32 = try path.withPlatformString { path in
        switch self {
        case .file: return try Self.write("a diary\n", to: path)
        case .longFile: return try Self.write(String(repeating: "1", count: 1 << 20), to: path)
        case .almostANote: return try Self.write("12 1700000000\nand more\n", to: path)
        case .noteOfNoProcess: return try Self.write("0 1700000000\n", to: path)
        case .emptyFileOfTwoNames:
          _ = target.withPlatformString { truncate($0, 0) }
          return Glibc.link(target.string, path)
        case .fileOfTwoNames: return Glibc.link(target.string, path)
        case .link: return symlink(target.string, path)
        case .danglingLink: return symlink(target.string + ".new", path)
        case .pipe: return mkfifo(path, 0o600)
        case .folder: return mkdir(path, 0o700)
        }
      }
      guard failed == 0 else { throw Errno(rawValue: errno) }
    }

    private static func write(_ text: String, to path: UnsafePointer<CChar>) throws -> Int32 {
      try ScratchFolder.write(text.utf8, to: FilePath(platformString: path))
      return 0
    }
  }

  /// Returns the metadata of a file that a change would affect; the access time is left out.
  private static func state(_ path: FilePath) throws -> [Int] {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) == 0 else { throw Errno(rawValue: errno) }
    return [
      Int(status.st_ino), Int(status.st_mode), Int(status.st_uid), Int(status.st_gid), Int(status.st_size),
      Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec), Int(status.st_ctim.tv_sec), Int(status.st_ctim.tv_nsec),
    ]
  }

  @Test(
    "Every command that changes the board reports the file and leaves it alone",
    .enabled(if: Scope.isFull),
    arguments: Kind.allCases
  )
  func untouched(_ kind: Kind) async throws {
    let board = try await TestBoard()
    let lock = board.scratch(".board.json.lock")
    try #require(unlink(lock.string) == 0)
    let target = try board.scratch.write("precious\n".utf8, as: "precious")
    try kind.make(at: lock, target: target)
    let old = try board.bytes
    let (before, targetBefore) = (try Self.state(lock), try Self.state(target))
    let names = try board.scratch.names()
    for command in [["tap", "c1"], ["new", "--force"], ["repair"], ["undo"]] {
      let result = try await Program.run("clipcanvas", board.arguments(command))
      #expect(result.exitStatus == 2, "\(command)")
      #expect(
        result.errorOutput.contains("was not changed: \(lock) \(kind.words)") && result.errorOutput.contains("; "),
        "\(result.errorOutput)"
      )
      #expect(try board.bytes == old)
      #expect(try Self.state(lock) == before)
      #expect(try Self.state(target) == targetBefore)
      #expect(try board.scratch.names() == names)
    }
  }

  @Test("A pipe in place of the lock is never opened")
  func pipe() async throws {
    let board = try await TestBoard()
    let lock = board.scratch(".board.json.lock")
    try #require(unlink(lock.string) == 0)
    try Kind.pipe.make(at: lock, target: board.path)
    let reader = try FileDescriptor.open(lock, .readOnly, options: [.nonBlocking, .closeOnExec])
    defer { try? reader.close() }
    #expect(try await board.run("tap", "c1").exitStatus == 2)
    // Once a writer has opened and closed a pipe, poll reports POLLHUP.
    var input = pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0)
    #expect(poll(&input, 1, 0) == 0)
  }

  @Test("A note left by a killed holder does not prevent a change")
  func note() async throws {
    let board = try await TestBoard()
    try ScratchFolder.write("12345 1700000000\n".utf8, to: board.scratch(".board.json.lock"))
    try await board.done("tap", "c1")
    #expect(try ScratchFolder.read(board.scratch(".board.json.lock")) == [])
  }

  @Test(
    "Two holders killed in succession do not prevent a change, whichever note is longer",
    .enabled(if: Scope.isFull)
  )
  func twoNotes() async throws {
    let board = try await TestBoard()
    try ScratchFolder.write("4194304 9000000000000000\n".utf8, to: board.scratch(".board.json.lock"))
    let (result, _) = try await board.trace(["tap", "c1"], ["-e", "inject=fsync:signal=KILL:when=1"])
    #expect(result.exitStatus == 137)
    #expect(try ScratchFolder.read(board.scratch(".board.json.lock")).count < 24)
    try await board.done("tap", "c1")
    #expect(try board.record.revision == 1)
  }

  /// In a sticky folder the kernel may deny O_CREAT to everyone but the file's owner (`fs.protected_regular`).
  @Test("An existing lock is opened without O_CREAT")
  func noCreation() async throws {
    let board = try await TestBoard()
    let (result, calls) = try await board.trace(["tap", "c1"], ["-e", "trace=openat"])
    #expect(result.exitStatus == 0)
    let opened = calls.filter { $0.contains(".board.json.lock") }
    #expect(opened.count == 1 && opened.allSatisfy { !$0.contains("O_CREAT") }, "\(opened)")
  }
}
