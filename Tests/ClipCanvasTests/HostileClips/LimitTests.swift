import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite(
  "A command that hits a system limit ends with a message and leaves existing files intact",
  .enabled(if: geteuid() == 0, LimitedFolder.takesRoot)
)
struct LimitTests {
  /// A limit as an option of `prlimit`, and phrases; the message with status 2 must contain at least one of them.
  struct Limit: Sendable {
    let option: String
    let words: [String]
  }

  static let limits: [Limit] =
    limits("nproc", LongForm.isWanted ? Array(1...16) : [1, 6], ["ulimit -u"])
    + limits("nofile", LongForm.isWanted ? Array(3...48) : [3, 5, 14], ["ulimit -n"])
    + limits(
      "as",
      (LongForm.isWanted ? Array(stride(from: 16, to: 512, by: 8)) : [48, 120]).map { $0 << 20 },
      ["ulimit -v"]
    )
    + limits("stack", (LongForm.isWanted ? [64, 128, 256, 511, 512, 1024] : [64]).map { $0 << 10 }, ["ulimit -s"])
    + limits("fsize", LongForm.isWanted ? [0, 1, 100, 1000, 4096, 20_000] : [100], ["file too large"])

  /// Limits on data.
  ///
  /// The least is the program's own data, in whole MiB, and one more: with less, the kernel ends it before it runs.
  private static func limits(onDataOf program: FilePath) async throws -> [Limit] {
    let segments = try await Program.runTool("readelf", ["--segments", "--wide", program.string]).text
    let own = segments.split(separator: "\n").reduce(0) { sum, line in
      // LOAD, the offset, two addresses, the sizes in the file and in memory, the flags, and the alignment
      let words = line.split(separator: " ")
      guard words.count == 8, words[0] == "LOAD", words[6] == "RW" else { return sum }
      return sum + (Int(words[5].dropFirst(2), radix: 16) ?? 0)
    }
    try #require(own > 0)
    let least = own >> 20 + 2
    let values = LongForm.isWanted ? Array(least...least + 22) : [least]
    return limits("data", values.map { $0 << 20 }, ["ulimit -d", "run it on its own"])
  }

  private static func limits(_ name: String, _ values: [Int], _ words: [String]) -> [Limit] {
    values.map { Limit(option: "--\(name)=\($0)", words: words) }
  }

  @Test("Every command handles every limit", .enabled(if: Scope.isFull))
  func limits() async throws {
    let scratch = try ScratchFolder()
    let programs = try await LimitedFolder.install(in: scratch)
    let limits = try await Self.limits + Self.limits(onDataOf: programs.appending("clipcanvas"))
    let cases = limits.flatMap { limit in LimitedFolder.commands.map { (limit, $0) } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, (limit, command)) in cases.enumerated() {
        if number >= 8 { try await group.next() }
        group.addTask {
          let folder = try await LimitedFolder(programs: programs)
          let result = try await folder.run(command, under: ["prlimit", limit.option], limit.option)
          let isNamed = limit.words.contains { result.errorOutput.contains($0) }
          #expect(result.exitStatus != 2 || isNamed, "\(command.name) under \(limit.option): \(result.errorOutput)")
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("A command that cannot get a thread or a descriptor names the limit to raise", .enabled(if: Scope.isFull))
  func messages() async throws {
    let scratch = try ScratchFolder()
    let folder = try await LimitedFolder(programs: try await LimitedFolder.install(in: scratch))
    for command in LimitedFolder.commands where ["cover", "probe", "batch", "--version"].contains(command.name) {
      let withoutThreads = try await folder.run(command, under: ["prlimit", "--nproc=1"], "--nproc=1")
      #expect(withoutThreads.exitStatus == 2)
      #expect(
        withoutThreads.errorOutput.hasSuffix(
          "clipcanvas: cannot start a thread: the limit on processes and threads is reached; end some or raise it "
            + "(ulimit -u, or the container's pids limit)\n"
        )
      )
      let withoutDescriptors = try await folder.run(command, under: ["prlimit", "--nofile=9"], "--nofile=9")
      #expect(withoutDescriptors.exitStatus == 2)
      #expect(
        withoutDescriptors.errorOutput == "clipcanvas: too many open files: the limit is 9; raise it (ulimit -n)\n"
      )
    }
  }

  @Test(
    "A soft limit that is too low is raised",
    .enabled(if: Scope.isFull),
    arguments: ["--nofile=5:", "--stack=65536:"]
  )
  func softLimits(option: String) async throws {
    let scratch = try ScratchFolder()
    let folder = try await LimitedFolder(programs: try await LimitedFolder.install(in: scratch))
    let names = ["cover", "batch", "probe", "clip import", "render", "tap"]
    for command in LimitedFolder.commands where names.contains(command.name) {
      let result = try await folder.run(command, under: ["prlimit", option], option)
      #expect(result.exitStatus == 0, "\(command.name) under \(option): \(result.errorOutput)")
    }
  }

  private static let withoutProc = ["--mount", "sh", "-c", #"mount -t tmpfs tmpfs /proc && exec "$@""#, "-"]

  @Test("Without /proc a running recorder does not count as dead, and --owner is refused")
  func recorderWithoutProc() async throws {
    let board = try await TestBoard()
    try await board.done("tap", "c1")
    func run(_ arguments: String...) async throws -> ProgramResult {
      let program = ProjectFolder.program("clipcanvas").string
      return try await Program.runTool("unshare", Self.withoutProc + [program] + board.arguments(arguments))
    }
    let named = try await run("record", "start", "--owner", "\(getpid())")
    #expect(named.exitStatus == 2 && named.errorOutput.contains("without /proc"), "\(named.errorOutput)")
    try await board.done("record", "start", "--owner", "\(getpid())")
    let before = try board.bytes
    let recovered = try await run("record", "recover")
    let words = "the recorder is still running"
    #expect(recovered.exitStatus == 3 && recovered.errorOutput.contains(words), "\(recovered.errorOutput)")
    #expect(try board.bytes == before)
  }

  @Test(
    "Without /proc a command that needs threads reports it, and no command loses its arguments",
    arguments: Scope.cases(LimitedFolder.commands, quick: 3)
  )
  func withoutProc(command: LimitedFolder.Command) async throws {
    let folder = try await LimitedFolder(programs: ProjectFolder.programs)
    let result = try await Program.runTool(
      "unshare",
      Self.withoutProc + [ProjectFolder.program("clipcanvas").string] + command.arguments,
      in: folder.scratch.path
    )
    switch command.name {
    case "--help":
      #expect(result.exitStatus == 0 && result.text.hasPrefix("OVERVIEW: "))
    case "show", "wait":
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
    case "new", "tap":
      // These commands link a new file through /proc.
      #expect(result.exitStatus == 0 || !result.errorOutput.isEmpty)
    default:
      #expect(result.exitStatus == 2 && result.errorOutput.contains("mount"), "\(result.errorOutput)")
    }
    #expect(command.name == "--help" || !result.text.contains("OVERVIEW"))
  }
}
