import Glibc
import SystemPackage
import TestSupport
import Testing

/// Many files in deep folders.
@Suite("clipcanvas batch walks many files in bounded memory", .serialized)
struct BatchWalkTests {
  /// Hard links to one small clip, in folders that stand one in another.
  private func clips(_ count: Int, folders: Int, depth: Int) throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    let source = try scratch.copy(ProjectFolder.fixture("1x1.mkv"), as: "source.mkv")
    try FilePath.makeFolder(scratch("c"))
    var made: [FilePath] = []
    var folder = scratch("c")
    for number in 0..<folders {
      folder = number % depth == 0 ? scratch("c").appending("\(number)") : folder.appending("\(number)")
      try FilePath.makeFolder(folder)
      made.append(folder)
    }
    for number in 0..<count {
      let name = made[number % folders].appending("\(number).mp4")
      // A file can have no more than 65 000 names.
      if number % 50_000 == 49_999 { try ScratchFolder.write(try ScratchFolder.read(source), to: name) }
      guard link(source.string, name.string) == 0 || errno == EEXIST else { throw Errno(rawValue: errno) }
      if number % 50_000 == 49_999 {
        guard rename(name.string, source.string) == 0, link(source.string, name.string) == 0 else {
          throw Errno(rawValue: errno)
        }
      }
    }
    return scratch
  }

  private func run(
    _ scratch: ScratchFolder,
    _ label: String
  ) async throws -> (run: BatchRun, peak: Int, seconds: Double) {
    let start = ContinuousClock.now
    let arguments = ["batch", "--json", "-j2", "-o", "covers", "c"]
    let program = try RunningProgram("clipcanvas", arguments, scratch: scratch, label: label)
    let result = try await program.end(within: .seconds(3600))
    let seconds = start.duration(to: .now) / .seconds(1)
    return (try BatchRun(of: result), program.peakMemory, seconds)
  }

  @Test("each once, and memory does not grow with their number")
  func memory() async throws {
    let count = LongForm.count(short: 2_000, long: 100_000, variable: "TORTURE_FILES")
    let few = try await run(try clips(200, folders: 20, depth: 20), "few")
    let scratch = try clips(count, folders: count / 100, depth: 60)
    let many = try await run(scratch, "many")
    #expect(many.run.status == 0 && many.run.summary?.covers == count, "\(many.run.result.errorOutput)")
    #expect(Set(many.run.records.map(\.clip.path)).count == count)
    #expect(many.peak < few.peak + 16 << 20, "\(few.peak) and then \(many.peak) bytes")
    let second = try await run(scratch, "second")
    #expect(second.run.summary?.fresh == count && second.run.summary?.decoders == 0)
    #expect(second.peak < few.peak + 16 << 20)
    print(
      "\(count) clips: \(many.seconds) s, \(many.peak >> 10) KiB; again: \(second.seconds) s, \(second.peak >> 10) KiB"
    )
  }

  @Test("a folder below which paths become too long is told")
  func deep() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(ProjectFolder.fixture("1x1.mkv"), as: "c/a.mp4")
    // Each step into the folder made last, as no path is longer than 4096 bytes.
    let made = try await Program.runTool(
      "python3",
      ["-c", "import os\nfor _ in range(30):\n  os.mkdir('d'*200); os.chdir('d'*200)"],
      in: scratch("c")
    )
    try #require(made.exitStatus == 0)
    let run = try await BatchRun(["c"], in: scratch.path)
    #expect(run.status == 1 && run.records.map(\.status).sorted() == ["cover", "failed"])
    #expect(run.records.contains { $0.message == "the folder cannot be read: file name too long" })
    _ = try await Program.runTool("rm", ["-rf", "c"], in: scratch.path)
  }
}
