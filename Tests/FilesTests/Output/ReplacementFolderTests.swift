import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Replacing a folder")
struct ReplacementFolderTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func place(_ name: String = "board") -> OutputPlace { OutputPlace(scratch(name), derivedComponents: 1) }

  private func replace(_ files: [String: String], isOurs: (String) -> Bool = { _ in true }) throws {
    let folder = try ReplacementFolder(for: place())
    for (name, text) in files {
      try folder.addFile(named: name) { file throws(Errno) in
        do {
          try file.writeAll(text.utf8)
        } catch {
          throw error as? Errno ?? .ioError
        }
      }
    }
    try folder.commit(removing: isOurs)
  }

  private func content() throws -> [String: String] {
    var content: [String: String] = [:]
    for name in try ScratchFolder.names(in: scratch("board")) {
      content[name] = String(decoding: try ScratchFolder.read(scratch("board/" + name)), as: UTF8.self)
    }
    return content
  }

  @Test("A commit creates the folder, or replaces all its files")
  func commit() throws {
    try replace(["0.jpg": "a", "list": "b"])
    #expect(try content() == ["0.jpg": "a", "list": "b"])
    try replace(["0.jpg": "c"])
    #expect(try content() == ["0.jpg": "c"])
    #expect(try scratch.names() == ["board"])
  }

  @Test("Before the commit nothing is visible, and without it nothing changes")
  func notCommitted() throws {
    try replace(["0.jpg": "old"])
    do {
      let folder = try ReplacementFolder(for: place())
      try folder.addFile(named: "0.jpg") { _ throws(Errno) in }
      #expect(try content() == ["0.jpg": "old"])
    }
    #expect(try content() == ["0.jpg": "old"] && scratch.names() == ["board"])
  }

  @Test("A folder with a file of somebody else stays as it is")
  func foreignFile() throws {
    try replace(["0.jpg": "old"])
    try scratch.write("mine".utf8, as: "board/notes.txt")
    let error = #expect(throws: FileReplacementError.self) {
      try replace(["0.jpg": "new"]) { $0 == "0.jpg" }
    }
    #expect(error?.errno == .directoryNotEmpty)
    #expect(try content() == ["0.jpg": "old", "notes.txt": "mine"] && scratch.names() == ["board"])
  }

  @Test("A file or a link at the place is not replaced")
  func obstacles() throws {
    try FilePath.makeFolder(scratch("other"))
    try scratch.write("mine".utf8, as: "other/0.jpg")
    try #require(symlink("other", scratch("board").string) == 0)
    #expect(throws: FileReplacementError.self) { try replace(["0.jpg": "new"]) }
    #expect(String(decoding: try ScratchFolder.read(scratch("other/0.jpg")), as: UTF8.self) == "mine")
    try #require(unlink(scratch("board").string) == 0)
    try scratch.write("mine".utf8, as: "board")
    #expect(throws: FileReplacementError.self) { try replace(["0.jpg": "new"]) }
    #expect(String(decoding: try ScratchFolder.read(scratch("board")), as: UTF8.self) == "mine")
    #expect(try scratch.names().sorted() == ["board", "other"])
  }

  @Test("What a killed process left is removed if it is empty or ours, and not while a process works on it")
  func leftovers() throws {
    let (empty, ours, foreign) = (".clipcanvas-1-a.tmp", ".clipcanvas-1-b.tmp", ".clipcanvas-1-c.tmp")
    for name in [empty, ours, foreign] { try FilePath.makeFolder(scratch(name)) }
    try scratch.write("half".utf8, as: ours + "/0.jpg")
    try scratch.write("mine".utf8, as: foreign + "/notes.txt")
    let running = try ReplacementFolder(for: place())
    try running.addFile(named: "0.jpg") { _ throws(Errno) in }
    #expect(try scratch.names().count == 4)
    ReplacementFolder.removeLeftovers(in: scratch.path) { $0.path == scratch(ours) }
    #expect(try scratch.names().count == 2 && scratch.names().contains(foreign))
    try running.commit { _ in true }
    #expect(try scratch.names() == [foreign, "board"])
  }

  @Test("A file that cannot be written is reported with its path")
  func failure() throws {
    let folder = try ReplacementFolder(for: place())
    let error = #expect(throws: FileReplacementError.self) {
      try folder.addFile(named: "0.jpg") { _ throws(Errno) in throw .noSpace }
    }
    #expect(error?.errno == .noSpace && error?.path == scratch("board/0.jpg") && error?.operation == "write")
  }
}
