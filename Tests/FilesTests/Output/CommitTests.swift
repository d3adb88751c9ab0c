import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Committing a new version of a file")
struct CommitTests {
  private struct Mishap: Error {}

  @Test("Committing creates a missing file and nothing else")
  func new() throws {
    let folder = try ScratchFolder()
    try replace(folder("cover.png"), by: "new")
    #expect(try FileState(folder("cover.png")).text == "new")
    #expect(try folder.names() == ["cover.png"])
  }

  @Test("Committing replaces a version of any length", arguments: ["", "x", "a longer one than that before"])
  func replaced(text: String) throws {
    let folder = try ScratchFolder()
    try folder.write("the old version".utf8, as: "cover.png")
    try replace(folder("cover.png"), by: text)
    #expect(try FileState(folder("cover.png")).text == text)
    #expect(try folder.names() == ["cover.png"])
  }

  @Test("The old version stays available through open descriptors and other names")
  func oldVersion() throws {
    let folder = try ScratchFolder()
    let path = try folder.write("old".utf8, as: "cover.png")
    let reader = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
    defer { try? reader.close() }
    let linked = path.withPlatformString { old in
      folder("other").withPlatformString { linkat(AT_FDCWD, old, AT_FDCWD, $0, 0) }
    }
    try #require(linked == 0)
    try replace(path, by: "new")
    var bytes = [UInt8](repeating: 0, count: 10)
    let count = try bytes.withUnsafeMutableBytes { try reader.read(into: $0) }
    #expect(bytes.prefix(count) == Array("old".utf8)[...])
    #expect(try FileState(folder("other")).text == "old")
    #expect(try FileState(path).text == "new")
  }

  @Test(
    "Before the commit the new version is not visible, and without a commit nothing changes",
    arguments: [true, false]
  )
  func notCommitted(exists: Bool) throws {
    let folder = try ScratchFolder()
    if exists { try folder.write("old".utf8, as: "cover.png") }
    let before = exists ? try FileState(folder("cover.png")) : nil
    let names = exists ? ["cover.png"] : []
    do {
      let file = try ReplacementFile(for: folder("cover.png"))
      try file.descriptor.writeAll("half of the n".utf8)
      #expect(try folder.names() == names)
    }
    #expect(try folder.names() == names)
    #expect(try (exists ? FileState(folder("cover.png")) : nil) == before)
  }

  @Test("An error before the commit leaves the old version unchanged")
  func mishap() throws {
    let folder = try ScratchFolder()
    let before = try FileState(try folder.write("old".utf8, as: "cover.png"))
    #expect(throws: Mishap.self) {
      let file = try ReplacementFile(for: folder("cover.png"))
      try file.descriptor.writeAll("half".utf8)
      throw Mishap()
    }
    #expect(try FileState(folder("cover.png")) == before)
    #expect(try folder.names() == ["cover.png"])
  }

  @Test("A killed process leaves only the old version", .enabled(if: Scope.isFull), arguments: [true, false])
  func killed(exists: Bool) async throws {
    let folder = try ScratchFolder()
    if exists { try folder.write("old".utf8, as: "cover.png") }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path.string as String] in
      let file = try ReplacementFile(for: FilePath(path).appending("cover.png"))
      try file.descriptor.writeAll("half".utf8)
      kill(getpid(), SIGKILL)
    }
    #expect(try folder.names() == (exists ? ["cover.png"] : []))
    if exists { #expect(try FileState(folder("cover.png")).text == "old") }
  }

  @Test("The mode of the old version is kept", arguments: [0o600, 0o640, 0o444, 0o777, 0o604] as [UInt32])
  func mode(mode: UInt32) throws {
    let folder = try ScratchFolder()
    try folder.write("old", as: "cover.png", mode: mode)
    try replace(folder("cover.png"), by: "new")
    #expect(try FileState(folder("cover.png")).mode == mode)
    #expect(try FileState(folder("cover.png")).text == "new")
  }

  @Test(
    "A new file gets the requested mode less the umask, and an existing file keeps its mode",
    .enabled(if: Scope.isFull),
    arguments: [(0o022, 0o644, 0o600), (0o077, 0o600, 0o600), (0o000, 0o666, 0o620), (0o027, 0o640, 0o600)]
      as [(UInt32, UInt32, UInt32)]
  )
  func newFileMode(mask: UInt32, usual: UInt32, asked: UInt32) async throws {
    let folder = try ScratchFolder()
    try folder.write("old", as: "old", mode: 0o646)
    // The umask belongs to the whole process, so a separate process keeps other tests unaffected.
    await #expect(processExitsWith: .success) { [path = folder.path.string as String, mask] in
      _ = umask(mask)
      let folder = FilePath(path)
      try replace(folder.appending("old"), by: "new")
      try replace(folder.appending("usual"), by: "new")
      let file = try ReplacementFile(
        for: folder.appending("asked"),
        permissions: [.ownerReadWrite, .groupWrite]
      )
      try file.commit()
    }
    #expect(try FileState(folder("usual")).mode == usual)
    #expect(try FileState(folder("asked")).mode == asked)
    #expect(try FileState(folder("old")).mode == 0o646)
    #expect(try folder.names() == ["asked", "old", "usual"])
  }

  @Test("The last of two concurrent commits determines the content")
  func twoAtOnce() throws {
    let folder = try ScratchFolder()
    let path = folder("cover.png")
    let one = try ReplacementFile(for: path)
    let other = try ReplacementFile(for: path)
    try one.descriptor.writeAll("one".utf8)
    try other.descriptor.writeAll("other".utf8)
    try other.commit()
    #expect(try FileState(path).text == "other")
    try one.commit()
    #expect(try FileState(path).text == "one")
    #expect(try folder.names() == ["cover.png"])
  }

  @Test("A file created in the meantime is replaced")
  func meantime() throws {
    let folder = try ScratchFolder()
    let file = try ReplacementFile(for: folder("cover.png"))
    try file.descriptor.writeAll("ours".utf8)
    try folder.write("somebody else's".utf8, as: "cover.png")
    try file.commit()
    #expect(try FileState(folder("cover.png")).text == "ours")
    #expect(try folder.names() == ["cover.png"])
  }

  @Test("The new version can be read before the commit, and is not inherited by child processes")
  func descriptor() throws {
    let folder = try ScratchFolder()
    let file = try ReplacementFile(for: folder("cover.png"))
    try file.descriptor.writeAll("text".utf8)
    var bytes = [UInt8](repeating: 0, count: 4)
    _ = try bytes.withUnsafeMutableBytes { try file.descriptor.read(fromAbsoluteOffset: 0, into: $0) }
    #expect(bytes == Array("text".utf8))
    #expect(fcntl(file.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test("The file is closed after a commit and without one", arguments: [true, false])
  func closed(commits: Bool) throws {
    let folder = try ScratchFolder()
    let file = try ReplacementFile(for: folder("cover.png"))
    // A lock belongs to the open file, and is released with its last descriptor.
    try #require(flock(file.descriptor.rawValue, LOCK_EX) == 0)
    let again = try FileDescriptor.open("/proc/self/fd/\(file.descriptor.rawValue)", .readOnly, options: .closeOnExec)
    defer { try? again.close() }
    #expect(flock(again.rawValue, LOCK_EX | LOCK_NB) != 0)
    if commits { try file.commit() } else { Self.drop(file) }
    // A program started by another test has a copy of every descriptor for a moment.
    let isFree = (0..<500).contains { _ in flock(again.rawValue, LOCK_EX | LOCK_NB) == 0 || usleep(10_000) != 0 }
    #expect(isFree)
  }

  private static func drop(_: consuming ReplacementFile) {}
}
