import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Many files in deep folders.
@Suite("clipcanvas batch walks many files in bounded memory", .serialized, .ownThread)
struct BatchWalkTests {
  /// Many hard links to one small clip, in nested folders.
  private struct Clips {
    let scratch: ScratchFolder
    /// The paths of the clips below `c`.
    let paths: [String]

    init(_ count: Int, folders: Int, depth: Int) throws {
      scratch = try ScratchFolder()
      try FilePath.makeFolder(scratch("c"))
      var made: [String] = []
      for number in 0..<folders {
        made.append(number % depth == 0 ? "\(number)" : "\(made[number - 1])/\(number)")
        try FilePath.makeFolder(scratch("c/\(made[number])"))
      }
      paths = (0..<count).map { "\(made[$0 % folders])/\($0).mp4" }
      try scratch.copy(ProjectFolder.fixture("1x1.mkv"), as: "source.mkv")
      try Self.link(scratch("source.mkv"), to: paths.map { scratch("c/\($0)") })
    }

    /// Creates hard links to a file, and to copies of it once it has as many links as the file system allows.
    static func link(_ source: FilePath, to names: [FilePath]) throws {
      let bytes = try ScratchFolder.read(source)
      var source = source
      for (number, name) in names.enumerated() {
        if number % 50_000 == 49_999 {
          try ScratchFolder.write(bytes, to: name)
          source = name
        } else if Glibc.link(source.string, name.string) != 0 {
          throw Errno(rawValue: errno)
        }
      }
    }

    /// Runs a batch that writes to `covers`, and waits for its end.
    func run(_ label: String, _ options: [String] = ["--json"]) async throws -> Run {
      let start = ContinuousClock.now
      let arguments = ["batch"] + options + ["-j2", "-o", "covers", "c"]
      let program = try RunningProgram("clipcanvas", arguments, scratch: scratch, label: label)
      let result = try await program.end(within: .seconds(3600))
      return Run(program: program, result: result, seconds: start.duration(to: .now) / .seconds(1))
    }
  }

  private struct Run {
    let program: RunningProgram
    let result: ProgramResult
    let seconds: Double

    var peak: Int { program.peakMemory }

    /// The output rate of the last tenth of the run relative to the first tenth, during which the decoders start.
    var lastAgainstFirst: Double {
      let printed = program.printed
      guard let start = printed.first, let end = printed.last else { return 0 }
      func time(_ share: Double) -> Duration {
        printed.first { Double($0.bytes) >= share * Double(end.bytes) }?.time ?? end.time
      }
      return (time(0.1) - start.time) / (end.time - time(0.9))
    }
  }

  @Test(
    "Each clip is made once; neither memory nor time per clip grows with the number of clips",
    .enabled(if: Scope.isFull)
  )
  func covers() async throws {
    let count = LongForm.count(short: 300, long: 100_000, variable: "TORTURE_FILES")
    let few = try await Clips(100, folders: 20, depth: 20).run("few")
    let clips = try Clips(count, folders: max(60, count / 100), depth: 60)
    var many = try await clips.run("many")
    let run = try BatchRun(of: many.result)
    #expect(run.status == 0 && run.summary?.covers == count, "\(many.result.errorOutput)")
    #expect(run.records.map(\.clip.path).sorted() == clips.paths.map { "c/\($0)" }.sorted())
    #expect(many.peak < few.peak + 16 << 20, "\(few.peak) and then \(many.peak) bytes")
    print("\(count) clips: \(many.seconds) s, \(many.peak >> 10) KiB; of few: \(few.peak >> 10) KiB")
    guard LongForm.isWanted else { return }
    // Other processes may slow down the machine, so one good run out of three is enough.
    var rates = [many.lastAgainstFirst]
    while rates.last ?? 1 < 0.95, rates.count < 3 {
      many = try await clips.run("again-\(rates.count)", ["--json", "--force"])
      rates.append(many.lastAgainstFirst)
    }
    #expect(rates.contains { $0 >= 0.95 }, "the last tenth against the first: \(rates)")
    print("the last tenth against the first: \(rates)")
  }

  @Test("Many fresh clips need no decoder and no more memory than a few", .enabled(if: Scope.isFull))
  func fresh() async throws {
    // The bound for the memory of the larger number.
    var bound = Int.max
    let most = LongForm.count(short: 2000, long: 20_000, variable: "TORTURE_FRESH")
    for count in [most / 10, most] {
      let clips = try Clips(count, folders: count / 100, depth: 20)
      // Freshness depends on size, date and request, so all clips can share the cover of a removed clip.
      let one = try Clips(1, folders: 1, depth: 1)
      _ = try await one.run("one")
      try ScratchFolder.remove(one.scratch("c"))
      try await setDate(of: "source.mkv", in: clips.scratch, to: one.scratch("source.mkv"))
      for folder in ["covers", "covers/c"] { try FilePath.makeFolder(clips.scratch(folder)) }
      for folder in Set(clips.paths.map { FilePath($0).removingLastComponent().string }).sorted() {
        try FilePath.makeFolder(clips.scratch("covers/c/" + folder))
      }
      let covers = clips.paths.map { clips.scratch("covers/c/\($0).png") }
      try Clips.link(one.scratch("covers/c/0/0.mp4.png"), to: covers)
      // How many threads exist at once, each with its own memory, depends on the load of the machine, so the least of
      // several runs counts.
      var least = Int.max
      for attempt in 0..<3 where count != most || least >= bound {
        let run = try await clips.run("fresh-\(attempt)", [])
        #expect(run.result.text.hasPrefix("\(count) clips: 0 covers made, \(count) fresh, "), "\(run.result.text)")
        least = min(least, run.peak)
        print("\(count) fresh clips: \(run.seconds) s, \(run.peak >> 10) KiB")
      }
      if count == most { #expect(least < bound, "\(least) bytes, and \(bound) bytes are allowed") }
      bound = least + 1 << 20
    }
  }

  private func setDate(of name: String, in scratch: ScratchFolder, to other: FilePath) async throws {
    let touch = try await Program.runTool("touch", ["-r", other.string, name], in: scratch.path)
    try #require(touch.exitStatus == 0)
  }

  @Test(
    "If the folder changes during the run, every clip that stays gets its cover and none is reported twice",
    .enabled(if: Scope.isFull)
  )
  func changing() async throws {
    let clips = try Clips(300, folders: 60, depth: 60)
    let program = try RunningProgram(
      "clipcanvas",
      ["batch", "--json", "-j2", "-o", "covers", "c"],
      scratch: clips.scratch
    )
    // Every third clip is removed and every third is renamed, which creates new names.
    for (number, path) in clips.paths.enumerated().reversed() where number % 3 != 0 {
      let name = clips.scratch("c/" + path).string
      let done = number % 3 == 1 ? unlink(name) : rename(name, name + ".later.mp4")
      try #require(done == 0)
      try await pause(.milliseconds(1))
    }
    let run = try BatchRun(of: try await program.end())
    #expect(run.status <= 1 && run.summary != nil, "\(run.result.errorOutput)")
    let told = run.records.map(\.clip.path)
    #expect(Set(told).count == told.count)
    #expect(run.records.allSatisfy { $0.status == "cover" || $0.reason == "missing" })
    for (number, path) in clips.paths.enumerated() where number % 3 == 0 {
      #expect(ProjectFolder.isThere(clips.scratch("covers/c/\(path).png")), "\(path)")
    }
  }

  @Test("A folder whose paths become too long is reported", .enabled(if: Scope.isFull))
  func deep() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(ProjectFolder.fixture("1x1.mkv"), as: "c/a.mp4")
    // Changes into each folder it creates, because a path has at most 4096 bytes.
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
