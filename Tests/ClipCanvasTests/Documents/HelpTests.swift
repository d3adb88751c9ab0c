import TestSupport
import Testing

@Suite("Help and version")
struct HelpTests {
  @Test(
    "Help fits into 80 columns",
    .enabled(if: Scope.isFull),
    arguments: [
      [], ["cover"], ["batch"], ["animate"], ["probe"], ["similar"], ["board"], ["board", "record"],
      ["board", "record", "start"],
      ["board", "clip", "import"], ["board", "can"],
      ["board", "watch"], ["board", "new"], ["board", "render"],
    ],
    ["--help", "-h"]
  )
  func width(_ command: [String], _ option: String) async throws {
    let result = try await Program.run("clipcanvas", command + [option], environment: ["COLUMNS": "80"])
    #expect(result.exitStatus == 0)
    let wide = result.text.split(separator: "\n").filter { $0.count > 80 }
    #expect(wide.isEmpty, "\(wide)")
  }

  // ArgumentParser checks this in its own debug builds only; the tests run an optimised one.
  @Test("No command has two options of one name, and the words that a command needs precede those that it does not")
  func declarations() async throws {
    let commands = try await CommandHelp.ofProgram().all
    #expect(commands.count > 50)
    for command in commands {
      let arguments = command.arguments ?? []
      let names = arguments.flatMap { $0.names ?? [] }
      #expect(Set(names).count == names.count, "\(command.commandName): \(names)")
      // Longer ones would be broken within the command, and could not be copied.
      let examples = command.discussion?.split(separator: "\n").filter { $0.hasPrefix("  ") } ?? []
      #expect(examples.allSatisfy { $0.count <= 80 }, "\(command.commandName): \(examples)")
      #expect(Set(command.subcommands?.map(\.commandName) ?? []).count == command.subcommands?.count ?? 0)
      let words = arguments.filter { $0.kind == "positional" }
      #expect(words.dropLast().allSatisfy { !$0.isRepeating }, "\(command.commandName)")
      let optional = words.drop { !$0.isOptional }
      #expect(optional.allSatisfy { $0.isOptional }, "\(command.commandName)")
    }
  }

  @Test("-h prints a short help without the paragraphs and examples of --help", .enabled(if: Scope.isFull))
  func shortHelp() async throws {
    let short = try await Program.run("clipcanvas", ["batch", "-h"]).text
    let long = try await Program.run("clipcanvas", ["batch", "--help"]).text
    #expect(long.contains("Examples:") && !short.contains("Examples:"))
    #expect(
      short.hasPrefix("Make the covers of all clips in folders, in parallel.\n\nUSAGE: clipcanvas batch")
    )
    #expect(short.contains("--files-from"))
  }

  @Test("The help of the live board names the keys for help and for leaving")
  func live() async throws {
    let words = try await Program.run("clipcanvas", ["board", "live", "--help"]).text.split { $0.isWhitespace }
    let text = words.joined(separator: " ")
    #expect(text.contains("? shows all keys") && text.contains("q quits"), "\(text)")
  }

  @Test(
    "`--timeout` says what it limits",
    .enabled(if: Scope.isFull),
    arguments: [
      (["cover"], "How long the work on one clip may take before the clip fails (default: 30 seconds)."),
      (["batch"], "How long the work on one clip may take before the clip fails (default: 30 seconds)."),
      (["storyboard"], "one sheet of a storyboard may take ten times as long."),
      (["board", "cover"], "How long the work on one clip may take before the clip fails (default: 30 seconds)."),
      (["remux"], "Stop when there has been no progress for this long (default: 30 seconds)."),
      (["board", "export"], "Stop when there has been no progress for this long (default: 30 seconds)."),
    ]
  )
  func timeout(_ command: [String], _ meaning: String) async throws {
    let words = try await Program.run("clipcanvas", command + ["--help"]).text.split { $0.isWhitespace }
    #expect(words.joined(separator: " ").contains(meaning))
  }

  @Test(
    "Completion scripts are generated for three shells",
    .enabled(if: Scope.isFull),
    arguments: ["bash", "zsh", "fish"]
  )
  func completions(_ shell: String) async throws {
    let script = try await Program.run("clipcanvas", ["--generate-completion-script", shell])
    #expect(script.exitStatus == 0)
    #expect(script.text.contains("stop-preview") && script.text.contains("if-revision"))
  }

  @Test("--version prints the versions of clipcanvas and of the libraries that pkg-config finds")
  func version() async throws {
    let result = try await Program.run("clipcanvas", ["--version"])
    #expect(result.text.hasPrefix("clipcanvas "))
    for library in ["libavformat", "libavcodec", "libavutil", "libswscale"] {
      let version = try await Program.runTool("pkg-config", ["--modversion", library])
      #expect(result.text.contains("\(library) \(version.text)"))
    }
  }

  @Test("--version prints the version of FFmpeg as ffmpeg does")
  func versionOfFFmpeg() async throws {
    let words = try await Program.runTool("ffmpeg", ["-version"]).text.split(separator: " ")
    let version = try #require(words.count > 2 ? words[2] : nil)
    let result = try await Program.run("clipcanvas", ["--version"])
    #expect(result.text.split(separator: "\n").contains("ffmpeg \(version)"), "\(result.text)")
  }

  @Test(
    "Invalid usage exits with 64",
    .enabled(if: Scope.isFull),
    arguments: [["nonsense"], ["cover"], ["cover", "--nonsense", "a.mp4"]]
  )
  func usage(_ arguments: [String]) async throws {
    let result = try await Program.run("clipcanvas", arguments)
    #expect(result.exitStatus == 64)
    #expect(result.text.isEmpty && !result.errorOutput.isEmpty)
  }

  @Test("The decoder advises a person who starts it to run clipcanvas")
  func decoderByHand() async throws {
    let result = try await Program.run("clipcanvas-decoder", [])
    #expect(result.exitStatus == 64 && result.errorOutput.contains("run clipcanvas instead"))
  }
}
