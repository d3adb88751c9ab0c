import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Decoders and parents killed at arbitrary moments.
@Suite("clipcanvas batch survives kills", .serialized, .ownThread)
struct BatchKillTests {
  /// Clips in two folders that each take a while, and the results of an undisturbed run.
  private struct Work {
    let scratch: ScratchFolder
    let clips: Int
    let covers: FolderTree
    let essence: [String]

    init(copies: Int) async throws {
      scratch = try ScratchFolder()
      let fixtures = ["1080p.mp4", "h264.mp4", "vp9.webm", "sound-only.m4a", "truncated-no-index.mp4", "hevc.mp4"]
      for folder in ["clips", "clips/one", "clips/two"] { try FilePath.makeFolder(scratch(folder)) }
      for copy in 0..<copies {
        for (number, fixture) in fixtures.enumerated() {
          let name = "\(copy)-\(fixture.replacing(".m4a", with: ".mp4"))"
          let folder = number % 2 == 0 ? "one" : "two"
          try scratch.copy(ProjectFolder.fixture(fixture), as: "clips/\(folder)/\(name)")
        }
      }
      clips = copies * fixtures.count
      let run = try await BatchRun(["-o", "undisturbed", "clips"], in: scratch.path)
      essence = run.essence
      covers = try FolderTree(below: scratch("undisturbed"))
      try #require(run.records.count == clips && run.summary?.covers == copies * 4)
    }
  }

  @Test("A killed decoder loses no clip, duplicates no record and affects no other cover", .enabled(if: Scope.isFull))
  func decoders() async throws {
    let work = try await Work(copies: LongForm.isWanted ? 40 : 4)
    let end = ContinuousClock.now + .seconds(LongForm.count(short: 3, long: 120, variable: "TORTURE_SECONDS"))
    var numbers = SeededNumbers(seed: 5)
    var kills = 0
    var runs = 0
    repeat {
      runs += 1
      // Each run gets its own folder: with --force, a clip that fails would keep a fresh cover and also get a note.
      let folder = "covers-\(runs)"
      let arguments = ["batch", "--json", "-j2", "-o", folder, "clips"]
      let program = try RunningProgram("clipcanvas", arguments, scratch: work.scratch)
      var told = ""
      while !program.hasEnded {
        try await Task.sleep(for: .milliseconds(LongForm.isWanted ? 200 : 60))
        // Kill only after a clip was reported: on a busy machine a decoder may take longer to start than the time
        // between kills, and a decoder that dies at every start ends the run.
        let toldNow = try program.outputSoFar()
        guard toldNow != told else { continue }
        told = toldNow
        kills += program.killChild(Int.random(in: 0..<64, using: &numbers)) ? 1 : 0
      }
      let run = try BatchRun(of: try await program.end())
      #expect(run.status == 1 && run.summary != nil, "\(run.result.errorOutput)")
      #expect(run.records.map(\.clip.path).sorted() == work.essence.map { String($0.prefix { $0 != " " }) })
      let covers = try FolderTree(below: work.scratch(folder))
      for record in run.records {
        let isUndisturbed = work.essence.contains(record.essence)
        #expect(isUndisturbed || record.reason == "decoderDied" && record.attempts == 2, "\(record)")
      }
      #expect(covers.paths.allSatisfy { $0.hasSuffix(".failed.json") || covers.files[$0] == work.covers.files[$0] })
      let last = try await BatchRun(["--retry", "-o", folder, "clips"], in: work.scratch.path)
      #expect(last.records.count == work.clips)
      #expect(try FolderTree(below: work.scratch(folder)) == work.covers)
    } while ContinuousClock.now < end || kills == 0 && runs < 20
    #expect(kills > 0)
    print("killed \(kills) decoders in \(runs) runs")
  }

  @Test("A stopped decoder is replaced after its deadline, and its clip is retried", .enabled(if: Scope.isFull))
  func stopped() async throws {
    // Enough clips to keep both decoders busy until they are stopped, even on a busy machine.
    let work = try await Work(copies: 16)
    let arguments = ["batch", "--json", "-j2", "--timeout", "3", "-o", "covers", "clips"]
    let program = try RunningProgram("clipcanvas", arguments, scratch: work.scratch)
    // This much output shows that both decoders are running.
    while program.bytesPrinted < 10_000, !program.hasEnded { try await pause(.milliseconds(1)) }
    let stopped = program.children()
    program.sendToChildren(SIGSTOP)
    let run = try BatchRun(of: try await program.end())
    try #require(stopped.count == 2)
    #expect(run.status == 1 && run.essence == work.essence)
    #expect(try FolderTree(below: work.scratch("covers")) == work.covers)
    #expect(run.records.filter { $0.attempts == 2 }.count >= 2 && (run.summary?.decoders ?? 0) >= 4)
    // Three seconds for the decoder, one more until the parent stops waiting, and one for a busy machine.
    let times = program.printed.map(\.time)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < .seconds(5) })
    #expect(stopped.allSatisfy { kill($0, 0) != 0 }, "a stopped decoder is left over")
  }

  @Test(
    "After clipcanvas is killed, the next run continues and ends like an undisturbed run",
    .enabled(if: Scope.isFull)
  )
  func parent() async throws {
    let work = try await Work(copies: 2)
    var numbers = SeededNumbers(seed: 6)
    let rounds = LongForm.count(short: 10, long: 100, variable: "TORTURE_KILLS")
    var kills = 0
    for round in 0..<rounds {
      let covers = "covers-\(round)"
      // Every other round starts with older covers to be replaced.
      if round % 2 == 1 { _ = try await BatchRun(["--size", "32", "-o", covers, "clips"], in: work.scratch.path) }
      let arguments = ["batch", "--json", "-j2", "-o", covers, "clips"]
      while true {
        let program = try RunningProgram("clipcanvas", arguments, scratch: work.scratch)
        // A number of records and not a time: how long a run takes depends on what else the machine does.
        let records = Int.random(in: 0..<work.clips - 2, using: &numbers)
        while try program.outputSoFar().count(where: \.isNewline) < records, !program.hasEnded {
          try await pause(.milliseconds(1))
        }
        try await Task.sleep(for: .microseconds(Int.random(in: 0...10_000, using: &numbers)))
        program.send(SIGKILL)
        let killed = try await program.end()
        guard killed.exitStatus == 128 + Int(SIGKILL) else { break }
        kills += 1
        // Complete covers stay. Every third kill is followed by another run in the same folder.
        if kills % 3 != 0 { break }
      }
      let whole = try wholeCovers(in: work, covers)
      let last = try await BatchRun(["-j2", "--strict", "-o", covers, "clips"], in: work.scratch.path)
      #expect(last.status == 1 && last.records.count == work.clips)
      #expect(whole.allSatisfy { cover in last.records.contains { $0.status == "fresh" && $0.cover == cover } })
      let difference = try FolderTree(below: work.scratch(covers)).differences(from: work.covers)
      #expect(difference.isEmpty, "round \(round): \(difference)")
    }
    #expect(kills > rounds / 2)
    print("killed the parent \(kills) times")
  }

  /// Returns the existing covers that are identical to those of an undisturbed run.
  private func wholeCovers(in work: Work, _ folder: String) throws -> [String] {
    guard ProjectFolder.isThere(work.scratch(folder)) else { return [] }
    let tree = try FolderTree(below: work.scratch(folder))
    return tree.paths.filter { $0.hasSuffix(".png") && tree.files[$0] == work.covers.files[$0] }.map {
      "\(folder)/\($0)"
    }
  }

  @Test("Ctrl-C ends the run, leaves no partial file, and the next run continues", .enabled(if: Scope.isFull))
  func interrupt() async throws {
    let work = try await Work(copies: 8)
    var numbers = SeededNumbers(seed: 7)
    for round in 0..<3 {
      let covers = "covers-\(round)"
      let arguments = ["batch", "--json", "-j2", "-o", covers, "clips"]
      let program = try RunningProgram("clipcanvas", arguments, scratch: work.scratch)
      while try program.outputSoFar().isEmpty, !program.hasEnded { try await pause(.milliseconds(2)) }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &numbers)))
      program.sendToGroup(SIGINT)
      let ended = try await program.end()
      #expect(ended.exitStatus == 130)
      #expect(ended.errorOutput.isEmpty)
      let run = try BatchRun(of: ended)
      #expect(run.summary?.interrupted == true && run.records.count < work.clips)
      #expect(run.essence.allSatisfy { work.essence.contains($0) })
      let told = run.records.compactMap(\.cover).sorted()
      let there = try FolderTree(below: work.scratch(covers))
      #expect(told.allSatisfy { there.files[String($0.dropFirst(covers.count + 1))] != nil })
      #expect(there.paths.allSatisfy { there.files[$0] == work.covers.files[$0] })
      let last = try await BatchRun(["-o", covers, "clips"], in: work.scratch.path)
      #expect(last.records.filter { $0.status == "fresh" }.count >= told.count)
      #expect(try FolderTree(below: work.scratch(covers)) == work.covers)
    }
  }
}
