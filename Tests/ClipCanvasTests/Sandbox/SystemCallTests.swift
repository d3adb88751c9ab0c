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
    // So many that on a busy machine one job does not end before the other begins.
    for number in 0..<48 { try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clips/\(number).mp4") }
    func decodersOfRun(_ run: String) async throws -> [Substring] {
      try FilePath.makeFolder(scratch(run))
      let result = try await Program.runTool(
        "strace",
        // A log for each process, because a call that another interrupts takes two lines in a common one.
        ["-ff", "-qq", "-e", "trace=execve", "-o", "\(run)/log", ProjectFolder.program("clipcanvas").string]
          + ["batch", "-j2", "-o", "covers", "clips"],
        in: scratch.path
      )
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
      let logs = try ScratchFolder.names(in: scratch(run)).map { try ScratchFolder.read(scratch("\(run)/\($0)")) }
      let lines = logs.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
      return lines.filter { $0.contains("execve(") && $0.contains("clipcanvas-decoder\"") && $0.contains("= 0") }
    }
    let first = try await decodersOfRun("first")
    #expect(first.count == 2, "\(first)")
    #expect(try FolderTree(below: scratch("covers")).paths.count == 48)
    let second = try await decodersOfRun("second")
    #expect(second.isEmpty, "\(second)")
  }
}
