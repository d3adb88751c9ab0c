import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Moving a file")
struct MovingTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for name in ["from", "to"] { try FilePath.makeFolder(scratch(name)) }
    try scratch.write("old".utf8, as: "from/a")
  }

  private func place(_ name: String) -> OutputPlace { OutputPlace(scratch(name), derivedComponents: 2) }

  @Test("The file has its new name, and no longer the old one")
  func moved() throws {
    try place("from/a").move(to: place("to/b"))
    #expect(try ScratchFolder.read(scratch("to/b")) == Array("old".utf8))
    #expect(try ScratchFolder.names(in: scratch("from")).isEmpty)
  }

  @Test("Nothing is replaced: neither a file nor a folder nor a link that leads nowhere")
  func occupied() throws {
    try scratch.write("precious".utf8, as: "to/file")
    try FilePath.makeFolder(scratch("to/folder"))
    #expect(
      FilePath("/nowhere").withPlatformString { target in scratch("to/link").withPlatformString { symlink(target, $0) }
      } == 0
    )
    for name in ["file", "folder", "link"] {
      let error = #expect(throws: FileReplacementError.self) { try place("from/a").move(to: place("to/" + name)) }
      #expect(error?.errno == .fileExists, "\(name)")
    }
    #expect(try ScratchFolder.read(scratch("to/file")) == Array("precious".utf8))
    #expect(try ScratchFolder.read(scratch("from/a")) == Array("old".utf8))
  }

  @Test("A folder that is a link is not followed, since the user did not name it")
  func linkedFolder() throws {
    #expect(
      FilePath("to").withPlatformString { target in scratch("elsewhere").withPlatformString { symlink(target, $0) } }
        == 0
    )
    #expect(throws: FileReplacementError.self) { try place("from/a").move(to: place("elsewhere/b")) }
    #expect(throws: FileReplacementError.self) { try place("elsewhere/a").move(to: place("from/b")) }
    #expect(try ScratchFolder.names(in: scratch("to")).isEmpty)
  }

  @Test("A file that is gone is reported")
  func gone() throws {
    let error = #expect(throws: FileReplacementError.self) { try place("from/b").move(to: place("to/b")) }
    #expect(error?.errno == .noSuchFileOrDirectory)
  }
}
