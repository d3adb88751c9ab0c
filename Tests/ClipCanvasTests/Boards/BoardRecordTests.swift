import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Recording on a board")
struct BoardRecordTests {
  /// Creates a board with an open take of two segments, the second still open, owned by a sleeping process.
  private func recording() async throws -> (board: TestBoard, owner: Sleeper) {
    let board = try await TestBoard()
    let owner = try Sleeper()
    try await board.done("tap", "c2")
    try await board.done("record", "start", "--owner", "\(owner.pid)", "--take", "t1")
    try await board.done("record", "pause")
    try await board.done("record", "resume")
    return (board, owner)
  }

  @Test("A take is not recovered while its owner is running")
  func alive() async throws {
    let (board, owner) = try await recording()
    let old = try board.bytes
    let result = try await board.run("record", "recover")
    #expect(
      result.exitStatus == 3 && result.errorOutput.hasPrefix("clipcanvas: refused: the recorder is still running"),
      "\(result.errorOutput)"
    )
    let json = try await board.run("record", "recover", "--json")
    #expect(json.exitStatus == 3 && json.text == #"{"outcome":"refused","reason":"ownerAlive"}"# + "\n")
    #expect(try board.bytes == old)
    owner.end()
  }

  @Test(
    "A take whose owner was killed is recovered as paused with all segments, and can continue",
    .enabled(if: Scope.isFull),
    arguments: [true, false]
  )
  func died(isReaped: Bool) async throws {
    let (board, owner) = try await recording()
    if isReaped { owner.end() } else { owner.killOnly() }
    defer { owner.end() }
    try await expectRecovered(board)
    #expect(
      try await board.done("record", "recover")
        .hasPrefix("nothing changed: out of date: the take has ended or was already interrupted")
    )
    try await board.done("record", "resume")
    try await board.done("record", "stop", "--clip", ProjectFolder.fixture("h264.mp4").string, "--no-cover")
    #expect(try board.record.session == "previewing")
    #expect(try board.record.canvases[1].clip != nil)
  }

  @Test("`next` and `can` know `record recover`", .enabled(if: Scope.isFull))
  func next() async throws {
    let (board, owner) = try await recording()
    defer { owner.end() }
    #expect(!(try await board.done("next")).contains("record recover"))
    #expect(try await board.done("next", "--all").contains(#/record recover +✗ the recorder is still running/#))
    #expect(try await board.run("can", "record", "recover").errorOutput.contains("would be refused: the recorder is "))
    owner.end()
    let old = try board.bytes
    let lines = try await board.done("next").split(separator: "\n")
    #expect(lines.contains { $0.prefixMatch(of: #/record recover +→ paused, /#) != nil }, "\(lines)")
    #expect(try await board.done("can", "record", "recover").hasPrefix("would become revision "))
    let record = try await board.done("next", "--json").split(separator: "\n").first { $0.contains("record recover") }
    #expect(record?.contains(#""event":"takeFailed""#) == true && record?.contains(#""outcome":"changed""#) == true)
    #expect(try board.bytes == old)
    try await expectRecovered(board)
    #expect(!(try await board.done("next")).contains("record recover"))
    #expect(try await board.done("can", "record", "recover").hasPrefix("would change nothing: "))
    // Without a take there is nothing to recover.
    try await board.done("record", "discard")
    #expect(!(try await board.done("next")).contains("recover"))
    #expect(try await board.done("next", "--all").contains(#/record recover +✗ /#))
    #expect(try await board.run("can", "record", "recover").exitStatus == 3)
  }

  private func expectRecovered(_ board: TestBoard) async throws {
    let before = try #require(try board.record.take)
    try #require(before.segments.count == 2 && before.segments[1].end == nil)
    try await board.done("record", "recover")
    let record = try board.record
    let take = try #require(record.take)
    #expect(record.session == "paused")
    #expect(take.segments.count == 2 && take.segments[0] == before.segments[0])
    #expect(take.segments[1].start == before.segments[1].start && take.segments[1].end != nil)
    #expect(take.interrupted?.contains("died") == true)
  }

  @Test("A take is recovered if its owner's process ID has been reused", arguments: ["startTicks", "bootID"])
  func otherProcess(_ key: String) async throws {
    let (board, owner) = try await recording()
    defer { owner.end() }
    let present = try #require(try board.record.take?.owner)
    let text = String(decoding: try board.bytes, as: UTF8.self)
    let changed =
      key == "startTicks"
      ? text.replacing("\"startTicks\": \(present.startTicks)", with: "\"startTicks\": \(present.startTicks - 1)")
      : text.replacing(present.bootID, with: "00000000-0000-0000-0000-000000000000")
    try #require(changed != text)
    try ScratchFolder.write(changed.utf8, to: board.path)
    try await expectRecovered(board)
  }

  @Test("A process that is not running cannot own a recording")
  func noOwner() async throws {
    let board = try await TestBoard()
    try await board.done("tap", "c1")
    let sleeper = try Sleeper()
    sleeper.end()
    for owner in ["\(sleeper.pid)", "0", "-1", "999999999999"] {
      let result = try await board.run("record", "start", "--owner=\(owner)")
      #expect(result.exitStatus == 64, "\(owner)")
    }
    #expect(try board.record.session == "previewing")
    #expect(
      try await board.run("record", "recover").errorOutput.hasPrefix("clipcanvas: refused: no recording is in progress")
    )
  }

  @Test(
    "A resumed recording has the owner that resumes it, and is not recovered while that one is running",
    .enabled(if: Scope.isFull)
  )
  func renewed() async throws {
    let (board, owner) = try await recording()
    owner.end()
    try await board.done("record", "recover")
    let next = try Sleeper()
    defer { next.end() }
    let told = try await board.done("record", "resume", "--owner", "\(next.pid)")
    #expect(
      told.contains(
        "  take t1: segment 3 started, no longer interrupted, owner process \(owner.pid) → process \(next.pid)\n"
      ),
      "\(told)"
    )
    #expect(try board.record.take?.owner?.processID == Int(next.pid))
    #expect(try await board.run("record", "recover").errorOutput.contains("refused: the recorder is still running"))
    // Without --owner, the owner stays.
    try await board.done("record", "pause")
    try await board.done("record", "resume")
    #expect(try board.record.take?.owner?.processID == Int(next.pid))
    next.end()
    #expect(try await board.done("record", "recover").contains("session: recording → paused"))
    #expect(try await board.run("record", "resume", "--owner", "\(next.pid)").exitStatus == 64)
    // After an interruption, the recording that continues is not that of the process which is gone.
    #expect(try await board.done("record", "resume").contains("owner process \(next.pid) → none"))
    #expect(try board.record.take?.owner == nil)
  }

  /// A child process that sleeps.
  private final class Sleeper {
    let pid: Int32
    private var hasEnded = false

    init() throws {
      var arguments = [strdup("sleep"), strdup("600"), nil]
      defer {
        for argument in arguments { free(argument) }
      }
      var pid: Int32 = 0
      let error = posix_spawnp(&pid, "sleep", nil, nil, &arguments, environ)
      guard error == 0 else { throw Errno(rawValue: error) }
      self.pid = pid
    }

    /// Kills the process without reaping it, which leaves a zombie.
    func killOnly() {
      kill(pid, SIGKILL)
      for _ in 0..<1000 where ProcessStatus(of: pid)?.isZombie != true { usleep(1000) }
    }

    func end() {
      guard !hasEnded else { return }
      hasEnded = true
      kill(pid, SIGKILL)
      _ = waitpid(pid, nil, 0)
    }

    deinit { end() }
  }
}
