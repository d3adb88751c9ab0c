import FoundationEssentials
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("Concurrent readers and writers of a board", .serialized)
struct BoardConcurrencyTests {
  /// Reads the file repeatedly until `isDone` is set, and returns the number of reads.
  private static func read(_ path: FilePath, _ isDone: borrowing Atomic<Bool>) throws -> Int {
    var (count, newest) = (0, 0)
    repeat {
      let record = try JSONDecoder().decode(BoardRecord.self, from: Data(try ScratchFolder.read(path)))
      guard record.revision >= newest else { throw Fallen(from: newest, to: record.revision) }
      (count, newest) = (count + 1, record.revision)
    } while !isDone.load(ordering: .relaxed)
    return count
  }

  private struct Fallen: Error {
    let from: Int
    let to: Int
  }

  @Test(
    "Readers see complete documents with non-decreasing revisions during writes",
    .enabled(if: Scope.isFull),
    .timeLimit(.minutes(60))
  )
  func readers() async throws {
    let board = try await TestBoard()
    let isDone = Flag()
    let writes = LongForm.count(short: 60, long: 10_000, variable: "TORTURE_WRITES")
    let readers = LongForm.isWanted ? 32 : 2
    let reads = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<readers {
        group.addTask { [path = board.path] in
          try await withCheckedThrowingContinuation { continuation in
            let thread = Thread {
              // Readers that never pause would leave the writer little time.
              setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
              continuation.resume(with: Result { try Self.read(path, isDone.value) })
            }
            thread.start()
          }
        }
      }
      // From a shell, because a task of this process would wait for the readers again and again.
      let loop = #"for number in $(seq "$2"); do "$0" board tap c$((number % 4 + 1)) --board "$1" || exit 1; done"#
      let program = ProjectFolder.program("clipcanvas").string
      let result = try await Program.runTool("sh", ["-c", loop, program, board.path.string, "\(writes)"])
      #expect(result.exitStatus == 0, "\(result.errorOutput)")
      isDone.value.store(true, ordering: .relaxed)
      return try await group.reduce(0, +)
    }
    #expect(reads >= readers)
    #expect(try board.record.revision == writes)
  }

  /// The commands that read, next to concurrent writers.
  @Test("Reading commands succeed during writes", .enabled(if: Scope.isFull))
  func readingCommands() async throws {
    let board = try await TestBoard()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for writer in 0..<2 {
        group.addTask { for _ in 0..<15 { try await board.done("tap", "c\(writer + 1)", "--lock-timeout", "60") } }
      }
      for command in [["log", "--json"], ["check"], ["next"]] {
        group.addTask {
          for _ in 0..<15 {
            let result = try await Program.run("clipcanvas", board.arguments(command))
            #expect(result.exitStatus == 0, "\(result.errorOutput)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try board.record.revision == 30)
  }

  @Test(
    "No writer's change is lost, and the answers form a legal sequence",
    .enabled(if: Scope.isFull),
    .timeLimit(.minutes(60))
  )
  func writers() async throws {
    let board = try await TestBoard(canvases: 3)
    let writers = LongForm.count(short: 8, long: 64, variable: "TORTURE_WRITERS")
    let events = LongForm.count(short: 12, long: 50, variable: "TORTURE_EVENTS")
    let sent = try await withThrowingTaskGroup(of: [(event: String, answer: String)].self) { group in
      for writer in 0..<writers {
        group.addTask {
          var numbers = SeededNumbers(seed: UInt64(writer))
          var sent: [(String, String)] = []
          for _ in 0..<events {
            let event = Self.event(&numbers, writer: writer)
            let result = try await board.send(event + "\n", to: "apply", "--lock-timeout", "600")
            #expect([0, 3].contains(result.exitStatus), "\(result.errorOutput)")
            sent.append((event, result.text.filter { $0 != "\n" }))
          }
          return sent
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    try #require(sent.count == writers * events)

    var changes: [Int: (event: String, answer: String)] = [:]
    for pair in sent {
      let answer = try AnswerRecord(pair.answer)
      guard let revision = answer.revision else {
        #expect(answer.outcome != "changed" && answer.reason != nil)
        continue
      }
      #expect(changes.updateValue(pair, forKey: revision) == nil, "revision \(revision) twice")
    }
    let record = try board.record
    #expect(changes.keys.sorted() == Array(1...record.revision))
    // Replaying the events in order of their revisions gives the same answers.
    let path = (1...record.revision).compactMap { changes[$0] }
    let replay = try await Program.run(
      "clipcanvas",
      ["board", "simulate", "--canvases", "3"],
      input: path.map { $0.event + "\n" }.joined()
    )
    #expect(replay.text.split(separator: "\n").map(String.init) == path.map(\.answer))
    // The history contains the same changes, up to its limit.
    #expect(record.history.map(\.revision) == Array(1...record.revision).suffix(100))
    let log = try await board.done("log", "--json").split(separator: "\n").map(String.init).reversed()
    for (line, (_, answer)) in zip(log.suffix(100), path.suffix(100)) {
      let told = try #require(answer.firstRange(of: "\"changes\":"))
      let changes = answer[told.lowerBound...].split(separator: ",\"outcome\"").first ?? ""
      // A changed order is stored as a move.
      let isMove = changes.contains(#""key":"canvases""#)
      #expect(isMove ? line.contains(#""key":"position""#) : line.contains(changes), "\(line) \(changes)")
    }
  }

  private static func event(_ numbers: inout SeededNumbers, writer: Int) -> String {
    let canvas = "\"canvas\":\"c\(Int.random(in: 1...3, using: &numbers))\""
    return switch Int.random(in: 0..<10, using: &numbers) {
    case 0...2: "{\"event\":\"tap\",\(canvas),\"at\":1}"
    case 3: "{\"event\":\"select\",\(canvas),\"at\":2}"
    case 4: "{\"event\":\"recordStart\",\"take\":\"t\(writer)\",\"replace\":true,\"at\":3}"
    case 5: "{\"event\":\"recordDiscard\",\"at\":4}"
    case 6: "{\"event\":\"importClip\",\(canvas),\"clip\":{\"path\":\"\(writer).mp4\"},\"replace\":true,\"at\":5}"
    case 7: "{\"event\":\"moveCanvas\",\(canvas),\"to\":\(Int.random(in: 0...3, using: &numbers)),\"at\":6}"
    case 8: "{\"event\":\"undo\",\"at\":7}"
    default: "{\"event\":\"redo\",\"at\":8}"
    }
  }

  @Test("Of two concurrent changes to one revision, one succeeds and the other is refused", .enabled(if: Scope.isFull))
  func ifRevision() async throws {
    let board = try await TestBoard()
    for revision in 0..<10 {
      async let one = board.run("tap", "c1", "--if-revision", "\(revision)")
      async let other = board.run("tap", "c2", "--if-revision", "\(revision)", "--json")
      let results = try await [one, other]
      #expect(results.map(\.exitStatus).sorted() == [0, 4])
      let told = try #require(results.first { $0.exitStatus == 4 })
      #expect(told.text.isEmpty)
      #expect(told.errorOutput.contains("has revision \(revision + 1), not \(revision); nothing was changed"))
      #expect(try board.record.revision == revision + 1)
    }
  }
}

/// A flag that one task sets and others read.
private final class Flag: Sendable {
  let value = Atomic(false)
}

/// Runs a closure on its own thread, because these readers never yield.
private struct Thread {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func start() {
    let box = Unmanaged.passRetained(Box(body))
    var thread = pthread_t()
    let error = pthread_create(
      &thread,
      nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      },
      box.toOpaque()
    )
    precondition(error == 0, "a thread can be made")
    pthread_detach(thread)
  }

  private final class Box: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
