import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("completions")
struct CompletionTests {
  private let folder: ScratchFolder

  init() async throws {
    folder = try ScratchFolder()
    for name in ["a clip.mp4", "other.json", "page.html"] { try folder.write([], as: name) }
    try FilePath.makeFolder(folder("sub"))
    let board = try await Program.run("clipcanvas", ["new", "--canvases", "3"], in: folder.path)
    try #require(board.exitStatus == 0)
  }

  /// What bash offers for the last of the words.
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

  @Test("commands are offered by their beginning")
  func commands() async throws {
    #expect(try await offers(["cov"]) == ["cover", "cover-pending"])
    #expect(try await offers(["record", "st"]) == ["start", "stop"])
  }

  @Test("clips are completed as files, boards as JSON files, folders as folders")
  func files() async throws {
    #expect(try await offers(["cover", "a"]) == ["a clip.mp4"])
    #expect(try await offers(["show", "--board", ""]) == ["board.json", "other.json", "sub"])
    #expect(try await offers(["batch", "-o", ""]) == ["sub"])
    #expect(try await offers(["batch", "--sheet", ""]) == ["page.html", "sub"])
  }

  @Test("words that an option takes are offered")
  func words() async throws {
    #expect(try await offers(["cover", "--format", ""]) == ["png", "jpeg", "webp"])
    #expect(try await offers(["live", "--pictures", "s"]) == ["symbols", "sixel"])
    #expect(try await offers(["can", "recordS"]) == ["recordStart", "recordStop"])
  }

  @Test("canvases are offered by the board's own names; a file that is no board gives none")
  func canvases() async throws {
    #expect(try await offers(["tap", ""]) == ["c1", "c2", "c3"])
    #expect(try await offers(["tap", "--board", "other.json", "c"]) == [])
  }
}
