import Glibc
import SystemPackage
import TestSupport

/// A live board in tmux, which provides the terminal and reports its contents.
///
/// Each test has its own tmux server, with a socket in the test's folder.
final class TmuxScreen: Sendable {
  let folder: ScratchFolder
  private let socket: String

  /// How long an operation may take on a busy machine.
  private static let patience = Duration.seconds(60)

  static let isThere: Bool = {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/tmux", X_OK) == 0 }
  }()

  /// Starts `clipcanvas live --debug` for `board.json` in the folder, in a shell.
  init(
    _ folder: ScratchFolder,
    columns: Int = 100,
    rows: Int = 30,
    environment: [String: String] = [:]
  ) async throws {
    self.folder = folder
    socket = folder("tmux.socket").string
    let shell = ["/bin/sh"]
    try await tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", folder.path.string]
        + ["-e", "COLORTERM=truecolor", "-e", "NO_COLOR=", "-e", "CLIPCANVAS_BOARD="]
        + environment.flatMap { ["-e", "\($0)=\($1)"] } + shell
    )
    try await wait("the shell") { $0.text.contains { !$0.isWhitespace } }
    // The quotes keep the typed text from being mistaken for the prompt.
    try await type("PS1='rea''dy> '")
    try await keys("Enter")
    try await wait("ready>")
    let program = ProjectFolder.program("clipcanvas").string
    try await type("\(program) board live --debug")
    try await keys("Enter")
    try await wait("the board") { $0.hasCounters }
  }

  deinit {
    let command: [String] = ["tmux", "-S", socket, "kill-server"]
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var pid: pid_t = 0
    if posix_spawnp(&pid, "tmux", nil, nil, &words, environ) == 0 { _ = waitpid(pid, nil, 0) }
    for word in words { free(word) }
  }

  @discardableResult
  func tmux(_ arguments: [String]) async throws -> String {
    let result = try await Program.runTool("tmux", ["-S", socket] + arguments)
    guard result.exitStatus == 0 else { throw TmuxError(description: result.errorOutput) }
    return result.text
  }

  /// Sends keys by their tmux names.
  func keys(_ names: String...) async throws { try await tmux(["send-keys"] + names) }

  /// Sends literal text.
  func type(_ text: String) async throws { try await tmux(["send-keys", "-l", text]) }

  /// Sends bytes as a terminal would.
  func send(_ bytes: String) async throws {
    try await tmux(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
  }

  func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the contents of the screen.
  ///
  /// tmux may process a frame in several parts. The live board erases its counters first and writes them last, so a
  /// screen without counters is incomplete and is captured again.
  func screen() async throws -> Screen {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      // A single call captures both at the same time.
      let answer = try await tmux(["capture-pane", "-p", ";", "display-message", "-p", "#{alternate_on}"])
      let lines = answer.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let screen = Screen(text: lines.dropLast().map { "\($0)\n" }.joined())
      // The shell uses the main screen, and the live board the alternate screen.
      if lines.last == "0" || screen.hasCounters { return screen }
      guard ContinuousClock.now < deadline else {
        throw TmuxError(description: "the screen has stayed half drawn:\n\(screen.text)")
      }
      try await pause(.milliseconds(5))
    }
  }

  /// Returns the contents of the screen with escape sequences for colours.
  func colouredScreen() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]) }

  /// Waits until the screen contains a text.
  @discardableResult
  func wait(_ text: String) async throws -> Screen {
    try await wait(text) { $0.text.contains(text) || $0.words.contains(text) }
  }

  /// Waits until the screen satisfies a condition.
  @discardableResult
  func wait(_ what: String, _ holds: (Screen) throws -> Bool) async throws -> Screen {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      let screen = try await screen()
      if try holds(screen) { return screen }
      guard ContinuousClock.now < deadline else {
        throw TmuxError(description: "waited in vain for '\(what)'; the screen is:\n\(screen.text)")
      }
      try await pause(.milliseconds(20))
    }
  }
}

struct TmuxError: Error, CustomStringConvertible {
  let description: String
}

/// The contents of a screen.
struct Screen {
  let text: String

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// The text without line breaks and counters, for messages of several lines.
  var words: String {
    lines.filter { !$0.hasPrefix(" cells ") }.flatMap { $0.split(separator: " ") }.joined(separator: " ")
  }

  /// The number of cells, counted by their corners.
  var cells: Int { text.count { "┌┏".contains($0) } }

  /// The number of cells with a selection border.
  var selectedCells: Int { text.count { $0 == "┏" } }

  /// The ID of the canvas with the cursor.
  var cursor: String? { word(after: "▸") }

  /// Whether the screen contains at least the beginning of the counter line.
  var hasCounters: Bool { lines.contains { $0.hasPrefix(" cells ") } }

  /// The counters shown by `--debug`.
  struct Counters {
    let cells: Int
    let registrations: Int
    /// The number of cells drawn in total.
    let drawn: Int
    /// The number of cells drawn by the last change.
    let lastDrawn: Int
    /// The number of times that the header was drawn.
    let headers: Int

    /// Whether every visible cell observes the six keys of its canvas and the mode, the header observes its six keys,
    /// and nothing else is observed.
    var areExact: Bool { registrations == 7 * cells + 6 }
  }

  /// The counters; `nil` if their line is not there or cut off.
  var counters: Counters? {
    guard let line = lines.last(where: { $0.contains("registrations") }) else { return nil }
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 5 else { return nil }
    return Counters(
      cells: numbers[0],
      registrations: numbers[1],
      drawn: numbers[2],
      lastDrawn: numbers[3],
      headers: numbers[4]
    )
  }

  func word(after mark: Character) -> String? {
    guard let start = text.firstIndex(of: mark) else { return nil }
    return text[text.index(after: start)...].split { $0 == " " || $0 == "\n" }.first.map(String.init)
  }
}
