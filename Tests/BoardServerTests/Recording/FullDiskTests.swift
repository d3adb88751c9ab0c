import BoardStore
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite(
  "A served board on a full disk",
  .enabled(if: Scope.isFull),
  .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence)),
  .ownThread
)
struct FullDiskTests {
  /// A served board on a small disk.
  private final class Disk {
    let server: TestServer
    private let system: MemoryFileSystem
    private let ballast: FilePath

    init() async throws {
      let scratch = try ScratchFolder()
      system = try MemoryFileSystem(scratch("disk"), size: 72 << 20)
      ballast = system.path.appending("ballast")
      server = try await TestServer(in: scratch, folder: system.path)
    }

    /// Fills the disk except for some bytes.
    func fill(except rest: Int) throws {
      let file = try FileDescriptor.open(
        ballast,
        .readWrite,
        options: [.create, .closeOnExec],
        permissions: .ownerReadWrite
      )
      try file.closeAfter {
        guard posix_fallocate(file.rawValue, 0, off_t(free - rest)) == 0 else { throw Errno.noSpace }
      }
    }

    /// Makes the room free again.
    func empty() async throws {
      _ = ballast.withPlatformString { unlink($0) }
      // A program that another test has just started may still have the file.
      try await eventually("the room is free") { free >= 68 << 20 }
    }

    /// The bytes that are free.
    private var free: Int {
      var status = statvfs()
      guard system.path.withPlatformString({ statvfs($0, &status) }) == 0 else { return 0 }
      return Int(status.f_bavail) * Int(status.f_frsize)
    }
  }

  @Test("What arrived is kept, the board can still be changed, and the recording continues when there is room")
  func recording() async throws {
    let disk = try await Disk()
    let server = disk.server
    let bytes = try await Recordings.vp8.bytes
    let upload = try await TestUpload.record(on: server)
    try await upload.send(Array(bytes[..<20_000]))
    try disk.fill(except: 1 << 20)
    let answer = try await server.answer(upload.part(bytes[20_000...], at: 20_000))
    #expect(answer.status == 507 && answer.sentence?.contains("disk") == true, "\(answer.status) \(answer.text)")
    let kept = try #require(try await upload.offset())
    #expect(kept >= 20_000)
    // The browser is still there, and the board has room for the event.
    #expect(try await server.answer(upload.part([], at: kept)).status == 204)
    try await server.change(#"{"event":"recordPause"}"#)
    #expect(try await server.answer(TestUpload.clipRequest(on: server, canvas: "c2", length: 5)).status == 409)
    try await disk.empty()
    try await server.change(#"{"event":"recordResume"}"#)
    try await upload.send(bytes, from: kept)
    try await server.change(#"{"event":"recordStop"}"#)
    #expect(try await upload.finish(length: bytes.count).status == 200)
    let clip = try #require(server.clips.first { $0.hasSuffix(".webm") })
    #expect(try await VideoCheck.frames(of: server.board.folder.appending("board.clips").appending(clip)) == 50)
    try await server.end()
  }

  @Test("A recording or upload does not start on a disk that is nearly full")
  func start() async throws {
    let disk = try await Disk()
    let server = disk.server
    try disk.fill(except: 1 << 20)
    try await server.change(#"{"event":"preview","canvas":"c1"}"#)
    let take = try await server.answer(TestUpload.takeRequest(on: server))
    #expect(take.status == 507 && take.sentence?.contains("free some space") == true, "\(take.text)")
    let state = try await server.state()
    #expect(state["session"]?.text == "previewing" && state["take"] == .null)
    #expect(try await server.answer(TestUpload.clipRequest(on: server, length: 5)).status == 507)
    try await disk.empty()
    #expect(try await server.answer(TestUpload.clipRequest(on: server, length: 50 << 20)).status == 507)
    #expect(server.parts.isEmpty)
    _ = try await TestUpload.start(TestUpload.takeRequest(on: server), on: server)
    try await server.end()
  }
}
