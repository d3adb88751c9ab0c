import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Folder watch")
struct FolderWatchTests {
  @Test("A watch reports a change in the folder once, and the removal of the folder")
  func reasons() throws {
    let scratch = try ScratchFolder()
    let folder = scratch("watched")
    try FilePath.makeFolder(folder)
    let watch = try FolderWatch(folder)
    #expect(try watch.wait(.zero) == .timeIsOver)
    try ScratchFolder.write([1], to: folder.appending("file"))
    #expect(try watch.wait() == .somethingHappened)
    #expect(try watch.wait(.zero) == .timeIsOver)
    try #require(unlink(folder.appending("file").string) == 0 && rmdir(folder.string) == 0)
    #expect(try watch.wait() == .folderIsGone)
  }

  // The watch then has descriptor 0. The test runs in a separate process, whose input can be closed.
  @Test("A folder can be watched while standard input is closed")
  func closedInput() async throws {
    let scratch = try ScratchFolder()
    await #expect(processExitsWith: .success) { [path = scratch.path.string as String] in
      close(STDIN_FILENO)
      let watch = try FolderWatch(FilePath(path))
      try ScratchFolder.write([1], to: FilePath(path).appending("file"))
      #expect(try watch.wait() == .somethingHappened)
    }
  }
}
