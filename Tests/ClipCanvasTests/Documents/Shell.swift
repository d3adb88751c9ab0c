import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// A shell that runs on a terminal and completes words.
enum Shell: String, CaseIterable, CustomTestStringConvertible {
  case bash, zsh, fish

  static let here = allCases.filter(\.isHere)

  /// A message that names the shells that are not installed.
  static let absence = Comment(
    rawValue: allCases.filter { !$0.isHere }.map(\.rawValue).joined(separator: ", ") + " missing: not tested there"
  )

  var testDescription: String { rawValue }

  private var isHere: Bool {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    return path.split(separator: ":").contains { access("\($0)/\(rawValue)", X_OK) == 0 }
  }

  /// What a shell wrote for a line.
  struct Answer: Decodable {
    let screen: String
    let seconds: Double
  }

  private struct Order: Encodable {
    let shell: [String]
    let setup: [String]
    let lines: [String]
  }

  private var command: [String] {
    switch self {
    case .bash: ["bash", "--norc", "--noprofile", "-i"]
    case .zsh: ["zsh", "-f", "-i"]
    case .fish: ["fish", "--no-config", "-i"]
    }
  }

  /// Returns the lines that make the shell load a script, and list words at the first Tab without asking.
  private func setup(_ script: FilePath) -> [String] {
    let script = script.string
    return switch self {
    case .bash:
      ["bind 'set show-all-if-ambiguous on'; bind 'set completion-query-items 0'; bind 'set page-completions off'"]
        + ["source \(script)"]
    // zsh finds it by its name, as where it is installed.
    case .zsh:
      ["fpath+=(\(FilePath(script).removingLastComponent().string))"]
        + ["autoload -Uz compinit; compinit -u -D; LISTMAX=100000; unsetopt prompt_cr prompt_sp"]
    case .fish:
      ["set -g fish_autosuggestion_enabled 0; function fish_prompt; echo -n 'ready> '; end", "source \(script)"]
    }
  }

  /// Types lines, with Tab after each.
  ///
  /// - Parameters:
  ///   - lines: The lines; a line that ends in a newline is run after Tab, and any other is erased.
  ///   - script: The completion script, whose name is `_clipcanvas`.
  ///   - programs: The folder of `clipcanvas`.
  ///   - folder: The current folder.
  func pressTab(
    after lines: [String],
    _ script: FilePath,
    programs: FilePath,
    in folder: FilePath
  ) async throws -> [Answer] {
    let order = try JSONEncoder().encode(Order(shell: command, setup: setup(script), lines: lines))
    let result = try await Subprocess.run(
      .path(ProjectFolder.top.appending("Tests/ShellCompletion/press_tab.py")),
      environment: .inherit.updating([
        "PATH": "\(programs):/usr/bin:/bin", "CLIPCANVAS_BOARD": "", "HOME": script.removingLastComponent().string,
        "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
      ]),
      workingDirectory: folder,
      input: .array(Array(order)),
      output: .bytes(limit: 64 << 20),
      error: .string(limit: 1 << 20)
    )
    try #require(result.terminationStatus == .exited(0), "\(result.standardError)")
    return try JSONDecoder().decode([Answer].self, from: Data(result.standardOutput))
  }
}
