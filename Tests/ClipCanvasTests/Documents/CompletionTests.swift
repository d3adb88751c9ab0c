import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("Shell completions")
struct CompletionTests {
  private let folder: ScratchFolder

  init() async throws {
    folder = try ScratchFolder()
    for name in ["a clip.mp4", "other.json", "page.html"] { try folder.write([], as: name) }
    try FilePath.makeFolder(folder("sub"))
    let board = try await Program.run("clipcanvas", ["board", "new", "--canvases", "3"], in: folder.path)
    try #require(board.exitStatus == 0)
  }

  /// Returns the completions that bash offers for the last word.
  private func offers(_ words: [String]) async throws -> Set<String> {
    let script = """
      source <(clipcanvas --generate-completion-script bash)
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
      COMP_POINT=${#COMP_LINE}
      _clipcanvas "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try await Program.run(
      .name("bash"),
      Arguments(["-c", script, "bash", "clipcanvas"] + words),
      in: folder.path,
      environment: .inherit.updating(["PATH": "\(ProjectFolder.programs):/usr/bin:/bin", "CLIPCANVAS_BOARD": ""])
    )
    #expect(result.errorOutput.isEmpty)
    return Set(result.text.split(separator: "\n").map(String.init))
  }

  @Test("Commands are completed by prefix")
  func commands() async throws {
    #expect(try await offers(["cov"]) == ["cover"])
    #expect(try await offers(["board", "record", "st"]) == ["start", "stop"])
  }

  @Test("Clips complete to files, boards to JSON files, and output folders to folders", .enabled(if: Scope.isFull))
  func files() async throws {
    #expect(try await offers(["cover", "a"]) == ["a clip.mp4"])
    #expect(try await offers(["board", "show", "--board", ""]) == ["board.json", "other.json", "sub"])
    #expect(try await offers(["batch", "-o", ""]) == ["sub"])
    #expect(try await offers(["batch", "--gallery", ""]) == ["page.html", "sub"])
  }

  @Test("The values of an option are offered")
  func words() async throws {
    #expect(try await offers(["cover", "--format", ""]) == ["png", "jpeg", "webp"])
    #expect(try await offers(["cover", "--at", ""]) == ["first", "best", "50%", "key:50%"])
    #expect(try await offers(["board", "live", "--pictures", "s"]) == ["symbols", "sixel"])
    #expect(try await offers(["board", "can", "re"]) == ["record", "redo"])
  }

  @Test("Canvases are offered by the names on the board, and a file that is not a board gives none")
  func canvases() async throws {
    #expect(try await offers(["board", "tap", ""]) == ["c1", "c2", "c3"])
    #expect(try await offers(["board", "tap", "--board", "other.json", "c"]) == [])
  }

  /// Returns what the program prints for a word of `board tap`.
  private func words(_ typed: String, _ arguments: [String] = []) async throws -> [String] {
    let words = ["clipcanvas", "board", "tap"] + arguments + [typed]
    let result = try await Program.run(
      "clipcanvas",
      ["---completion", "board", "tap", "--", "positional@0", "\(words.count - 1)", "\(typed.utf8.count)"] + words,
      in: folder.path,
      environment: ["CLIPCANVAS_BOARD": "", "SAP_SHELL": "bash"]
    )
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty)
    return result.text.split(separator: "\n").map(String.init)
  }

  @Test(
    "Of many canvases, those are offered that start with the word, and none if they are still too many",
    .enabled(if: Scope.isFull)
  )
  func many() async throws {
    let board = try await Program.run("clipcanvas", ["board", "new", "--canvases", "1200", "--force"], in: folder.path)
    try #require(board.exitStatus == 0)
    #expect(try await words("") == [])
    #expect(try await words("c119") == ["c119"] + (1190...1199).map { "c\($0)" })
    #expect(try await words("'c119") == [])
    #expect(try await words("x") == [])
  }

  @Test("No name that is not valid is offered, whatever is in the file")
  func invalidNames() async throws {
    let text = String(decoding: try ScratchFolder.read(folder("board.json")), as: UTF8.self)
    #expect(try await words("") == ["c1", "c2", "c3"])
    for name in [
      "$(x)", "`x`", "a b", "a\\nb", "\\u0000", "\\u202ea", "a;b", "none", String(repeating: "a", count: 65),
    ] {
      try folder.write(text.replacing(#""c2""#, with: "\"\(name)\"").utf8, as: "other.json")
      #expect(try await words("", ["--board", "other.json"]) == [], "\(name)")
    }
  }

  @Test("A board that the user may not read offers nothing", .enabled(if: geteuid() == 0, "takes root"))
  func access() async throws {
    let program = try await folder.install(ProjectFolder.program("clipcanvas"), as: "clipcanvas")
    try #require(folder.path.withPlatformString { chmod($0, 0o755) } == 0)
    for (mode, offered) in [(mode_t(0o644), "c1\nc2\nc3\n"), (0o000, "")] {
      try #require(folder("board.json").withPlatformString { chmod($0, mode) } == 0)
      let result = try await Program.run(
        .name("setpriv"),
        [
          "--reuid=62001", "--regid=62001", "--clear-groups", program.string, "---completion", "board", "tap", "--",
          "positional@0", "3", "0", "clipcanvas", "board", "tap", "",
        ],
        in: folder.path,
        environment: .inherit.updating(["CLIPCANVAS_BOARD": "", "SAP_SHELL": "bash"])
      )
      #expect(result.exitStatus == 0 && result.text == offered && result.errorOutput.isEmpty, "\(mode)")
    }
  }

  @Test(
    "A script is the same in whatever form it is requested, and a shell without completions is refused",
    .enabled(if: Scope.isFull)
  )
  func requests() async throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try await Program.run("clipcanvas", ["--generate-completion-script", shell])
      #expect(script.exitStatus == 0 && script.text.contains("2>/dev/null </dev/null"))
      for request in [
        ["--generate-completion-script=\(shell)"], ["board", "--generate-completion-script", shell],
        ["board", "tap", "c1", "--generate-completion-script", shell],
      ] {
        #expect(try await Program.run("clipcanvas", request).output == script.output, "\(request)")
      }
      let detected = try await Program.run(
        "clipcanvas",
        ["--generate-completion-script"],
        environment: ["SHELL": "/bin/\(shell)"]
      )
      #expect(detected.output == script.output)
    }
    let other = try await Program.run("clipcanvas", ["--generate-completion-script", "csh"])
    #expect(other.exitStatus == 64 && other.text.isEmpty && other.errorOutput.contains("csh"))
    let clip = try await Program.run("clipcanvas", ["cover", "--", "--generate-completion-script=bash"])
    #expect(clip.exitStatus != 0 && !clip.text.contains("COMPREPLY"))
  }
}
