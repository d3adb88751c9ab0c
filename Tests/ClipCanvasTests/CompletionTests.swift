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

  @Test("Clips complete to files, boards to JSON files, and output folders to folders")
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
}
