import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport

/// A board in a scratch folder, changed by the real program.
struct TestBoard {
  let scratch: ScratchFolder
  let path: FilePath

  init(canvases: Int = 4) async throws {
    scratch = try ScratchFolder()
    path = scratch("board.json")
    try await done("new", "--canvases", "\(canvases)")
  }

  /// Uses another path for a board, without creating it.
  init(at path: FilePath, in scratch: ScratchFolder) {
    (self.path, self.scratch) = (path, scratch)
  }

  /// Returns the arguments between `board` and `--board` with the path.
  func arguments(_ arguments: [String]) -> [String] { ["board"] + arguments + ["--board", path.string] }

  func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", self.arguments(arguments), environment: environment)
  }

  /// Runs a command that must exit with status 0, and returns its output.
  @discardableResult
  func done(_ arguments: String...) async throws -> String {
    let result = try await Program.run("clipcanvas", self.arguments(arguments))
    guard result.exitStatus == 0 else { throw NotDone(arguments: arguments, result: result) }
    return result.text
  }

  /// Sends lines to the standard input of a command such as `apply` or `simulate`.
  func send(_ lines: String, to arguments: String...) async throws -> ProgramResult {
    try await Program.run("clipcanvas", self.arguments(arguments), input: lines)
  }

  /// Runs a command under strace.
  ///
  /// - Returns: The result of the command and the lines of strace's log without process IDs.
  func trace(_ arguments: [String], _ options: [String] = []) async throws -> (result: ProgramResult, calls: [String]) {
    let log = scratch("strace.log")
    let result = try await Program.runTool(
      "strace",
      ["-f", "-qq", "-a1", "-s", "1000000", "-o", log.string] + options + [ProjectFolder.program("clipcanvas").string]
        + self.arguments(arguments)
    )
    let lines = String(decoding: try ScratchFolder.read(log), as: UTF8.self).split(separator: "\n")
    _ = log.withPlatformString { unlink($0) }
    return (result, lines.map { String($0.drop { $0.isNumber }.drop { $0 == " " }) })
  }

  /// Sends a tap to a program that strace attaches to while it waits for standard input.
  ///
  /// strace counts the calls of each thread separately. From then on only one thread makes calls, starting with those of
  /// the commit, so the number of a call means the same in every run.
  func traceCommit(_ options: [String] = []) async throws -> (result: ProgramResult, calls: [String]) {
    let log = scratch("strace.log")
    let result = try await Program.runTool(
      "bash",
      ["-c", Self.watching, "-", path.string, log.string, ProjectFolder.program("clipcanvas").string] + options
    )
    let lines = String(decoding: try ScratchFolder.read(log), as: UTF8.self).split(separator: "\n")
    _ = log.withPlatformString { unlink($0) }
    return (result, lines.map { String($0.drop { $0.isNumber }.drop { $0 == " " }) })
  }

  private static let watching = #"""
    board=$1 log=$2 program=$3; shift 3
    mkfifo "$log.fifo"
    "$program" board apply --board "$board" < "$log.fifo" & pid=$!
    exec 3> "$log.fifo"
    rm "$log.fifo"
    until grep -qs '^0 0x0 ' /proc/$pid/task/*/syscall; do sleep 0.005; done
    strace -f -qq -a1 -s 1000000 -o "$log" "$@" -p $pid 3>&- & strace=$!
    # A call in progress when strace attaches is counted only once it has been restarted.
    until grep -qs 'read(0' "$log"; do sleep 0.005; done
    echo '{"event":"tap","canvas":"c1"}' >&3
    exec 3>&-
    wait $pid; status=$?
    wait $strace
    exit $status
    """#

  func remove() throws {
    guard path.withPlatformString({ unlink($0) }) == 0 else { throw Errno(rawValue: errno) }
  }

  var bytes: [UInt8] {
    get throws { try ScratchFolder.read(path) }
  }

  /// The document, decoded by Foundation.
  var record: BoardRecord {
    get throws { try JSONDecoder().decode(BoardRecord.self, from: Data(try bytes)) }
  }

  /// The names in the folder other than the board and its lock.
  var leftovers: [String] {
    get throws { try scratch.names().filter { $0 != "board.json" && $0 != ".board.json.lock" } }
  }

  struct NotDone: Error {
    let arguments: [String]
    let result: ProgramResult
  }
}

/// The fields of a board's document that the tests use.
struct BoardRecord: Decodable, Equatable {
  struct Canvas: Decodable, Equatable {
    struct Clip: Decodable, Equatable {
      let path: String
      let generation: Int
    }
    struct Cover: Decodable, Equatable {
      let state: String
      let path: String?
      let width: Int?
      let reason: String?
    }
    let id: String
    let isSelected: Bool
    let status: String
    let clip: Clip?
    let cover: Cover
  }
  struct Take: Decodable, Equatable {
    struct Segment: Decodable, Equatable {
      let start: Double
      let end: Double?
    }
    struct Owner: Decodable, Equatable {
      let processID: Int
      let startTicks: Int
      let bootID: String
    }
    let id: String
    let segments: [Segment]
    let interrupted: String?
    let owner: Owner?
  }
  struct Transaction: Decodable, Equatable {
    let revision: Int
  }

  let schemaVersion: Int
  let revision: Int
  let session: String
  let canvases: [Canvas]
  let take: Take?
  let history: [Transaction]
}

/// The answer of a command with `--json`.
struct AnswerRecord: Decodable {
  let outcome: String
  let revision: Int?
  let reason: String?

  init(_ line: some StringProtocol) throws {
    self = try JSONDecoder().decode(AnswerRecord.self, from: Data(line.utf8))
  }
}
