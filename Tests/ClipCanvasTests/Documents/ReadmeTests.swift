import Glibc
import Subprocess
import SystemPackage
import TestSupport
import Testing

@Suite("README")
struct ReadmeTests {
  private static func text() throws -> String {
    String(decoding: try ScratchFolder.read(ProjectFolder.top.appending("README.md")), as: UTF8.self)
  }

  /// Runs the examples in order in a folder, and returns those with different output.
  private func differences(_ examples: [ConsoleExample], in folder: FilePath) async throws -> [String] {
    let path = getenv("PATH").map { ":" + String(cString: $0) } ?? ""
    let environment: Environment = .inherit.updating([
      "PATH": ProjectFolder.programs.string + path, "COLUMNS": "80", "CLIPCANVAS_BOARD": "",
    ])
    var differences: [String] = []
    for example in examples {
      let result = try await Program.run(
        .name("bash"),
        ["-c", "exec 2>&1\n\(example.command)"],
        in: folder,
        environment: environment,
        printsOtherJSON: example.command.contains("jq ")
      )
      let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      // A final newline leaves an empty last element.
      if !example.prints(lines.last == "" ? lines.dropLast() : lines) {
        differences.append("line \(example.line), $ \(example.command)\n\(result.text)")
      }
    }
    return differences
  }

  @Test("The examples, run in order in the top folder, print the documented output", .timeLimit(.minutes(5)))
  func examples() async throws {
    let scratch = try ScratchFolder()
    try #require(symlink(ProjectFolder.fixtures.string, scratch("Fixtures").string) == 0)
    let examples = ConsoleExample.all(in: try Self.text())
    #expect(examples.count >= 20)
    let differences = try await differences(examples, in: scratch.path)
    #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
  }

  @Test("An outdated example is detected")
  func drift() async throws {
    let text = """
      Words, and a list:

          $ echo one
          two
          $ printf 'one\\ntwo\\n' |
              tail -1
          two
          $ echo one

      - in a list

            $ true
            one
          $ echo one >&2
          one

      ```
      $ echo '7 clips; 0.1 s, 20 per second'
      7 clips; 12.5 s, 3 per second
      $ echo '7 clips; 0.1 s, 20 per second'
      8 clips; 0.1 s, 20 per second
      $ echo 'one '
      one
      $ printf 'one\\n\\n'
      one
      ```
      """
    let scratch = try ScratchFolder()
    let differences = try await differences(ConsoleExample.all(in: text), in: scratch.path)
    let lines = differences.map { $0.prefix { $0 != "," } }
    #expect(lines == ["line 3", "line 8", "line 12", "line 20", "line 22", "line 24"])
  }

  @Test("The board of `make demo` has a picture of a take, and is not left locked")
  func demo() async throws {
    let scratch = try ScratchFolder()
    try #require(mkdir(scratch("clips").string, 0o755) == 0)
    for name in ["1080p.mp4", "vp9.webm"] {
      try ScratchFolder.write(try ScratchFolder.read(ProjectFolder.fixture(name)), to: scratch("clips").appending(name))
    }
    let board = scratch("board.json").string
    let program = ProjectFolder.program("clipcanvas").string
    let made = try await Program.runTool(
      "make",
      [
        "-C", ProjectFolder.top.string, "--no-print-directory", "demo-board", "DEMO=\(scratch.path)",
        "DEMO_PROGRAM=\(program)", "DEMO_CLIPS=1080p.mp4 vp9.webm",
      ]
    )
    #expect(made.exitStatus == 0 && made.text.contains("recording"), "\(made.text)\(made.errorOutput)")
    #expect(ProjectFolder.isThere(scratch("board.png")))
    let tap = try await Program.run("clipcanvas", ["board", "tap", "c1", "--board", board])
    #expect(tap.exitStatus == 0, "\(tap.errorOutput)")
  }

  @Test("The README has at most 250 lines, and its pictures and the files it mentions exist")
  func links() throws {
    let text = try Self.text()
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 250)
    let pictures = text.matches(of: /!\[[^\]]+\]\(([^)]+)\)/).map { String($0.output.1) }
    let files = text.matches(of: /`(Sources\/[^`]+|[A-Z]+\.md|LICENSE)`/).map { String($0.output.1) }
    #expect(!pictures.isEmpty && files.contains("CHANGELOG.md"))
    for file in pictures + files {
      #expect(ProjectFolder.isThere(ProjectFolder.top.appending(file)), "\(file)")
    }
  }
}
