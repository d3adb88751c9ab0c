import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Empty files that are filled in place")
struct EmptyFileTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func fill(_ place: OutputPlace, _ text: String) throws -> Bool {
    guard let file = EmptyFile(at: place) else { return false }
    try file.fill { descriptor throws(Errno) in
      do { _ = try descriptor.writeAll(text.utf8) } catch { throw error as? Errno ?? .ioError }
    }
    return true
  }

  @Test("A file that another program has open is written, through links as well")
  func fills() throws {
    try ScratchFolder.write([], to: scratch("a"))
    symlink(scratch("a").string, scratch("link").string)
    let open = try FileDescriptor.open(scratch("a"), .readOnly, options: .closeOnExec)
    defer { try? open.close() }
    #expect(try fill(OutputPlace(named: scratch("link")), "text"))
    var bytes = [UInt8](repeating: 0, count: 10)
    #expect(try bytes.withUnsafeMutableBytes { try open.read(into: $0) } == 4)
    #expect(try scratch.names() == ["a", "link"])
  }

  @Test("Anything else is not written: other content, a derived name, a folder, a device, a FIFO, or nothing")
  func others() throws {
    try ScratchFolder.write("x".utf8, to: scratch("full"))
    try ScratchFolder.write([], to: scratch("derived"))
    try FilePath.makeFolder(scratch("folder"))
    mkfifo(scratch("fifo").string, 0o600)
    for name in ["full", "folder", "fifo", "missing"] {
      #expect(try !fill(OutputPlace(named: scratch(name)), "text"), "\(name)")
    }
    #expect(try !fill(OutputPlace(scratch("derived"), derivedComponents: 1), "text"))
    #expect(try !fill(OutputPlace(named: "/dev/null"), "text"))
    #expect(try ScratchFolder.read(scratch("full")) == Array("x".utf8))
    #expect(try ScratchFolder.read(scratch("derived")) == [])
  }

  @Test("After a failure, the file is empty again")
  func failure() throws {
    try ScratchFolder.write([], to: scratch("a"))
    let place = OutputPlace(named: scratch("a"))
    let error = #expect(throws: FileReplacementError.self) {
      guard let file = EmptyFile(at: place) else { return }
      try file.fill { descriptor throws(Errno) in
        _ = try? descriptor.writeAll("half".utf8)
        throw .noSpace
      }
    }
    #expect(error?.errno == .noSpace && error?.operation == "write")
    #expect(try ScratchFolder.read(scratch("a")) == [])
  }
}
