import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Files

@Suite("Sealed files in memory")
struct MemoryFileTests {
  private func bytes(of file: MemoryFile) throws -> [UInt8] {
    try file.withBytes { bytes throws(Errno) in Array(bytes) }
  }

  @Test("A sealed file contains the bytes written, truncated to the given length", arguments: [0, 1, 4, 9])
  func sealed(count: Int) throws {
    let file = try MemoryFile(maximumBytes: 9)
    try file.descriptor.writeAll("abcdefghi".utf8)
    try file.seal(bytes: count)
    #expect(try bytes(of: file) == Array("abcdefghi".utf8.prefix(count)))
  }

  @Test("The file cannot grow beyond its maximum length through any descriptor")
  func bound() throws {
    let file = try MemoryFile(maximumBytes: 8)
    #expect(pwrite(file.descriptor.rawValue, "123456789", 9, 0) <= 8)
    #expect(pwrite(file.descriptor.rawValue, "x", 1, 8) == -1 && errno == EPERM)
    #expect(ftruncate(file.descriptor.rawValue, 9) == -1 && errno == EPERM)
    #expect(throws: Errno.invalidArgument) { try file.seal(bytes: 9) }
  }

  @Test("A sealed file cannot be changed")
  func unchangeable() throws {
    let file = try MemoryFile(maximumBytes: 8)
    try file.descriptor.writeAll("12345678".utf8)
    let other = dup(file.descriptor.rawValue)
    defer { close(other) }
    try file.seal(bytes: 6)
    #expect(pwrite(other, "x", 1, 0) == -1 && errno == EPERM)
    #expect(ftruncate(other, 2) == -1 && errno == EPERM)
    #expect(mmap(nil, 6, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0) == MAP_FAILED && errno == EPERM)
    #expect(try bytes(of: file) == Array("123456".utf8))
    #expect(throws: Errno.notPermitted) { try file.seal(bytes: 6) }
  }

  @Test("The file cannot be sealed while a writable mapping exists")
  func mapped() throws {
    let file = try MemoryFile(maximumBytes: 8)
    let mapping = mmap(nil, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor.rawValue, 0)
    try #require(mapping != MAP_FAILED)
    #expect(throws: Errno.resourceBusy) { try file.seal(bytes: 8) }
    munmap(mapping, 8)
    try file.seal(bytes: 8)
  }

  @Test("A sealed file is written to another file in full")
  func copied() throws {
    let folder = try ScratchFolder()
    let file = try MemoryFile(maximumBytes: 1 << 20)
    let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    try file.descriptor.writeAll(content)
    try file.seal(bytes: content.count)
    let target = try folder.create("copy")
    try target.closeAfter { try file.write(to: target) }
    #expect(try ScratchFolder.read(folder("copy")) == content)
  }

  @Test("Without files in memory, a sealed file is a copy that its writer cannot change")
  func onDisk() throws {
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
    let file = try MemoryFile(onDisk: content.count)
    let writer = dup(file.descriptor.rawValue)
    defer { close(writer) }
    try FileDescriptor(rawValue: writer).writeAll(content)
    #expect(throws: Errno.invalidArgument) { try file.seal(bytes: content.count + 1) }
    try file.seal(bytes: content.count - 1)
    #expect(pwrite(writer, "x", 1, 0) == 1 && ftruncate(writer, 2) == 0)
    #expect(try bytes(of: file) == content.dropLast())
    #expect(fcntl(file.descriptor.rawValue, F_GETFD) & FD_CLOEXEC != 0)
  }

  @Test("The length does not exceed the process's limit on file size")
  func limited() async throws {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 100, rlim_max: 100)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let file = try MemoryFile(maximumBytes: 1 << 20)
      #expect(throws: Errno.invalidArgument) { try file.seal(bytes: 101) }
      try file.seal(bytes: 100)
    }
  }
}
