import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Several attempts at the same shard.
@Suite("A shard can be attempted more than once", .ownThread)
struct ShardAttemptTests {
  /// Returns a decoder that starts once there is a file `go`, or its parent has ended, or the scratch folder is gone: a
  /// parent that is killed at once may have ended before the shell knows its number.
  private func waitingDecoder(in scratch: ScratchFolder) throws -> FilePath {
    let path = scratch("waiting-decoder")
    if !ProjectFolder.isThere(path) {
      let script = """
        #!/bin/sh
        until [ -e '\(scratch("go"))' ] || [ ! -e "$0" ] || ! kill -0 $PPID 2> /dev/null; do sleep 0.01; done
        exec '\(ProjectFolder.program("clipcanvas-decoder"))' "$@"

        """
      try scratch.write(Array(script.utf8), as: "waiting-decoder")
      try #require(chmod(path.string, 0o755) == 0)
    }
    return path
  }

  /// Starts a shard with a decoder that waits for the file `go`.
  private func start(
    _ shard: Int,
    of batch: ShardedBatch,
    label: String,
    options: [String] = []
  ) throws -> RunningProgram {
    let decoder = try waitingDecoder(in: batch.scratch)
    return try RunningProgram(
      "clipcanvas",
      batch.arguments(shard) + options,
      scratch: batch.scratch,
      label: label,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
  }

  @Test("Two attempts at the same time do no harm", .enabled(if: Scope.isFull))
  func overlapping() async throws {
    let batch = try await ShardedBatch()
    for round in 0..<3 {
      var attempts: [RunningProgram] = []
      for shard in 1...ShardedBatch.shards {
        for attempt in 0..<2 { attempts.append(try start(shard, of: batch, label: "\(round)-\(shard)-\(attempt)")) }
      }
      for attempt in attempts { try await waitForDecoder(of: attempt) }
      // The first attempt at the last shard is killed in one round.
      if round == 1 { attempts[4].send(SIGKILL) }
      try batch.scratch.write([], as: "go")
      for (number, attempt) in attempts.enumerated() where !(round == 1 && number == 4) {
        let result = try await attempt.end()
        #expect(result.exitStatus <= 1, "\(result.errorOutput)")
      }
      try await batch.checkEqual()
      #expect(try ScratchFolder.names(in: batch.scratch("reports")) == ["1.ndjson", "2.ndjson", "3.ndjson"])
      try ScratchFolder.remove(batch.scratch("go"))
    }
  }

  @Test(
    "An attempt that is killed or interrupted leaves no report, and keeps an older one",
    .enabled(if: Scope.isFull),
    arguments: [SIGKILL, SIGTERM]
  )
  func ended(_ signal: Int32) async throws {
    let batch = try await ShardedBatch()
    let first = try start(1, of: batch, label: "first")
    try await waitForDecoder(of: first)
    first.send(signal)
    #expect(try await first.end().exitStatus == 128 + Int(signal))
    #expect(try ScratchFolder.names(in: batch.scratch("reports")) == [])

    for shard in 1...ShardedBatch.shards { try await batch.run(shard) }
    let older = try ScratchFolder.read(batch.scratch("reports/1.ndjson"))
    let second = try start(1, of: batch, label: "second", options: ["--force"])
    try await waitForDecoder(of: second)
    second.send(signal)
    #expect(try await second.end().exitStatus == 128 + Int(signal))
    #expect(try ScratchFolder.read(batch.scratch("reports/1.ndjson")) == older)
    try await batch.checkEqual()
  }

  private func waitForDecoder(of program: RunningProgram) async throws {
    while !program.hasEnded, program.children().isEmpty { try await pause(.milliseconds(5)) }
  }

  /// Runs a program with a filter for system calls, as if no file system supported unnamed files (`O_TMPFILE`).
  private static let withoutUnnamed = """
    import ctypes, errno, os, sys
    class Comparison(ctypes.Structure):
        _fields_ = [("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]
    library, bit = ctypes.CDLL("libseccomp.so.2"), 0o20000000
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(0x7FFF0000)))
    refusal = ctypes.c_uint32(0x00050000 | errno.EOPNOTSUPP)
    masked_equal = Comparison(2, 7, bit, bit)
    call = library.seccomp_syscall_resolve_name(b"openat")
    failed = library.seccomp_rule_add_array(context, refusal, call, 1, ctypes.byref(masked_equal))
    if failed or library.seccomp_load(context):
        sys.exit("cannot filter system calls")
    os.execv(sys.argv[1], sys.argv[1:])
    """

  @Test("On file systems without unnamed files, reports are complete as well, and leftovers are removed")
  func withoutUnnamedFiles() async throws {
    let batch = try await ShardedBatch()
    let words = ["-c", Self.withoutUnnamed, ProjectFolder.program("clipcanvas").string]
    _ = try waitingDecoder(in: batch.scratch)
    // The first attempt is killed while it waits for its decoder.
    let command = """
      CLIPCANVAS_DECODER="$PWD/waiting-decoder" \(Program.python) "$@" & pid=$!
      until ls reports/.clipcanvas-*.tmp > left 2> /dev/null || ! kill -0 $pid; do sleep 0.01; done
      kill -KILL $pid; wait $pid; echo "status $?"; ls -A reports | sed 's/[0-9].*[.]/N./'
      """
    let killed = try await Program.runTool(
      "bash",
      ["-c", command, "bash"] + words + batch.arguments(1),
      in: batch.scratch.path
    )
    #expect(killed.text == "status 137\n.clipcanvas-N.tmp\n", "\(killed.text) \(killed.errorOutput)")
    for shard in 1...ShardedBatch.shards {
      let result = try await Program.runTool("python3", words + batch.arguments(shard), in: batch.scratch.path)
      #expect(result.exitStatus <= 1, "\(result.errorOutput)")
    }
    #expect(try ScratchFolder.names(in: batch.scratch("reports")) == ["1.ndjson", "2.ndjson", "3.ndjson"])
    try await batch.checkEqual()
  }
}
