import FoundationEssentials
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// What a batch prints, where it prints it, and its exit status.
@Suite("clipcanvas batch reports its progress and results", .ownThread)
struct BatchReportingTests {
  /// Creates two clips that give a cover, and a clip that does not.
  private func clips() throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try scratch.copy(ProjectFolder.fixture("rotated-90.mp4"), as: "c/a.mp4")
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "c/b.mp4")
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/c.mp4")
    return scratch
  }

  private func batch(_ arguments: [String], in scratch: ScratchFolder) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["batch", "-j1"] + arguments, in: scratch.path)
  }

  @Test("A batch without clips reports that", arguments: [[], ["notes.txt"]])
  func nothing(_ names: [String]) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for name in names { try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/\(name).html") }
    let left = names.isEmpty ? "" : ", 1 other file not examined (--all)"
    let result = try await batch(["c"], in: scratch)
    #expect(result.exitStatus == 0 && result.text == "no clips found\(left)\n", "\(result)")
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "c/a.mp4")
    #expect(try await batch(["c"], in: scratch).text.contains("\n1 clip: 1 cover made"))
  }

  @Test("Without a terminal, covers and the summary are plain lines and problems go to standard error")
  func plain() async throws {
    let scratch = try clips()
    let first = try await batch(["c"], in: scratch)
    #expect(first.exitStatus == 1)
    let lines = first.text.split(separator: "\n")
    #expect(lines.dropLast() == ["c/a.mp4 → c/a.mp4.png  120×160  0.000 s", "c/b.mp4 → c/b.mp4.png  160×120  0.000 s"])
    #expect(lines.last?.hasPrefix("3 clips: 2 covers made, 0 fresh, 0 incomplete, 1 failed; ") == true)
    #expect(first.errorOutput.hasPrefix("c/c.mp4: no video stream (1 audio stream)"))
    #expect(!(first.text + first.errorOutput).contains { $0 == "\u{1B}" || $0 == "\r" })
    let second = try await batch(["c"], in: scratch)
    #expect(
      second.text.hasPrefix(
        "3 clips: 0 covers made, 2 fresh, 0 incomplete, 0 failed, 1 known failure skipped (--retry); "
      )
    )
    #expect(second.exitStatus == 0 && second.errorOutput.isEmpty, "\(second.errorOutput)")
  }

  @Test(
    "Known failures are only counted, but reports and pages have them, and --strict makes the status 1",
    .enabled(if: Scope.isFull)
  )
  func knownFailures() async throws {
    let scratch = try clips()
    try scratch.copy(ProjectFolder.fixture("truncated-no-index.mp4"), as: "c/e.mp4")
    #expect(try await batch(["-q", "--size", "64", "c"], in: scratch).exitStatus == 1)
    let known = "0 incomplete, 0 failed, 2 known failures skipped (--retry)"
    let again = try await batch(["--report", "r", "--gallery", "g.html", "--size", "64", "c"], in: scratch)
    #expect(again.exitStatus == 0 && again.errorOutput.isEmpty && again.text.contains("4 clips: 0 covers made"))
    #expect(again.text.contains(known), "\(again.text)")
    let report = String(decoding: try ScratchFolder.read(scratch("r")), as: UTF8.self)
    #expect(report.split(separator: "\n").count { $0.contains(#""known":true"#) } == 2)
    #expect(report.contains(#""failed":1,"failedFolders":0"#) && report.contains(#""incomplete":1"#))
    #expect(report.contains(#""known":2,"knownIncomplete":1"#), "\(report)")
    let page = String(decoding: try ScratchFolder.read(scratch("g.html")), as: UTF8.self)
    #expect(page.contains("c.mp4") && page.contains("e.mp4"))
    let json = try BatchRun(of: try await batch(["--json", "--size", "64", "c"], in: scratch))
    #expect(json.status == 0 && json.records.count == 4)
    let quiet = try await batch(["-q", "--size", "64", "c"], in: scratch)
    #expect(quiet.exitStatus == 0 && quiet.output.isEmpty && quiet.errorOutput.isEmpty)
    let strict = try await batch(["--strict", "--size", "64", "c"], in: scratch)
    #expect(strict.exitStatus == 1 && strict.errorOutput.isEmpty && strict.text.contains(known))
    let dry = try await batch(["-n", "--size", "64", "c"], in: scratch)
    #expect(dry.exitStatus == 0 && dry.text.contains("dry run: 0 to make, 2 fresh, \(known); "), "\(dry.text)")
    // A new failure is printed, and makes the status 1, beside known ones.
    try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/f.mp4")
    let new = try await batch(["--size", "64", "c"], in: scratch)
    #expect(new.exitStatus == 1 && new.errorOutput.hasPrefix("c/f.mp4: no video stream"))
    #expect(new.text.contains("0 incomplete, 1 failed, 2 known failures skipped (--retry)"), "\(new.text)")
    let retried = try await batch(["--retry", "--size", "64", "c"], in: scratch)
    #expect(retried.exitStatus == 1 && retried.errorOutput.split(separator: "\n").count == 3)
    #expect(retried.text.contains("1 incomplete, 2 failed; "))
  }

  @Test("A folder that does not exist is not counted as a clip, and the others are searched")
  func missingFolder() async throws {
    let scratch = try clips()
    let alone = try await batch(["nodir"], in: scratch)
    #expect(alone.exitStatus == 1 && alone.text == "no clips found, 1 folder failed\n", "\(alone.text)")
    #expect(alone.errorOutput == "nodir: no such file or directory; check the name\n")
    let both = try await batch(["nodir", "c/a.mp4"], in: scratch)
    #expect(both.exitStatus == 1 && both.errorOutput == "nodir: no such file or directory; check the name\n")
    #expect(both.text.contains("\n1 clip: 1 cover made, 0 fresh, 0 incomplete, 0 failed, 1 folder failed; "))
    let json = try BatchRun(of: try await batch(["--json", "nodir"], in: scratch))
    #expect(json.records.map(\.reason) == ["missing"] && json.status == 1)
    // A name with a clip's extension is that of a clip.
    let clip = try await batch(["gone.mp4"], in: scratch)
    #expect(clip.exitStatus == 1 && clip.text.hasPrefix("1 clip: 0 covers made, 0 fresh, 0 incomplete, 1 failed; "))
    #expect(try await batch(["-n", "nodir"], in: scratch).text.contains("0 failed, 1 folder failed; "))
  }

  @Test("--quiet prints only problems")
  func quiet() async throws {
    let scratch = try clips()
    let result = try await batch(["--quiet", "c"], in: scratch)
    #expect(result.text.isEmpty && result.errorOutput.split(separator: "\n").count == 1)
    let fine = try await batch(["-q", "c/a.mp4", "c/b.mp4"], in: scratch)
    #expect(fine.text.isEmpty && fine.errorOutput.isEmpty && fine.exitStatus == 0)
  }

  @Test("--json and --report write one object per clip as it finishes, then the summary", .enabled(if: Scope.isFull))
  func report() async throws {
    let scratch = try clips()
    // An older report that is longer than the new one.
    let older = #"{"summary":{"covers":1}}"# + "\n" + String(repeating: "{}\n", count: 10_000)
    try scratch.write(Array(older.utf8), as: "report")
    let result = try await batch(["--json", "--report", "report", "c"], in: scratch)
    #expect(try ScratchFolder.read(scratch("report")) == result.output)
    let run = try BatchRun(of: result)
    #expect(run.records.map(\.clip.path) == ["c/a.mp4", "c/b.mp4", "c/c.mp4"])
    #expect(run.summary?.covers == 2 && run.summary?.failed == 1 && run.summary?.interrupted == false)
    #expect(result.errorOutput.isEmpty)
    // Without --json the report still contains JSON, and the printed lines are for people.
    let plain = try await batch(["--report", "report", "c"], in: scratch)
    #expect(!plain.text.contains("{"))
    let lines = String(decoding: try ScratchFolder.read(scratch("report")), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 4 && lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
  }

  @Test("A report or an output that cannot be written ends the run", .enabled(if: Scope.isFull))
  func badReport() async throws {
    let scratch = try clips()
    let missing = try await batch(["--report", "no/such/report", "c"], in: scratch)
    #expect(missing.exitStatus == 2)
    #expect(missing.errorOutput.contains("cannot write the report no/such/report: no such file or directory"))
    let program = ProjectFolder.program("clipcanvas").string
    let full = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-o", "/dev/null", "-P", scratch("report").string, "-e", "inject=write:error=ENOSPC", program]
        + ["batch", "--report", "report", "c"],
      in: scratch.path
    )
    #expect(full.exitStatus == 2 && full.errorOutput.contains("cannot write the report report: no space left"))
    let output = try await Program.runTool("sh", ["-c", "'\(program)' batch --json c > /dev/full"], in: scratch.path)
    #expect(output.exitStatus == 2 && output.errorOutput.contains("cannot write to standard output"))
    let closed = try await Program.runTool(
      "sh",
      ["-c", "'\(program)' batch --json --force c | head -n1"],
      in: scratch.path
    )
    #expect(closed.errorOutput.isEmpty && closed.text.split(separator: "\n").count == 1)
  }

  @Test("A report may begin with any record", .enabled(if: Scope.isFull))
  func firstRecord() async throws {
    let scratch = try clips()
    let arguments = ["--strict", "--storyboard", "--animate", "--report", "r.ndjson", "c"]
    #expect(try await batch(arguments, in: scratch).exitStatus == 1)
    let lines = String(decoding: try ScratchFolder.read(scratch("r.ndjson")), as: UTF8.self).split(separator: "\n")
    for first in lines {
      let text = ([first] + lines.filter { $0 != first }).joined(separator: "\n") + "\n"
      try scratch.write(text.utf8, as: "r.ndjson")
      let result = try await batch(arguments, in: scratch)
      #expect(result.exitStatus == 1, "\(first): \(result.errorOutput)")
    }
  }

  @Test(
    "A clip that the run may find is never replaced",
    .enabled(if: Scope.isFull),
    arguments: ["--report", "--gallery"],
    ["a.mp4", "b.mp4"]
  )
  func clipAsReport(_ option: String, _ clip: String) async throws {
    let scratch = try clips()
    let before = try ScratchFolder.read(scratch("c/\(clip)"))
    let result = try await batch([option, "c/\(clip)", "--force", "c"], in: scratch)
    let message =
      option == "--gallery"
      ? "'--gallery c/\(clip)': a gallery is an HTML page"
      : "c/\(clip) is not a text file, and may be a clip; specify another place with \(option)"
    #expect(result.exitStatus == (option == "--gallery" ? 64 : 2) && result.errorOutput.contains(message), "\(result)")
    #expect(try ScratchFolder.read(scratch("c/\(clip)")) == before)
    // Other text is replaced if that is forced.
    try scratch.write(Array("mine\n".utf8), as: "notes.html")
    #expect(try await batch([option, "notes.html", "c"], in: scratch).exitStatus == 2)
    #expect(try await batch([option, "notes.html", "--force", "c"], in: scratch).exitStatus == 1)
    #expect(try ScratchFolder.read(scratch("notes.html")) != Array("mine\n".utf8))
  }

  @Test("The exit status reports whether all clips have covers", .enabled(if: Scope.isFull))
  func status() async throws {
    let scratch = try clips()
    #expect(try await batch(["c/a.mp4"], in: scratch).exitStatus == 0)
    #expect(try await batch(["c/a.mp4", "c/c.mp4"], in: scratch).exitStatus == 1)
    try FilePath.makeFolder(scratch("none"))
    #expect(try await batch(["none"], in: scratch).exitStatus == 0)
    let noDecoder = try await Program.run(
      "clipcanvas",
      ["batch", "c"],
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": "/bin/true"]
    )
    #expect(noDecoder.exitStatus == 2 && noDecoder.errorOutput.contains("cannot start the decoder /bin/true"))
    #expect(noDecoder.errorOutput.contains("or specify it with CLIPCANVAS_DECODER"))
  }

  /// Runs a command on a pseudoterminal created by Python, and returns what it displayed.
  private func onTerminal(_ arguments: [String], in scratch: ScratchFolder) async throws -> (text: String, status: Int)
  {
    let script = """
      import os, pty, sys
      os.chdir(sys.argv[1])
      stdin = os.open("/dev/null", os.O_RDONLY)
      os.dup2(stdin, 0)
      status = pty.spawn(sys.argv[2:], lambda fd: os.read(fd, 65536), lambda fd: b"")
      sys.exit(os.waitstatus_to_exitcode(status))
      """
    let words = ["-c", script, scratch.path.string] + arguments
    let result = try await Program.runTool("python3", words)
    return (result.text, result.exitStatus)
  }

  @Test(
    "On a terminal a progress line is displayed and cleared before the problems and the summary, which is last",
    .enabled(if: Scope.isFull)
  )
  func terminal() async throws {
    let scratch = try clips()
    let big = try ScratchFolder.read(ProjectFolder.fixture("1080p.mp4"))
    for number in 0..<20 { try scratch.write(big, as: "c/d\(number).mp4") }
    let program = ProjectFolder.program("clipcanvas").string
    let (text, status) = try await onTerminal([program, "batch", "-j1", "c"], in: scratch)
    #expect(status == 1)
    #expect(text.contains("/23 · ") && text.contains(" a second · ") && text.contains(" left · "), "\(text)")
    #expect(text.contains("1 without a cover · c/d"), "\(text)")
    // The progress line is cleared, and only complete lines follow.
    let end = try #require(text.firstRange(of: "\r\u{1B}[K  c/c.mp4: no video stream (1 audio stream)"), "\(text)")
    #expect(!text[end.upperBound...].contains("\u{1B}"))
    let last = text.split(separator: "\r\n").last ?? ""
    #expect(last.hasPrefix("23 clips: 22 covers made") && text.hasSuffix("\r\n"), "\(text)")
    #expect(!text[..<end.lowerBound].contains("\n"))
    let quiet = try await onTerminal([program, "batch", "--quiet", "--force", "c/a.mp4"], in: scratch)
    #expect(quiet.text.isEmpty && quiet.status == 0)
  }

  @Test(
    "On a terminal a hundred problems are listed and the others counted",
    .enabled(if: Scope.isFull),
    arguments: [(100, nil), (103, 3)]
  )
  func manyProblems(_ count: Int, _ leftOut: Int?) async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for number in 0..<count { try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: "c/\(number).mp4") }
    let (text, status) = try await onTerminal([ProjectFolder.program("clipcanvas").string, "batch", "c"], in: scratch)
    #expect(status == 1)
    #expect(text.split(separator: "\r\n").count { $0.contains("  c/") } == 100)
    let others = leftOut.map { "\r\n  and \($0) more; use --report to list them all\r\n\(count) clips: 0 covers made" }
    #expect(others.map(text.contains) ?? !text.contains(" more"), "\(text)")
  }

  @Test("A list that can be read only once is not read to count its entries", .enabled(if: Scope.isFull))
  func passingList() async throws {
    let scratch = try clips()
    for number in 0..<3 {
      let command =
        "'\(ProjectFolder.program("clipcanvas").string)' batch -j1 --force --files-from <(printf 'c/a.mp4\\nc/b.mp4\\n')"
      let (text, status) = try await onTerminal(["bash", "-c", command], in: scratch)
      #expect(status == 0 && text.contains("2 clips: 2 covers made"), "\(number): \(text)")
    }
  }

  @Test("The run can be interrupted while it waits for a list")
  func waitingList() async throws {
    let scratch = try clips()
    let program = ProjectFolder.program("clipcanvas").string
    // The first clip shows that the run has started. A shell's background jobs ignore SIGINT, so this sends SIGTERM.
    let command = """
      mkfifo list
      (printf 'c/a.mp4\\n'; exec sleep 600) > list &
      writer=$!
      '\(program)' batch --files-from - < list > told &
      batch=$!
      until grep -q a.mp4 told; do sleep 0.02; done
      SECONDS=0; kill -TERM $batch; wait $batch; echo "status $?" >> told
      kill $writer; cat told; [ $SECONDS -lt 10 ] || echo "late, after $SECONDS s"
      """
    let result = try await Program.runTool("bash", ["-c", command], in: scratch.path)
    #expect(result.text.contains("interrupted after 1 clip:"), "\(result.text) \(result.errorOutput)")
    #expect(result.text.hasSuffix("status 143\n"))
  }
}
