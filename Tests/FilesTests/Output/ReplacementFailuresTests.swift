import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Files that cannot be replaced")
struct ReplacementFailuresTests {
  /// Returns the error of creating or committing a new version.
  private static func failure(_ path: FilePath) -> FileReplacementError? {
    #expect(throws: FileReplacementError.self) {
      let file = try ReplacementFile(for: path)
      try file.commit()
    }
  }

  @Test("A name of 256 bytes is reported as too long, and no file remains")
  func tooLong() throws {
    let folder = try ScratchFolder()
    let path = folder(String(repeating: "x", count: 256))
    let error = Self.failure(path)
    #expect(error?.errno == .fileNameTooLong)
    #expect(error?.path == path)
    #expect(try folder.names() == [])
  }

  @Test("A missing folder is reported before anything is written")
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

  @Test("A file in the place of a folder is reported before anything is written")
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

  @Test("A folder without write permission is reported before anything is written")
  func readOnlyFolder() async throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("shut")
    let before = try FileState(try folder.write("old".utf8, as: "shut/cover.png"))
    for name in ["shut", "."] {
      try #require(folder(name).withPlatformString { chmod($0, 0o555) } == 0)
    }
    // Root may write everywhere, so a separate process switches to another user first.
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

  @Test("A file system that does not create files fails with a system error", arguments: ["/proc", "/sys"])
  func systemFolder(folder: FilePath) {
    let error = Self.failure(folder.appending("cover.png"))
    #expect(error?.operation == "create a file in")
    #expect(error?.path == folder)
    #expect([.noSuchFileOrDirectory, .permissionDenied, .readOnlyFileSystem].contains(error?.errno))
  }

  @Test("A folder in the place of the file stays, and nothing is left beside it")
  func folderInPlace() throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("cover.png")
    let error = Self.failure(folder("cover.png"))
    #expect(error?.errno == .isDirectory)
    #expect(error?.operation == "rename to")
    #expect(try folder.names() == ["cover.png"])
    #expect(try ScratchFolder.names(in: folder("cover.png")) == [])
  }

  @Test("A folder removed in the meantime is reported and not created again")
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

  @Test("An empty path is an error")
  func empty() {
    #expect(Self.failure("")?.errno == .noSuchFileOrDirectory)
  }
}
