import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import BoardStore

@Suite("Board lock")
struct BoardLockTests {
  private let scratch: ScratchFolder
  private let file: BoardFile
  private let lockPath: FilePath

  init() throws {
    scratch = try ScratchFolder()
    file = BoardFile(at: try scratch.copy(Schemas.first, as: "board.json"))
    lockPath = scratch(".board.json.lock")
  }

  @Test(
    "A note has a process that exists and a time since 1970",
    arguments: [("1 0\n", true), ("0 5\n", false), ("-1 5\n", false), ("5 -1\n", false), ("5 1", false)]
  )
  func notes(_ text: String, _ isNote: Bool) {
    #expect((LockNote(Array(text.utf8)) != nil) == isNote)
  }

  @Test(
    "If the lock file is replaced while a writer waits, the writer waits for the new one",
    .enabled(if: Scope.isFull)
  )
  func replaced() async throws {
    let old = try lock(lockPath)
    let hasEntered = Flag()
    let writer = Task.detached { [file] in
      try file.transact(lockTimeout: .seconds(600)) { _ in
        hasEntered.value.store(true, ordering: .sequentiallyConsistent)
      }
    }
    // The descriptors of this test and of the writer.
    try await wait { try descriptors(of: lockPath) == 2 }
    let new = try lock(scratch("new"))
    let renamed = scratch("new").withPlatformString { new in lockPath.withPlatformString { rename(new, $0) } }
    #expect(renamed == 0)
    try old.close()
    try await wait { try hasEntered.isSet || descriptors(of: lockPath) == 2 }
    #expect(!hasEntered.isSet)
    try new.close()
    try await writer.value
    #expect(hasEntered.isSet)
  }

  /// Creates a file and locks it.
  private func lock(_ path: FilePath) throws -> FileDescriptor {
    let file = try FileDescriptor.open(
      path,
      .readWrite,
      options: [.create, .closeOnExec],
      permissions: .ownerReadWrite
    )
    guard flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 else { throw Errno(rawValue: errno) }
    return file
  }

  /// Returns the number of this process's descriptors that refer to the file at a path.
  private func descriptors(of path: FilePath) throws -> Int {
    var (named, open) = (stat(), stat())
    guard path.withPlatformString({ stat($0, &named) }) == 0 else { throw Errno(rawValue: errno) }
    return try ScratchFolder.names(in: "/proc/self/fd").compactMap { Int32($0) }.count { descriptor in
      fstat(descriptor, &open) == 0 && open.st_ino == named.st_ino && open.st_dev == named.st_dev
    }
  }

  private func wait(until condition: () throws -> Bool) async throws {
    while try !condition() { try await pause(.milliseconds(2)) }
  }
}

/// A flag that one thread sets once for another.
private final class Flag: Sendable {
  let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
}
