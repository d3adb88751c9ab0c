import Glibc
import SystemPackage
import TestSupport

/// A board shown live in tmux, which is the terminal and the judge of what is on it.
///
/// The server is one of its own, with a socket in the test's folder, and ends with the test.
final class TmuxScreen: Sendable {
  let folder: ScratchFolder
  private let socket: String

  /// How long something may take on a machine that is busy with other things.
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
    // The quotes keep what is typed from being taken for the prompt.
    try await type("PS1='rea''dy> '")
    try await keys("Enter")
    try await wait("ready>")
    let program = ProjectFolder.program("clipcanvas").string
    try await type("\(program) live --debug")
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

  /// Sends keys by their names in tmux.
  func keys(_ names: String...) async throws { try await tmux(["send-keys"] + names) }

  /// Sends text as it is.
  func type(_ text: String) async throws { try await tmux(["send-keys", "-l", text]) }

  /// Sends bytes as a terminal would.
  func send(_ bytes: String) async throws {
    try await tmux(["send-keys", "-H"] + bytes.utf8.map { String($0, radix: 16) })
  }

  func resize(columns: Int, rows: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What is on the screen.
  ///
  /// tmux takes a frame in pieces. The live board erases its counters first and writes them last, so a screen of it
  /// without them is half drawn, and is looked at again.
  func screen() async throws -> Screen {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      // One call, so that both are of the same moment.
      let answer = try await tmux(["capture-pane", "-p", ";", "display-message", "-p", "#{alternate_on}"])
      let lines = answer.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      let screen = Screen(text: lines.dropLast().map { "\($0)\n" }.joined())
      // The shell has the usual screen, and the live board the alternate one.
      if lines.last == "0" || screen.hasCounters { return screen }
      guard ContinuousClock.now < deadline else {
        throw TmuxError(description: "the screen has stayed half drawn:\n\(screen.text)")
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  /// The same with its colours, as escape sequences.
  func colouredScreen() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]) }

  /// Waits until a text is on the screen.
  @discardableResult
  func wait(_ text: String) async throws -> Screen {
    try await wait(text) { $0.text.contains(text) }
  }

  /// Waits until something holds for the screen.
  @discardableResult
  func wait(_ what: String, _ holds: (Screen) -> Bool) async throws -> Screen {
    let deadline = ContinuousClock.now + Self.patience
    while true {
      let screen = try await screen()
      if holds(screen) { return screen }
      guard ContinuousClock.now < deadline else {
        throw TmuxError(description: "waited in vain for '\(what)'; the screen is:\n\(screen.text)")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

struct TmuxError: Error, CustomStringConvertible {
  let description: String
}

/// What is on a screen.
struct Screen {
  let text: String

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Cells, counted by their corners.
  var cells: Int { text.count { "┌┏".contains($0) } }

  /// Cells with the red border.
  var selectedCells: Int { text.count { $0 == "┏" } }

  /// The name of the canvas with the cursor.
  var cursor: String? { word(after: "▸") }

  /// Whether the line of counters is there, if only its beginning.
  var hasCounters: Bool { lines.contains { $0.hasPrefix(" cells ") } }

  /// Cells, registrations, drawn in total, drawn by the last change; as `--debug` tells.
  var counters: (cells: Int, registrations: Int, drawn: Int, lastDrawn: Int)? {
    guard let line = lines.last(where: { $0.contains("registrations") }) else { return nil }
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count == 4 ? (numbers[0], numbers[1], numbers[2], numbers[3]) : nil
  }

  func word(after mark: Character) -> String? {
    guard let start = text.firstIndex(of: mark) else { return nil }
    return text[text.index(after: start)...].split { $0 == " " || $0 == "\n" }.first.map(String.init)
  }
}
