import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The script for a Slurm job array, run by a shell as Slurm's tasks run it.
///
/// `make check-cluster` runs it in Slurm.
@Suite("clipcanvas batch --print-slurm")
struct SlurmScriptTests {
  private static let clip = ProjectFolder.fixture("rotated-90.mp4")

  /// Folders with names that could break a script: quotes, expansions, line breaks of all kinds, options of sbatch, a
  /// leading hyphen, bytes that are not UTF-8.
  private static let names: [[UInt8]] = [
    Array("it's \"quoted\" `echo no` $(echo no) ${HOME} \\ * ~ # ; &".utf8),
    Array("line\n#SBATCH --bogus\n\nexit 3\n".utf8),
    Array("dos\r\nlines\r\r\n'".utf8), Array("-o".utf8), Array("latin-".utf8) + [0xE9, 0xFF], Array(" ".utf8),
  ]

  private func script(_ arguments: [[UInt8]], in folder: FilePath) async throws -> ProgramResult {
    try await Program.run(
      .path(ProjectFolder.program("clipcanvas")),
      Arguments((["batch", "--print-slurm", "2"].map { Array($0.utf8) } + arguments).map { $0 + [0] }),
      in: folder
    )
  }

  /// Runs a task of the array in another folder.
  private func task(_ index: Int, _ scratch: ScratchFolder) async throws -> ProgramResult {
    try await Program.run(
      .name("sh"),
      [scratch("script").string],
      in: "/",
      environment: .inherit.updating(["SLURM_ARRAY_TASK_ID": "\(index)", "SLURM_CPUS_PER_TASK": "2"])
    )
  }

  private func path(_ bytes: [UInt8]) -> FilePath {
    FilePath(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }

  @Test(
    "Its tasks make the covers and the reports of an undisturbed run, whatever bytes names have",
    .enabled(if: Scope.isFull)
  )
  func tasks() async throws {
    let scratch = try ScratchFolder()
    for name in Self.names {
      try FilePath.makeFolder(scratch.path.pushing(path(name)))
      for copy in ["a.mp4", "b.mp4"] {
        let target = scratch.path.pushing(path(name)).appending(copy)
        try ScratchFolder.write(try ScratchFolder.read(Self.clip), to: target)
      }
    }
    let output = Array("out 'put'\n".utf8)
    let reports = Array("-reports\r\n".utf8) + [0xFE]
    let options = [
      Array("--size=64".utf8), Array("-o".utf8), output, Array("--report=".utf8) + reports, Array("--".utf8),
    ]
    let printed = try await script(options + Self.names, in: scratch.path)
    try #require(printed.exitStatus == 0, "\(printed.errorOutput)")
    // sbatch rejects the line breaks of DOS.
    #expect(!printed.output.contains([13, 10]))
    try scratch.write(printed.output, as: "script")
    for index in 1...2 {
      let result = try await task(index, scratch)
      #expect(result.exitStatus == 0 && result.errorOutput.isEmpty && result.output.isEmpty, "\(result.errorOutput)")
    }
    let plain = [Array("batch\0".utf8), Array("--size=64\0".utf8), Array("-o\0".utf8), Array("plain\0".utf8)]
    let undisturbed = try await Program.run(
      .path(ProjectFolder.program("clipcanvas")),
      Arguments(plain + [Array("--\0".utf8)] + Self.names.map { $0 + [0] }),
      in: scratch.path
    )
    try #require(undisturbed.exitStatus == 0)
    let covers = try FolderTree(below: scratch("plain"))
    #expect(covers.files.count == 12)
    #expect(try FolderTree(below: scratch.path.pushing(path(output))) == covers)
    let written = try ScratchFolder.names(in: scratch.path.pushing(path(reports)))
    #expect(written == ["shard-1-of-2.ndjson", "shard-2-of-2.ndjson"])
  }

  @Test("It is a script that a user of Slurm can edit, and printing it does nothing else")
  func text() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(Self.clip, as: "c/a.mp4")
    let text = try await script(["-o", "covers", "c"].map { Array($0.utf8) }, in: scratch.path).text
    #expect(try scratch.names() == ["c"])
    let options = text.split(separator: "\n").filter { $0.hasPrefix("#SBATCH ") }
    #expect(options.contains("#SBATCH --array=1-2") && options.contains("#SBATCH --requeue"))
    #expect(
      options.contains("#SBATCH --cpus-per-task=4") && options.contains { $0.hasPrefix("#SBATCH --signal=B:TERM@") }
    )
    // sbatch reads no further than the first command.
    let first = try #require(text.split(separator: "\n").firstIndex { !$0.hasPrefix("#") })
    #expect(!text.split(separator: "\n")[first...].contains { $0.hasPrefix("#SBATCH") })
    #expect(text.contains("\nreports=reports\n") && text.contains("\ncd -- \(scratch.path)\n"))
    #expect(text.contains("--shard=\"$shard/2\"") && text.contains("\"${SLURM_CPUS_PER_TASK:-4}\""))
    #expect(text.hasSuffix(" \\\n  -o \\\n  covers \\\n  c\n"))
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 || !$0.hasPrefix("#") })
    let more = try await script(["-j", "7", "--report", "there", "c"].map { Array($0.utf8) }, in: scratch.path).text
    #expect(more.contains("#SBATCH --cpus-per-task=7\n") && more.contains("\nreports=there\n"))
    #expect(!more.contains("SLURM_CPUS_PER_TASK") && more.hasSuffix(" \\\n  -j \\\n  7 \\\n  c\n"))
    let outside = try await Program.run(.name("sh"), ["-c", more], in: scratch.path)
    #expect(outside.exitStatus != 0 && outside.errorOutput.contains("submit this script with sbatch"))
  }

  @Test("A task can be interrupted and submitted again", .enabled(if: Scope.isFull))
  func interrupted() async throws {
    let batch = try await ShardedBatch()
    let words = ["-j1", "-o", "covers", "c"].map { Array($0.utf8) }
    try batch.scratch.write(try await script(words, in: batch.scratch.path).output, as: "script")
    // The signal of Slurm goes to the process of the script, which has become the program.
    let command = """
      SLURM_ARRAY_TASK_ID=1 sh script & pid=$!
      until [ "$(cat /proc/$pid/comm)" = clipcanvas ] && pgrep -P $pid > children; do sleep 0.005; done
      kill -TERM $pid; wait $pid; echo "status $?"; ls reports
      """
    let result = try await Program.runTool("bash", ["-c", command], in: batch.scratch.path)
    #expect(result.text == "status 143\n", "\(result.text) \(result.errorOutput)")
    for index in 1...2 { #expect(try await task(index, batch.scratch).exitStatus == 1) }
    try await batch.checkEqual(["shard-1-of-2", "shard-2-of-2"])
  }

  @Test(
    "Options that a job array cannot have are refused",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--shard", "1/2"], "each task of the job has its own shard"), (["--json"], "each task writes a report"),
      (["--gallery", "g.html"], "the page would show one shard only"), (["--report", "-"], "'--report -'"),
      (["--files-from", "-"], "'--files-from' must name a file that every task can read"),
      (["--files-from", "/dev/stdin"], "'--files-from' must name a file"),
      (["--print-slurm", "0"], "from 1 to 100000"),
      (["--size", "no"], "'no' is not a size"),
    ]
  )
  func refused(_ options: [String], _ message: String) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    let result = try await script((options + ["c"]).map { Array($0.utf8) }, in: scratch.path)
    #expect(result.exitStatus == 64 && result.output.isEmpty)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  @Test("On a terminal, names cannot control it")
  func terminal() async throws {
    let script = "import pty, sys; pty.spawn(sys.argv[1:])"
    let program = ProjectFolder.program("clipcanvas").string
    let words = ["-c", script, program, "batch", "--print-slurm", "2", "a\u{1B}[31mb"]
    let result = try await Program.runTool("python3", words)
    #expect(result.text.contains("'a\\x1b[31mb'") && !result.text.contains("\u{1B}"), "\(result.text)")
  }
}
