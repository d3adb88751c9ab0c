import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Output places")
struct OutputPlaceTests {
  private func write(_ text: String, to place: OutputPlace, creatingFolders: Bool = false) throws {
    let folders: FilePermissions? = creatingFolders ? .ownerReadWriteExecute : nil
    let file = try ReplacementFile(for: place, creatingFolders: folders)
    try file.descriptor.writeAll(text.utf8)
    try file.commit()
  }

  @Test("A place with no derived components still does not follow links")
  func nothingDerived() {
    #expect(!OutputPlace("cover", derivedComponents: 0).isNamed)
  }

  @Test("As many links are followed as the kernel follows")
  func chain() throws {
    let folder = try ScratchFolder()
    for number in 1...41 { try folder.link("\(number)", to: FilePath("\(number - 1)")) }
    #expect(OutputPlace.resolvingLinks(folder("40")) == folder("0"))
    #expect(OutputPlace.resolvingLinks(folder("41")) == folder("1"))
  }

  @Test("A link at a derived place is replaced rather than followed")
  func derivedLink() throws {
    let folder = try ScratchFolder()
    try folder.write("precious".utf8, as: "target")
    try folder.link("cover", to: FilePath("target"))
    try write("new", to: OutputPlace(folder("cover"), derivedComponents: 1))
    #expect(try FileState(folder("target")).text == "precious")
    #expect(!folder.isLink("cover"))
    #expect(try FileState(folder("cover")).text == "new")
  }

  @Test("A link to a folder is followed only in the named part of a path", arguments: [1, 2, 3])
  func folderLink(derived: Int) throws {
    let folder = try ScratchFolder()
    try folder.makeFolder("target")
    try folder.makeFolder("target/inner")
    try folder.link("link", to: folder("target"))
    let place = OutputPlace(folder("link/inner/file"), derivedComponents: derived)
    // With up to two derived components, the link itself is in the named part.
    if derived < 3 {
      try write("new", to: place)
      #expect(try FileState(folder("target/inner/file")).text == "new")
    } else {
      #expect(throws: FileReplacementError(operation: "create a file in", path: folder("link"), errno: .notDirectory)) {
        try write("new", to: place)
      }
      #expect(try ScratchFolder.names(in: folder("target/inner")) == [])
    }
  }

  @Test("Missing folders are created on request, with the requested mode")
  func folders() throws {
    let folder = try ScratchFolder()
    let place = OutputPlace(folder("named/one/two/file"), derivedComponents: 3)
    #expect(throws: FileReplacementError.self) { try write("new", to: place) }
    #expect(try folder.names() == [])
    try write("new", to: place, creatingFolders: true)
    #expect(try FileState(folder("named/one/two/file")).text == "new")
    var status = stat()
    #expect(stat(folder("named/one").string, &status) == 0 && status.st_mode & 0o7777 == 0o700)
  }

  @Test("Replacing a folder by a link in the meantime has no effect")
  func exchanged() throws {
    let folder = try ScratchFolder()
    for name in ["covers", "target"] { try folder.makeFolder(name) }
    let file = try ReplacementFile(for: OutputPlace(folder("covers/cover"), derivedComponents: 2))
    try file.descriptor.writeAll("new".utf8)
    try #require(rename(folder("covers").string, folder("moved").string) == 0)
    try folder.link("covers", to: FilePath("target"))
    try file.commit()
    #expect(try ScratchFolder.names(in: folder("target")) == [])
    #expect(try FileState(folder("moved/cover")).text == "new")
  }

  @Test("Only files made by the program are removed, and links never")
  func removed() throws {
    let folder = try ScratchFolder()
    for (name, text) in [("ours", "ours"), ("theirs", "theirs")] { try folder.write(text.utf8, as: name) }
    try folder.link("link", to: FilePath("ours"))
    func remove(_ name: String) {
      OutputPlace(folder(name), derivedComponents: 1).remove { file in
        var bytes: [UInt8] = [0, 0, 0, 0]
        let count = try? bytes.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
        return count == 4 && bytes == Array("ours".utf8)
      }
    }
    for name in ["link", "theirs", "missing"] { remove(name) }
    #expect(try folder.names() == ["link", "ours", "theirs"])
    remove("ours")
    #expect(try folder.names() == ["link", "theirs"])
  }

  @Test("A refusal contains what exists at the place and what to do")
  func refusals() throws {
    let folder = try ScratchFolder()
    try folder.write("theirs".utf8, as: "file")
    try folder.write([], as: "empty")
    try #require(mkfifo(folder("pipe").string, 0o600) == 0)
    try folder.link("link", to: FilePath("file"))
    func refusal(_ place: OutputPlace, isForced: Bool = false) -> OutputRefusal.Reason? {
      do throws(OutputRefusal) {
        try place.check(isForced: isForced) { _ in false }
        return nil
      } catch {
        return error.reason
      }
    }
    let named = { OutputPlace(named: folder($0)) }
    #expect(refusal(named("missing")) == nil && refusal(named("empty")) == nil)
    #expect(refusal(named("file")) == .foreign && refusal(named("file"), isForced: true) == nil)
    #expect(refusal(named("link")) == .foreign)
    #expect(refusal(OutputPlace(folder("link"), derivedComponents: 1)) == .link)
    #expect(refusal(OutputPlace(folder("link"), derivedComponents: 1), isForced: true) == nil)
    #expect(refusal(named("pipe")) == .special(.pipe) && refusal(named("pipe"), isForced: true) == .special(.pipe))
    #expect(refusal(OutputPlace(named: folder.path), isForced: true) == .special(.folder))
    let pipe = named("pipe").refusal(.special(.pipe))
    #expect(pipe.message(product: "a report") == "is a named pipe, not a regular file")
    #expect(
      pipe.advice(option: "-o", taking: .fileOrStandardOutput)
        == "use -o - and redirect standard output, or specify a regular file"
    )
    #expect(pipe.advice(option: "-o", taking: .file) == "specify a regular file with -o")
    #expect(pipe.advice(option: "-o", taking: .folder) == "move it away, or specify another folder with -o")
    #expect(!pipe.canBeForced && named("file").refusal(.foreign).canBeForced)
  }

  @Test("Links that form a loop are replaced only when forced")
  func loop() throws {
    let folder = try ScratchFolder()
    try folder.link("one", to: FilePath("two"))
    try folder.link("two", to: FilePath("one"))
    let place = OutputPlace(named: folder("one"))
    #expect(throws: place.refusal(.unreadable(.tooManySymbolicLinkLevels))) {
      try place.check(isForced: false) { _ in true }
    }
    #expect(throws: Never.self) { try place.check(isForced: true) { _ in true } }
  }

  @Test("A named link that leads to nothing counts as nothing, and the file is created where it leads")
  func danglingLink() throws {
    let folder = try ScratchFolder()
    try folder.link("cover", to: FilePath("other"))
    try folder.link("other", to: FilePath("target"))
    let place = OutputPlace(named: folder("cover"))
    #expect(throws: Errno.noSuchFileOrDirectory) { try FileStatus(of: place.path) }
    #expect(throws: Never.self) { try place.check(isForced: false) { _ in false } }
    try write("new", to: place)
    #expect(try FileState(folder("target")).text == "new" && folder.isLink("cover") && folder.isLink("other"))
    // A link at a derived place is treated as a link, whatever its target.
    try folder.link("derived", to: FilePath("nothing"))
    let derived = OutputPlace(folder("derived"), derivedComponents: 1)
    #expect(throws: derived.refusal(.link)) { try derived.check(isForced: false) { _ in true } }
  }

  @Test("Only text is replaced where data is spared, even when forced", arguments: [true, false])
  func data(isForced: Bool) throws {
    let folder = try ScratchFolder()
    let texts = ["mine\n", String(repeating: "ä", count: 4000)].map { Array($0.utf8) }
    for text in texts {
      try folder.write(text, as: "file")
      let place = OutputPlace(named: folder("file"))
      if isForced {
        #expect(throws: Never.self) { try place.check(isForced: true, sparesData: true) { _ in false } }
      } else {
        #expect(throws: place.refusal(.foreign)) { try place.check(isForced: false, sparesData: true) { _ in false } }
      }
    }
    for data in [[0], [0x47, 0x40, 0x11], Array("text\0".utf8), [0xFF, 0xFE]] as [[UInt8]] {
      try folder.write(data, as: "file")
      let place = OutputPlace(named: folder("file"))
      #expect(throws: place.refusal(.data)) { try place.check(isForced: isForced, sparesData: true) { _ in true } }
    }
  }

  @Test("An input is never replaced")
  func inputs() throws {
    let folder = try ScratchFolder()
    let clip = try folder.write("a clip".utf8, as: "clip")
    let identity = try #require(FileIdentity(of: clip))
    #expect(throws: OutputRefusal(path: clip, reason: .input("the clip itself"))) {
      try OutputPlace(named: clip).check(isForced: true, sparing: [identity: "the clip itself"]) { _ in true }
    }
  }
}
