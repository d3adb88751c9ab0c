import Files
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Changes in folders")
struct FolderChangesTests {
  @Test("A change says whether it is of a folder")
  func kinds() async throws {
    let scratch = try ScratchFolder()
    // Each user has 128 instances, which other tests and programs use, too.
    var instance: FolderChanges?
    try await eventually("the system has an instance of inotify") {
      instance = try? FolderChanges(includesAttributes: false)
      return instance != nil
    }
    let watch = try #require(instance)
    try watch.watch(scratch.path)
    try FilePath.makeFolder(scratch("folder"))
    try scratch.write([1], as: "file")
    let changes = watch.next().changes.filter { $0.kind == .created }
    #expect(changes.map(\.name.string) == ["folder", "file"] && changes.map(\.isFolder) == [true, false])
  }
}
