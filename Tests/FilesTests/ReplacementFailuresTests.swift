import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("a file that cannot be replaced")
struct ReplacementFailuresTests {
  /// The error of making or committing a new version.
  private static func failure(_ path: FilePath) -> FileReplacementError? {
    #expect(throws: FileReplacementError.self) {
      let file = try ReplacementFile(for: path)
      try file.commit()
    }
  }

  @Test("a name of 256 bytes is told as too long, and nothing is left")
  func tooLong() throws {
    let folder = try ScratchFolder()
    let path = folder(String(repeating: "x", count: 256))
    let error = Self.failure(path)
    #expect(error?.errno == .fileNameTooLong)
    #expect(error?.path == path)
    #expect(try folder.names() == [])
  }

  @Test("a missing folder is told before anything is written")
  func missingFolder() throws {
    let folder = try ScratchFolder()
    #expect(
      throws: FileReplacementError(
        operation: "create a file in",
        path: folder("none"),
        errno: .noSuchFileOrDirectory
      )
    ) {
      _ = try ReplacementFile(for: folder("none/cover.png"))
    }
    #expect(try folder.names() == [])
  }

  @Test("a file as a folder is told before anything is written")
  func fileAsFolder() throws {
    let folder = try ScratchFolder()
    let before = try FileState(try folder.write("a file".utf8, as: "file"))
    #expect(
      throws: FileReplacementError(operation: "create a file in", path: folder("file"), errno: .notDirectory)
    ) {
      _ = try ReplacementFile(for: folder("file/cover.png"))
    }
    #expect(try FileState(folder("file")) == before)
  }

  @Test("a folder without permission is told before anything is written, and the file in it stays")
  func readOnlyFolder() async throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("shut")
    let before = try FileState(try folder.write("old".utf8, as: "shut/cover.png"))
    for name in ["shut", "."] {
      try #require(folder(name).withPlatformString { chmod($0, 0o555) } == 0)
    }
    // Root may write everywhere, so a process of its own becomes somebody else first.
    await #expect(processExitsWith: .success) { [path = folder.path.string as String] in
      if geteuid() == 0 { try #require(setuid(65_534) == 0) }
      let shut = FilePath(path).appending("shut")
      for name in ["cover.png", "new.png"] {
        #expect(
          throws: FileReplacementError(operation: "create a file in", path: shut, errno: .permissionDenied)
        ) {
          _ = try ReplacementFile(for: shut.appending(name))
        }
      }
    }
    #expect(try FileState(folder("shut/cover.png")) == before)
    #expect(try ScratchFolder.names(in: folder("shut")) == ["cover.png"])
  }

  @Test("a file system that makes no files refuses with an error of the system", arguments: ["/proc", "/sys"])
  func systemFolder(folder: FilePath) {
    let error = Self.failure(folder.appending("cover.png"))
    #expect(error?.operation == "create a file in")
    #expect(error?.path == folder)
    #expect([.noSuchFileOrDirectory, .permissionDenied, .readOnlyFileSystem].contains(error?.errno))
  }

  @Test("a folder in the file's place stays, and nothing is left beside it")
  func folderInPlace() throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("cover.png")
    let error = Self.failure(folder("cover.png"))
    #expect(error?.errno == .isDirectory)
    #expect(error?.operation == "rename to")
    #expect(try folder.names() == ["cover.png"])
    #expect(try ScratchFolder.names(in: folder("cover.png")) == [])
  }

  @Test("a folder that goes away in the meantime is told, and does not come back")
  func vanishedFolder() throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("gone")
    let file = try ReplacementFile(for: folder("gone/cover.png"))
    try #require(folder("gone").withPlatformString { rmdir($0) } == 0)
    do {
      try file.commit()
      Issue.record("a file was made in no folder")
    } catch {
      #expect(error.errno == .noSuchFileOrDirectory)
    }
    #expect(try folder.names() == [])
  }

  @Test("no name at all is an error")
  func empty() {
    #expect(Self.failure("")?.errno == .noSuchFileOrDirectory)
  }
}
