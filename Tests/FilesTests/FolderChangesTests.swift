import Files
import SystemPackage
import TestSupport
import Testing

@Suite("Changes in folders")
struct FolderChangesTests {
  @Test("A change records whether it is of a folder")
  func kinds() throws {
    let scratch = try ScratchFolder()
    let watch = try FolderChanges(includesAttributes: false)
    try watch.watch(scratch.path)
    try FilePath.makeFolder(scratch("folder"))
    try scratch.write([1], as: "file")
    let changes = watch.next().changes.filter { $0.kind == .created }
    #expect(changes.map(\.name.string) == ["folder", "file"] && changes.map(\.isFolder) == [true, false])
  }
}
