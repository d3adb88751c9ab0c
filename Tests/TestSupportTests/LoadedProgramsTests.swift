import Glibc
import Subprocess
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("Programs that stay loaded")
struct LoadedProgramsTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Runs a script in a shell that stays loaded.
  private func shell(_ script: String, _ words: [String] = []) async throws -> ProgramResult {
    let client = try #require(await LoadedPrograms.shared.client(of: "sh"))
    return try await Program.run(
      .path(client.path),
      Arguments(["-c", script, "sh"] + words),
      in: scratch.path,
      environment: Program.inherited(with: client.environment)
    )
  }

  @Test("Words, folder, files and status are those of the client")
  func same() async throws {
    let script = "pwd; printf '%s|' \"$@\"; readlink /proc/$$/fd/0; echo bad >&2; exit 3"
    let result = try await shell(script, ["a b", "", "é"])
    #expect(result.text == "\(scratch.path)\na b||é|/dev/null\n" && result.errorOutput == "bad\n")
    #expect(result.exitStatus == 3)
    #expect(try await shell("kill -TERM $$").exitStatus == 128 + Int(SIGTERM))
  }

  @Test("It is loaded once, and works for several clients at once")
  func several() async throws {
    let results = try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask { (number, try await shell("echo $PPID; sleep 0.1; echo $1", ["\(number)"]).text) }
      }
      return try await group.reduce(into: [Int: [Substring]]()) { $0[$1.0] = $1.1.split(separator: "\n") }
    }
    #expect(Set(results.values.map(\.first)).count == 1 && results.count == 8)
    for (number, lines) in results { #expect(lines.last == "\(number)") }
  }

  @Test("The work ends with its client")
  func killed() async throws {
    let client = try #require(await LoadedPrograms.shared.client(of: "sh"))
    let words = ["-c", "echo $$; exec sleep 60"]
    let run = try RunningProgram(tool: client.path.string, words, scratch: scratch, environment: client.environment)
    func process() throws -> Int32? {
      Int32(String(decoding: try ScratchFolder.read(scratch("run.out")).dropLast(), as: UTF8.self))
    }
    try await eventually("its number") { try process() != nil }
    let number = try #require(try process())
    #expect(kill(number, 0) == 0)
    run.send(SIGKILL)
    try await eventually("its end") { kill(number, 0) != 0 }
  }

  @Test("More words than a request can have are left to the program itself")
  func long() async throws {
    let word = String(repeating: "x", count: 70_000)
    #expect(try await shell("echo ${#1}", [word]).text == "70000\n")
    let words = Array(repeating: "word", count: 10_000)
    #expect(try await shell("echo $# ${10000}", words).text == "10000 word\n")
  }

  @Test("ffmpeg prints the same, and a program that is not there has no client")
  func programs() async throws {
    for name in ["ffmpeg", "ffprobe"] {
      let client = try #require(await LoadedPrograms.shared.client(of: name))
      #expect(client.path.lastComponent?.string == name)
      let loaded = try await Program.runDirectly(name, ["-v", "error", "-codecs"], in: nil)
      let executed = try await Program.run(.name(name), ["-v", "error", "-codecs"])
      #expect(loaded.output == executed.output && !loaded.output.isEmpty)
    }
    #expect(await LoadedPrograms.shared.client(of: "no-such-program") == nil)
  }
}
