import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Paths of replaced files")
struct PathsTests {
  @Test("A symbolic link stays, and its target is replaced", arguments: ["file", "./file", "../files/file"])
  func link(target: String) throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("files")
    try folder.makeFolder("links")
    try folder.write("old", as: "files/file", mode: 0o604)
    try folder.link("files/link", to: FilePath(target))
    try folder.link("links/link", to: folder("files/link"))
    try replace(folder("links/link"), by: "new")
    #expect(folder.isLink("links/link") && folder.isLink("files/link") && !folder.isLink("files/file"))
    #expect(try FileState(folder("files/file")).text == "new")
    #expect(try FileState(folder("files/file")).mode == 0o604)
    #expect(try ScratchFolder.names(in: folder("links")) == ["link"])
    #expect(try ScratchFolder.names(in: folder("files")) == ["file", "link"])
  }

  @Test("A dangling symbolic link stays, and its target is created")
  func danglingLink() throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("files")
    try folder.link("one", to: FilePath("two"))
    try folder.link("two", to: FilePath("files/file"))
    try replace(folder("one"), by: "new")
    #expect(folder.isLink("one") && folder.isLink("two"))
    #expect(try FileState(folder("files/file")).text == "new")
    #expect(try folder.names() == ["files", "one", "two"])
  }

  @Test("A symbolic link to itself causes no harm")
  func linkToItself() throws {
    let folder = try ScratchFolder()
    try folder.link("loop", to: FilePath("loop"))
    try? replace(folder("loop"), by: "new")
    #expect(try folder.names() == ["loop"])
  }

  @Test("A file in a linked folder is replaced in the folder that contains it")
  func linkedFolder() throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("real")
    try folder.link("link", to: FilePath("real"))
    try replace(folder("link/new"), by: "new")
    try replace(folder("link/new"), by: "newer")
    #expect(try FileState(folder("real/new")).text == "newer")
    #expect(folder.isLink("link"))
  }

  @Test("A path may be relative to the working directory, with or without a folder")
  func relative() async throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("sub")
    // The working directory belongs to the whole process, so a separate process keeps other tests unaffected.
    await #expect(processExitsWith: .success) { [path = folder.path.string as String] in
      try #require(chdir(path) == 0)
      for name in ["bare", "./dot", "sub/in", "sub/../up"] {
        try replace(FilePath(name), by: "new")
        try replace(FilePath(name), by: name)
      }
    }
    #expect(try folder.names() == ["bare", "dot", "sub", "up"])
    for name in ["bare", "sub/in"] { #expect(try FileState(folder(name)).text == name) }
  }

  @Test(
    "A name may contain any characters",
    arguments: [
      "-x.png", "a%03d.png", "new\nline", "clip 13:19:57.png", "日本語 🎬", "e\u{301}", ".hidden", " ", "\\", "\u{1B}[2J",
    ]
  )
  func names(name: String) throws {
    let folder = try ScratchFolder()
    try replace(folder(name), by: "new")
    try replace(folder(name), by: "newer")
    #expect(try folder.names() == [name])
    #expect(try FileState(folder(name)).text == "newer")
  }

  @Test("A name does not have to be UTF-8, nor does the target of a link")
  func notUTF8() throws {
    let folder = try ScratchFolder()
    let name = [0x63, 0xFF, 0xFE, 0x80, 0x2E, 0x70, 0].map { CChar(bitPattern: $0) }
    let file = folder.path.appending(FilePath(platformString: name).components)
    try replace(file, by: "new")
    try replace(file, by: "newer")
    try folder.link("link", to: FilePath(platformString: name))
    try replace(folder("link"), by: "newest")
    let written = try file.withPlatformString { path throws -> String in
      let descriptor = open(path, O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 10)
      let count = read(descriptor, &bytes, 10)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
    #expect(written == "newest")
    #expect(folder.isLink("link"))
    #expect(try folder.names().count == 2)
  }

  @Test(
    "A name may have the maximum length of the file system, 255 bytes",
    .enabled(if: Scope.isFull),
    arguments: ["x", "é"]
  )
  func longest(letter: String) throws {
    let folder = try ScratchFolder()
    let name = String(repeating: letter, count: 255 / letter.utf8.count) + (letter == "é" ? "x" : "")
    try #require(name.utf8.count == 255)
    try replace(folder(name), by: "new")
    try replace(folder(name), by: "newer")
    #expect(try FileState(folder(name)).text == "newer")
    #expect(try folder.names() == [name])
  }
}
