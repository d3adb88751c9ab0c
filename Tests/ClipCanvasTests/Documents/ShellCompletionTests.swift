import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Tab in real shells, in a folder where every name that a shell is given would run a command if it were expanded.
@Suite("Tab in a shell", .ownThread)
struct ShellCompletionTests {
  private let scratch: ScratchFolder
  private let folder: FilePath

  init() async throws {
    scratch = try ScratchFolder()
    folder = scratch("folder")
    for name in ["folder", "scripts", "programs"] { try FilePath.makeFolder(scratch(name)) }
  }

  /// Texts that run a command if they are expanded by a shell.
  private static let texts = [
    "$(touch ran-1)", "`touch ran-2`", ";touch ran-3;", "${x:-$(touch ran-4)}", "<(touch ran-5)", "*(e:'touch ran-6':)",
    "$((a[$(touch ran-7)]))", "'$(touch ran-8)'", "\"$(touch ran-9)\"", "(touch ran-10)", "%{$(touch ran-11)%}",
    "a:$(touch ran-12)", "~/$(touch ran-13)", "|touch ran-14", "&& touch ran-15", "\\$(touch ran-16)",
    "$'`touch ran-17`'", "a\t$(touch ran-18)", "=(touch ran-19)", "{a,$(touch ran-20)}", "-$(touch ran-21)",
    "\u{202E}$(touch ran-22)", "!touch ran-23", "#`touch ran-24`", "~[$(touch ran-25)]", "[[ $(touch ran-26) ]]",
  ]

  /// Writes the completion script of a shell, as `make release` writes it for installation.
  private func script(_ shell: Shell) async throws -> FilePath {
    let result = try await Program.run("clipcanvas", ["--generate-completion-script", shell.rawValue])
    try #require(result.exitStatus == 0)
    return try scratch.write(result.output, as: "scripts/_clipcanvas")
  }

  /// Writes a program `clipcanvas` that completes every word with the given ones and prints a message too.
  private func replaceProgram(offering words: [String]) throws -> FilePath {
    try scratch.write((words.joined(separator: "\n") + "\n").utf8, as: "words")
    let program = try scratch.write(
      """
      #!/bin/sh
      cat '\(scratch("words"))'
      [ "$SAP_SHELL" != zsh ] || echo ' '
      echo 'a message' >&2

      """.utf8,
      as: "programs/clipcanvas"
    )
    try #require(program.withPlatformString { chmod($0, 0o755) } == 0)
    return scratch("programs")
  }

  /// Writes files and folders whose names run commands.
  private func writeFiles() throws {
    for (number, text) in Self.texts.enumerated() {
      // A slash would separate folders.
      let name = text.replacing("/", with: "")
      try scratch.write([], as: "folder/\(name).\(["mp4", "json", "html"][number % 3])")
      try FilePath.makeFolder(folder.appending("\(name) folder"))
      try FilePath.makeFolder(folder.appending("\(name) folder").appending(name))
    }
    try scratch.write([], as: "folder/a\n$(touch ran-line)\n.json")
  }

  /// Checks that no command was run, neither in the folder nor in a folder below.
  private func checkNothingRan(_ answers: [Shell.Answer], _ lines: [String]) throws {
    for folder in [folder, scratch("scripts"), scratch.path] {
      #expect(try ScratchFolder.names(in: folder).filter { $0.hasPrefix("ran-") } == [])
    }
    for (line, answer) in zip(lines, answers) {
      for word in ["a message", "rror", "not found", "bad ", "nvalid", "no such"] {
        #expect(!answer.screen.contains(word), "\(line): \(answer.screen)")
      }
    }
  }

  /// A line to complete, and by what.
  private struct Line {
    let text: String
    let completion: CommandHelp.Argument.Completion
  }

  /// Returns a line for every completion function: each subcommand, the flags and the words of each command, and the
  /// value of each option.
  private func lines() async throws -> [Line] {
    var lines: [Line] = []
    func add(_ command: CommandHelp, _ path: String) {
      lines.append(Line(text: "\(path) -", completion: .none))
      var words = path + " "
      for argument in command.arguments ?? [] {
        switch argument.kind {
        case "positional":
          lines.append(Line(text: words, completion: argument.completion))
          words += "x "
        case "option":
          guard let name = argument.names?.max(by: { $0.name.count < $1.name.count }) else { continue }
          let option = (name.kind == "long" ? "--" : "-") + name.name
          lines.append(Line(text: "\(path) \(option) ", completion: argument.completion))
        default: break
        }
      }
      for subcommand in command.subcommands ?? [] { add(subcommand, "\(path) \(subcommand.commandName)") }
    }
    add(try await CommandHelp.ofProgram(), "clipcanvas")
    return lines
  }

  /// Returns the lines for a shell: in the short form, of those with the same kind of words only some.
  private func lines(for shell: Shell) async throws -> [String] {
    let all = try await lines()
    #expect(all.filter { $0.completion == .custom }.count >= 11)
    if LongForm.isWanted { return all.map(\.text) }
    // fish asks its conditions one after another, which takes a while.
    let count = shell == .fish ? 2 : 40
    let kinds: [CommandHelp.Argument.Completion] = [.none, .list, .file, .directory]
    let some = kinds.flatMap { kind in all.filter { $0.completion == kind }.prefix(count) }
    return (all.filter { $0.completion == .custom } + some).map(\.text)
  }

  @Test("bash, zsh and fish are tested", .enabled(if: Shell.here.count == Shell.allCases.count, Shell.absence))
  func shells() {
    #expect(Shell.here == [.bash, .zsh, .fish])
  }

  @Test(
    "No word, file or folder that is offered is expanded, and no message is shown",
    .enabled(if: Scope.isFull),
    arguments: Shell.here
  )
  func expansion(_ shell: Shell) async throws {
    try writeFiles()
    let programs = try replaceProgram(offering: Self.texts + ["c1", ""])
    let typed = ["$", "\\$", "'$", "\"\\$", "c", "'c", "%", "-"]
    var lines = try await lines(for: shell)
    for start in ["clipcanvas board tap ", "clipcanvas cover ", "clipcanvas batch -o "] {
      lines += typed.map { start + $0 }
    }
    let answers = try await shell.pressTab(after: lines, try await script(shell), programs: programs, in: folder)
    try checkNothingRan(answers, lines)
    // The words were offered.
    let listed = try #require(zip(lines, answers).first { $0.0 == "clipcanvas board tap " }).1.screen
    #expect(listed.contains("c1"))
    if shell != .bash { #expect(listed.contains("$(touch ran-1)")) }
    #expect(try #require(zip(lines, answers).first { $0.0 == "clipcanvas cover " }).1.screen.contains("ran-1"))
  }

  /// The kinds of boards whose canvases are not offered.
  enum Board: CaseIterable {
    case named, large, damaged, pipe, folder, link, missing

    func write(in scratch: ScratchFolder) throws {
      let path = scratch("folder/board.json")
      func canvases(_ names: [String]) -> String {
        let elements = names.map { name in
          """
          {"cover": {"state": "none"}, "id": \(name), "isSelected": false, "status": "noPreview",
          "region": {"height": 1, "width": 1, "x": 0, "y": 0}}
          """
        }
        return """
          {"canvases": [\(elements.joined(separator: ","))], "history": [], "revision": 0, "schemaVersion": 1,
          "session": "idle"}
          """
      }
      switch self {
      case .named:
        let names = (0..<10_000).map { #""\#($0)$(touch ran-b)`touch ran-b`;touch ran-b;\n\u0000\u202e""# }
        try ScratchFolder.write(canvases(names + [#""c1""#]).utf8, to: path)
      case .large: try ScratchFolder.write(canvases((0..<100_000).map { "\"c\($0)\"" }).utf8, to: path)
      case .damaged: try ScratchFolder.write(canvases([#""c1""#, "7"]).utf8, to: path)
      case .pipe: try #require(path.withPlatformString { mkfifo($0, 0o600) } == 0)
      case .folder: try FilePath.makeFolder(path)
      case .link: try #require(path.withPlatformString { symlink("board.json", $0) } == 0)
      case .missing: break
      }
    }
  }

  @Test(
    "A board that cannot be read offers nothing and prints nothing",
    .enabled(if: Scope.isFull),
    arguments: Shell.here,
    Board.allCases
  )
  func boards(_ shell: Shell, _ board: Board) async throws {
    try board.write(in: scratch)
    let lines = ["clipcanvas board tap c", "clipcanvas board next --canvas c"]
    let script = try await script(shell)
    let answers = try await shell.pressTab(after: lines, script, programs: ProjectFolder.programs, in: folder)
    try checkNothingRan(answers, lines)
    for (line, answer) in zip(lines, answers) {
      #expect(!answer.screen.contains(/c[0-9]/), "\(answer.screen)")
      #expect(answer.seconds < 10, "\(line) \(answer.seconds)")
    }
  }

  @Test("A board that another process is changing offers its canvases", arguments: Shell.here)
  func locked(_ shell: Shell) async throws {
    let made = try await Program.run("clipcanvas", ["board", "new", "--canvases", "1"], in: folder)
    try #require(made.exitStatus == 0)
    let lock = try FileDescriptor.open(scratch("folder/.board.json.lock"), .readWrite, options: .closeOnExec)
    defer { try? lock.close() }
    try #require(flock(lock.rawValue, LOCK_EX) == 0)
    let script = try await script(shell)
    let lines = ["clipcanvas board tap "]
    let answers = try await shell.pressTab(after: lines, script, programs: ProjectFolder.programs, in: folder)
    #expect(answers[0].screen.contains("tap c1"))
  }
}
