import SystemPackage
import TestSupport
import Testing

/// Costs measured by counting system calls with strace instead of by time.
@Suite("Number of system calls")
struct SystemCallTests {
  @Test("A tap reads and writes once, syncs twice and starts no thread", .enabled(if: Scope.isFull))
  func tap() async throws {
    let board = try await TestBoard()
    // With a full history the document is larger than a buffer.
    for number in 0..<110 { try await board.done("tap", "c\(number % 4 + 1)") }
    let (result, calls) = try await board.trace(["tap", "c1"])
    #expect(result.exitStatus == 0)
    func count(_ name: String, _ word: String = "") -> Int {
      calls.count { $0.hasPrefix(name + "(") && $0.contains(word) && !$0.contains("= -1 E") }
    }
    #expect(count("openat", "board.json\"") == 1, "the board is opened once")
    #expect(count("openat", "O_TMPFILE") == 1)
    #expect(count("write", "\\\"canvases\\\"") == 1, "the new document is written at once")
    #expect(count("fsync") == 2 && count("fdatasync") == 0)
    #expect(count("renameat") == 1)
    #expect(count("write", "revision ") == 1, "the answer is written at once")
    #expect(count("clone") + count("clone3") + count("vfork") + count("execve") == 1, "itself only")
    // Everything after the program is loaded: the lock, the board, the new file and the folder.
    let start = try #require(calls.firstIndex { $0.contains("board.json.lock") })
    let work = calls[start...].filter { !$0.hasPrefix("m") && !$0.hasPrefix("brk") && !$0.hasPrefix("exit") }
    #expect(work.count <= 40, "\(work.joined(separator: "\n"))")
  }

  @Test("A batch starts one decoder per job, and none if nothing is to be done")
  func decoders() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("clips"))
    for number in 0..<12 { try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clips/\(number).mp4") }
    func decodersOfRun() async throws -> Int {
      let log = scratch("strace.log")
      let result = try await Program.runTool(
        "strace",
        ["-f", "-qq", "-e", "trace=execve", "-o", log.string, ProjectFolder.program("clipcanvas").string]
          + ["batch", "-j2", "-o", "covers", "clips"],
        in: scratch.path
      )
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
      let lines = String(decoding: try ScratchFolder.read(log), as: UTF8.self).split(separator: "\n")
      return lines.count { $0.contains("execve(") && $0.contains("clipcanvas-decoder\"") && $0.contains("= 0") }
    }
    #expect(try await decodersOfRun() == 2)
    #expect(try FolderTree(below: scratch("covers")).paths.count == 12)
    #expect(try await decodersOfRun() == 0)
  }
}
