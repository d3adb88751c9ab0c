import SystemPackage
import TestSupport
import Testing

@Suite("Mistakes on the command line get a message with a correction")
struct CommandLineTests {
  /// A command line, and the first line of the message.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let line: String
    let message: String
    var status = 64

    init(_ line: String, _ message: String, status: Int = 64) {
      (self.line, self.message, self.status) = (line, message, status)
    }

    var testDescription: String { line }
  }

  static let mistakes = [
    Mistake("covr x.mp4", "no command 'covr'; did you mean 'cover'?"),
    Mistake("help bord", "no command 'bord'; did you mean 'board'?"),
    Mistake("tap c1", "no command 'tap'; did you mean 'board tap'?"),
    Mistake("board record strat", "no command 'board record strat'; did you mean 'board record start'?"),
    Mistake("xyzzy", "no command 'xyzzy'"),
    Mistake(".", "no command '.'; to make covers of the clips in that folder: 'clipcanvas batch .'"),
    Mistake("/dev/null", "no command '/dev/null'; to make its cover: 'clipcanvas cover /dev/null'"),
    Mistake("cover -x.mp4", "'-x.mp4' looks like an option: write ./-x.mp4"),
    Mistake("cover -dash.mp4", "'-dash.mp4' looks like an option: write ./-dash.mp4"),
    Mistake("cover a.mp4 --x.mp4", "'--x.mp4' looks like an option: write ./--x.mp4"),
    Mistake("remux - -o a.mp4", "'remux' cannot read standard input: save the clip in a file first"),
    Mistake(
      "cover http://example.org/x.mp4",
      "'http://example.org/x.mp4' is a URL: URLs are not supported; use the path of a file"
    ),
    Mistake("cover --at -5 x.mp4", "'-5' is not a time: times cannot be negative"),
    Mistake("cover --at 5x x.mp4", "'5x' is not a time: use 2.5, 1m30s, 1:02:03, 50%, key:50%, first or best"),
    Mistake("cover --at 10:99 x.mp4", "'10:99' is not a time: minutes and seconds after a colon go up to 59"),
    Mistake("cover --at 1:60:00 x.mp4", "'1:60:00' is not a time: minutes and seconds after a colon go up to 59"),
    Mistake("cover --at 150% x.mp4", "'150%' is not a time: percentages go up to 100%"),
    Mistake("cover --at key:100.5% x.mp4", "'key:100.5%' is not a time: percentages go up to 100%"),
    Mistake("cover --at=-5% x.mp4", "'-5%' is not a time: times cannot be negative"),
    Mistake(
      "cover --at 5,,6 x.mp4",
      "one of the times in '5,,6' is empty: use 2.5, 1m30s, 1:02:03, 50%, key:50%, first or best"
    ),
    Mistake("sheet --at 5,,6 x.mp4", "one of the times in '5,,6' is empty: use 2.5, 1m30s, 1:02:03, 50% or first"),
    Mistake("cover --size -5 x.mp4", "'-5' is not a size"),
    Mistake("batch -", "a batch reads no clip from standard input; '--files-from -' reads a list of clips"),
    Mistake("similar -", "'similar' reads no clip from standard input; '--files-from -' reads a list of clips"),
    Mistake("similar", "specify folders, clips or reports, or a list of clips with '--files-from'"),
    Mistake("similar --distance 20 .", "'--distance' takes a number from 0 to 15, not '20'"),
    Mistake("board serve --listen 9123", "'9123' is not an address with a port, such as 127.0.0.1:8427"),
    Mistake("board can show", "'show' is not a command that changes the board: use tap, select"),
    Mistake("cover --at key: x.mp4", "'key:' is not a time: use key:2.5, key:1m30s, key:1:02:03 or key:50%"),
    Mistake("sheet --theme red x.mp4", "'red' is not a value of '--theme': use light or dark"),
    Mistake("cover --embedded yes x.mp4", "'yes' is not a value of '--embedded': use never, fallback or prefer"),
    Mistake("storyboard -o - x.mp4", "'-o' takes a folder, not standard output"),
    Mistake("remux x.mp4 -o copy", "'-o copy' is not the name of a video: use .mp4, .m4v, .mov, .mkv or .webm"),
    Mistake("cover --siz 3 x.mp4", "unknown option '--siz'; did you mean '--size'?"),
    Mistake("cover", "missing expected argument '<clip> ...'"),
    Mistake("cover --size", "missing value for '--size <WxH|N>'"),
    Mistake("board tap c1 c2", "unexpected argument 'c2'"),
    Mistake("cover --at key:-5% x.mp4", "'key:-5%' is not a time: times cannot be negative"),
    Mistake("cover --at key:first x.mp4", "'key:first' is not a time: use key:2.5, key:1m30s, key:1:02:03 or key:50%"),
    Mistake(
      "cover --at 1 --at 5 x.mp4",
      "'--at' can be given only once: separate the times with commas, as in --at 10%,50%"
    ),
    Mistake(
      "batch --at 1,5 .",
      "'--at' takes one time in a batch; 'clipcanvas cover' makes several covers of a clip"
    ),
    Mistake("batch --interval 5s .", "'--interval' is for storyboards: add '--storyboard'"),
    Mistake("batch --sheet --tile 5x5 .", "'--tile' is for storyboards: add '--storyboard'"),
    Mistake("batch --width 320 .", "'--width' is for storyboards: add '--storyboard'"),
    Mistake("batch --layout webvtt .", "'--layout' is for storyboards: add '--storyboard'"),
    Mistake("batch --no-cover --sheet --size 300 .", "'--size' is for covers: leave out '--no-cover'"),
    Mistake("batch --no-cover --sheet --fill 300 .", "'--fill' is for covers: leave out '--no-cover'"),
    Mistake("batch --no-cover --sheet --at 50% .", "'--at' is for covers: leave out '--no-cover'"),
    Mistake("cover --at 1,5 -o k.png a.mp4", "'-o k.png' is one file for 2 covers; write k.png/ if it is a folder"),
    Mistake(
      "cover --timeout 5x x.mp4",
      "'--timeout' takes a duration from 1 to 86400 whole seconds, such as 30, 90s or 10m, not '5x'"
    ),
    Mistake(
      "board wait --for session=idle --timeout 5x",
      "'--timeout' takes a duration from 0 to 1000000000 seconds, such as 2.5, 90s or 10m, not '5x'"
    ),
    Mistake(
      "board export --length 5x -o x.mp4",
      "'5x' is not a length: use longest, shortest, or a duration up to a day, such as 15, 90s or 10m"
    ),
    Mistake(
      "batch --gallery covers.txt .",
      "'--gallery covers.txt': a gallery is an HTML page; use a name that ends in .html"
    ),
    Mistake("board serve --port 8080", "unknown option '--port'; use '--listen :8080'"),
    Mistake("board serve --port=x", "unknown option '--port'; use '--listen :8427'"),
    Mistake("cover --stream v:0 x.mp4", "'--stream' takes the number of a stream, from 0, not 'v:0'"),
    Mistake("cover -o k.png a.mp4 b.mp4", "'-o k.png' is one file for 2 covers; write k.png/ if it is a folder"),
    Mistake("batch -j abc .", "'--jobs' takes a number from 1 to 256, not 'abc'"),
    Mistake("batch -r .", "folders are always searched recursively: leave out '-r'"),
    Mistake("board new --grid 0x3", "'0x3' is not a grid: use columns x rows, such as 3x2, with at most 10000"),
    Mistake("board can jump c1", "'jump c1' is not a command that changes the board: use tap, select"),
    Mistake("board can tap", "missing expected argument '<canvas>'"),
  ]

  @Test(
    "The message names the mistake and the remedy, and the usage is that of the command",
    .enabled(if: Scope.isFull),
    arguments: mistakes
  )
  func mistake(_ mistake: Mistake) async throws {
    let scratch = try ScratchFolder()
    let arguments = mistake.line.split(separator: " ").map(String.init)
    let result = try await Program.run("clipcanvas", arguments, in: scratch.path)
    #expect(result.exitStatus == mistake.status && result.text.isEmpty)
    let lines = result.errorOutput.split(separator: "\n")
    #expect(lines.first?.hasPrefix("clipcanvas: \(mistake.message)") == true, "\(result.errorOutput)")
    #expect(lines.last?.contains("--help' for more information") == true, "\(result.errorOutput)")
    // A value is printed once.
    let value = arguments.last { mistake.message.contains("'\($0)' is not a time") }
    if let value {
      #expect(result.errorOutput.split(separator: "'\(value)'", omittingEmptySubsequences: false).count == 2)
    }
    #expect(try scratch.names().isEmpty)
  }

  @Test(
    "An empty argument, as from a shell variable that is not set",
    .enabled(if: Scope.isFull),
    arguments: [["cover", ""], ["batch", "-o", "", "."]]
  )
  func empty(_ arguments: [String]) async throws {
    let scratch = try ScratchFolder()
    let result = try await Program.run("clipcanvas", arguments, in: scratch.path)
    #expect(result.exitStatus == 64)
    #expect(result.errorOutput.hasPrefix("clipcanvas: the value of '"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("' is empty\n"), "\(result.errorOutput)")
  }

  @Test("A duration has the same forms in every option", .enabled(if: Scope.isFull), arguments: ["1", "1s", "0:01"])
  func durations(_ duration: String) async throws {
    let scratch = try ScratchFolder()
    let (clip, quiet) = (ProjectFolder.fixture("h264.mp4").string, ["--json", "--force"])
    for command in [
      ["cover", "--timeout", duration, "-o", "a.png", clip] + quiet,
      ["remux", "--timeout", duration, "-o", "a.mkv", clip] + quiet,
      ["storyboard", "--interval", duration, "-o", "s", clip],
      ["animate", "--segment-length", duration, "-o", "a.gif", clip],
      ["board", "new", "--grid", "1x1"],
      ["board", "tap", "--lock-timeout", duration, "c1"],
      ["board", "wait", "--timeout", duration, "--for", "session!=idle"],
    ] {
      let result = try await Program.run("clipcanvas", command, in: scratch.path)
      #expect(result.exitStatus == 0, "\(command): \(result.errorOutput)")
    }
  }

  @Test("A folder, a pattern without matches, and an unknown canvas")
  func names() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("valid"))
    func message(_ arguments: String...) async throws -> String {
      try await Program.run("clipcanvas", arguments, in: scratch.path).errorOutput
    }
    #expect(try await message("cover", "valid") == "'valid' is a folder: use 'clipcanvas batch valid'\n")
    #expect(try await message("cover", "*.mkv") == "no file matches '*.mkv'\n")
    for (command, option) in [("sheet", "--sheet"), ("animate", "--animate"), ("storyboard", "--storyboard")] {
      let batch = "'clipcanvas batch --no-cover \(option) valid'"
      #expect(try await message(command, "valid") == "'valid' is a folder: use \(batch)\n")
    }
    #expect(try await message("probe", "valid") == "valid: it is a folder; specify the clips in it\n")
    #expect(try await message("board", "new") == "")
    #expect(try await message("board", "tap", "C1") == "clipcanvas: no canvas 'C1'; this board has c1, c2, c3, c4\n")
  }

  @Test("Alone, the program prints what it is, examples and the two groups of commands, in 80 columns")
  func frontPage() async throws {
    let page = try await Program.run("clipcanvas", [])
    #expect(page.exitStatus == 0 && page.errorOutput.isEmpty)
    for words in ["clipcanvas cover ", "clipcanvas board new", "Clip commands:", "Board commands:", "  probe "] {
      #expect(page.text.contains(words))
    }
    #expect(page.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("The version is printed by three commands")
  func version() async throws {
    let outputs = [
      try await Program.run("clipcanvas", ["--version"]).text, try await Program.run("clipcanvas", ["-V"]).text,
      try await Program.run("clipcanvas", ["version"]).text,
    ]
    #expect(outputs[0].hasPrefix("clipcanvas ") && Set(outputs).count == 1)
  }
}
