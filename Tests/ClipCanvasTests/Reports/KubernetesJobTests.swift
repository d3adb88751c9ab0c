import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The job for Kubernetes, read by a YAML parser.
///
/// Its pods are processes here; `make check-image` runs them in containers.
@Suite("clipcanvas batch --print-kubernetes")
struct KubernetesJobTests {
  /// What a kubelet and the job controller do with a job: `job.py FILE PROGRAM KILLED...` runs all pods, kills the first
  /// pods of some indexes, and prints the exit statuses of each index.
  private static let cluster = #"""
    import os, pathlib, re, signal, subprocess, sys, time
    import yaml

    spec = yaml.safe_load(open(sys.argv[1], "rb"))["spec"]
    program, killed = sys.argv[2], [int(word) for word in sys.argv[3:]]
    pod = spec["template"]["spec"]
    container = pod["containers"][0]
    mounted = [mount["mountPath"] for mount in container["volumeMounts"]]
    names = lambda items: [item["name"] for item in items]
    assert spec["completionMode"] == "Indexed" and pod["restartPolicy"] == "Never"
    assert names(pod["volumes"]) == names(container["volumeMounts"])

    def expanded(text, variables):
        # https://kubernetes.io/docs/tasks/inject-data-application/define-interdependent-environment-variables/
        return re.sub(r"\$\$|\$\(([^)]*)\)",
                      lambda match: "$" if match[0] == "$$" else variables.get(match[1], match[0]), text, flags=re.DOTALL)

    def run(index, dies):
        variables = {"JOB_COMPLETION_INDEX": str(index)}
        words = [expanded(word, variables) for word in container["command"] + container["args"]]
        assert words[0] == "clipcanvas"
        folder = container.get("workingDir", "/")
        assert folder == "/" or any((folder + "/").startswith(mount + "/") for mount in mounted)
        process = subprocess.Popen([program] + words[1:], cwd=folder, env={"HOME": "/", **variables}, stdin=subprocess.DEVNULL,
                                   start_new_session=True)
        while dies and process.poll() is None:
            lists = pathlib.Path(f"/proc/{process.pid}/task").glob("*/children")
            try:
                children = " ".join(path.read_text() for path in lists).split()
            except OSError:  # a thread has ended
                children = []
            if children:
                # The end of a pod is that of all its processes.
                for pid in [process.pid, *map(int, children)]:
                    os.kill(pid, signal.SIGKILL)
                break
            time.sleep(0.002)
        return process.wait()

    def action(status):
        for rule in spec["podFailurePolicy"]["rules"]:
            codes = rule.get("onExitCodes")
            if codes and codes["operator"] == "In" and status in codes["values"]:
                return rule["action"]
        return "Count"

    for index in range(spec["completions"]):
        statuses, failures = [], 0
        while failures <= spec["backoffLimitPerIndex"]:
            statuses.append(run(index, index in killed and not statuses))
            if statuses[-1] == 0 or action(statuses[-1]) != "Count":
                break
            failures += 1
        print(index, *statuses)
    """#

  private func job(_ arguments: [[UInt8]], in folder: FilePath, shards: Int = 2) async throws -> ProgramResult {
    try await Program.run(
      .path(ProjectFolder.program("clipcanvas")),
      Arguments((["batch", "--print-kubernetes", "\(shards)"].map { Array($0.utf8) } + arguments).map { $0 + [0] }),
      in: folder
    )
  }

  private func job(_ arguments: [String], in folder: FilePath, shards: Int = 2) async throws -> ProgramResult {
    try await job(arguments.map { Array($0.utf8) }, in: folder, shards: shards)
  }

  private func run(_ job: ProgramResult, _ scratch: ScratchFolder, killing: [Int] = []) async throws -> ProgramResult {
    try #require(job.exitStatus == 0, "\(job.errorOutput)")
    let file = try scratch.write(job.output, as: "job.yaml")
    let words = ["-c", Self.cluster, file.string, ProjectFolder.program("clipcanvas").string]
    return try await Program.runTool("python3", words + killing.map { "\($0)" })
  }

  @Test(
    "Its pods make the covers and the reports of an undisturbed run, although one is killed and started again",
    .enabled(if: Scope.isFull)
  )
  func pods() async throws {
    let batch = try await ShardedBatch()
    let printed = try await job(["-j1", "-o", "covers", "c"], in: batch.scratch.path, shards: ShardedBatch.shards)
    let result = try await run(printed, batch.scratch, killing: [1])
    // A shard without the clips that have no cover ends with status 0.
    #expect(result.text.wholeMatch(of: /0 [01]\n1 -9 [01]\n2 [01]\n/) != nil, "\(result.text) \(result.errorOutput)")
    try await batch.checkEqual((0..<ShardedBatch.shards).map { "index-\($0)-of-3" })
  }

  @Test("Names with any characters reach the pods unchanged", .enabled(if: Scope.isFull))
  func names() async throws {
    let scratch = try ScratchFolder()
    let names = [
      "it's \"quoted\" `echo no` $(JOB_COMPLETION_INDEX) $$(HOME) $HOME \\ * ~ # ; & {} [] !", "line\n---\n- b\r\n\t",
      "-o", " ", "\u{FEFF}\u{85}\u{2028}\u{FFFE}\u{FFFF}\u{7F}\u{9B}\u{202E}", "ü\u{1F3AC}$\u{301}(", "null", "0x10",
      "yes: no",
    ]
    for name in names {
      try FilePath.makeFolder(scratch(name))
      for copy in ["a.mp4", "b.mp4"] {
        try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "\(name)/\(copy)")
      }
    }
    let options = ["--size=64", "-o", "out '$(HOME)'\n", "--report=-reports $$(HOME)\r\n", "--"]
    let result = try await run(try await job(options + names, in: scratch.path), scratch)
    #expect(result.text == "0 0\n1 0\n" && result.errorOutput.isEmpty, "\(result.text) \(result.errorOutput)")
    let undisturbed = try await Program.run(
      "clipcanvas",
      ["batch", "--size=64", "-o", "plain", "--"] + names,
      in: scratch.path
    )
    try #require(undisturbed.exitStatus == 0)
    let covers = try FolderTree(below: scratch("plain"))
    #expect(covers.files.count == 2 * names.count)
    #expect(try FolderTree(below: scratch("out '$(HOME)'\n")) == covers)
    let reports = try ScratchFolder.names(in: scratch("-reports $$(HOME)\r\n"))
    #expect(reports == ["index-0-of-2.ndjson", "index-1-of-2.ndjson"])
  }

  @Test("It is a job that a user of Kubernetes can edit, and printing it does nothing else")
  func text() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "c/a.mp4")
    let text = try await job(["-o", "covers", "c"], in: scratch.path).text
    #expect(try scratch.names() == ["c"])
    for line in [
      "  completions: 2", "  parallelism: 2", "        - name: clipcanvas", "              cpu: 4",
      #"            - "--shard=$(JOB_COMPLETION_INDEX)+1/2""#,
      #"            - "--report=reports/index-$(JOB_COMPLETION_INDEX)-of-2.ndjson""#, #"            - "--jobs=4""#,
      #"          workingDir: "\#(scratch.path)""#, #"              mountPath: "\#(scratch.path)""#,
    ] {
      #expect(text.contains("\n\(line)\n"), "\(line)")
    }
    #expect(text.split(separator: "\n").allSatisfy { $0.utf8.count <= 120 || !$0.contains("#") })
    let more = try await job(["-j", "7", "--report", "there", "c"], in: scratch.path).text
    #expect(more.contains("cpu: 7\n") && more.contains(#""--report=there/index-"#) && !more.contains("--jobs="))
    let root = try await Program.runTool("id", ["-u"]).text == "0\n"
    #expect(text.contains("runAsUser: ") == !root)
  }

  @Test("Each folder of the root that has clips, covers or reports is a volume, mounted as deep as possible")
  func volumes() async throws {
    let options = [
      "--report", "/b/y/reports", "-o", "/a/covers", "--files-from", ProjectFolder.fixture("h264.mp4").string,
    ]
    let text = try await job(options + ["/a/x/clips", "/b/y/../y/films", "/a/x/b.mp4"], in: "/").text
    let mounts = text.split(separator: "\n").filter { $0.contains("mountPath") }.map { $0.split(separator: " ").last }
    #expect(mounts == ["\"/a\"", "\"/b/y\"", "\"\(ProjectFolder.fixture("h264.mp4").removingLastComponent())\""])
    #expect(!text.contains("workingDir"))
  }

  @Test(
    "What a job cannot have is refused",
    .enabled(if: Scope.isFull),
    arguments: [
      (["--shard", "1/2", "c"], "each task of the job has its own shard"),
      (["--json", "c"], "each task writes a report"),
      (["--gallery", "g.html", "c"], "the page would show one shard only"), (["--report", "-", "c"], "'--report -'"),
      (["--files-from", "-"], "'--files-from' must name a file that every task can read"),
      (["--print-kubernetes", "0", "c"], "from 1 to 100000"), (["--watch", "c"], "'--watch' cannot be combined"),
      (["--prune", "c"], "'--prune' cannot be combined"), (["--dry-run", "c"], "'--dry-run' writes no files"),
      (["--print-slurm", "2", "c"], "'--print-slurm' and '--print-kubernetes' cannot be combined"),
      (["c:d"], "c:d' cannot be a volume"), (["/"], "'/' cannot be a volume"),
    ]
  )
  func refused(_ arguments: [String], _ message: String) async throws {
    let scratch = try ScratchFolder()
    for folder in ["c", "c:d"] { try FilePath.makeFolder(scratch(folder)) }
    let options = message.contains("volume") ? ["--report", scratch("c:d/reports").string, "-o", "/x"] : []
    let result = try await job(options + arguments, in: message.contains("c:d") ? scratch("c:d") : scratch.path)
    #expect(result.exitStatus == 64 && result.output.isEmpty)
    #expect(result.errorOutput.contains(message), "\(result.errorOutput)")
  }

  @Test("A name that is not UTF-8 is refused, because YAML is text")
  func bytes() async throws {
    let scratch = try ScratchFolder()
    let name = Array("latin-".utf8) + [0xE9]
    let result = try await job([name], in: scratch.path)
    #expect(result.exitStatus == 64 && result.output.isEmpty)
    #expect(result.errorOutput.contains(#"'latin-\xe9' is not UTF-8"#), "\(result.errorOutput)")
  }

  @Test("The number of a shard may be written as a number from 0 and +1")
  func shardFromZero() async throws {
    let batch = try await ShardedBatch()
    for index in 0..<ShardedBatch.shards {
      let words = batch.arguments(index + 1).map { $0 == "\(index + 1)/3" ? "\(index)+1/3" : $0 }
      let status = try await Program.run("clipcanvas", words, in: batch.scratch.path).exitStatus
      #expect(status == 0 || status == 1)
    }
    try await batch.checkEqual()
    for shard in ["3+1/3", "-1+1/3", "+1/3", "1+2/3", "1+1", "\(Int.max)+1/3"] {
      let result = try await Program.run("clipcanvas", ["batch", "--shard", shard, "c"], in: batch.scratch.path)
      #expect(result.exitStatus == 64, "\(shard)")
    }
  }
}
