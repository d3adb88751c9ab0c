import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("Rendering errors")
struct RenderErrorsTests {
  @Test(
    "Invalid arguments exit with status 64 and create no file",
    .enabled(if: Scope.isFull),
    arguments: [
      [], ["-o"], ["-o", "a.png", "--size", "15x90"], ["-o", "a.png", "--size", "90x15"],
      ["-o", "a.png", "--size", "0x0"],
      ["-o", "a.png", "--size", "16385x16"], ["-o", "a.png", "--size", "16384x16384"],
      ["-o", "a.png", "--size", "16384x4097"],
      ["-o", "a.png", "--size", "640"],
      ["-o", "a.png", "--size", "-640x360"], ["-o", "a.png", "--size", "640x360x3"],
      ["-o", "a.png", "--size", "99999999999999999999x16"],
      ["-o", "a.png", "--layout", "three"], ["-o", "a.png", "--grid", "2x0"],
      ["-o", "a.png", "--grid", "2x2", "--layout", "four"],
      ["-o", "-", "--json"], ["-o", "folder/"], ["-o", "a.jpg"],
      ["-o", "a.mp4", "--force"], ["-o", "a.png", "--timeout", "0"], ["-o", "a.png", "--grid", "3x1"],
      ["-o", "a.png", "--layout", "two"], ["-o", "a.png", "--labels", "some"], ["-o", "a.png", "--theme", "blue"],
    ]
  )
  func usage(_ options: [String]) async throws {
    let board = try await RenderBoard("--canvases", "4")
    let result = try await board.run(["render"] + options)
    #expect(result.exitStatus == 64, "\(result.errorOutput)")
    #expect(result.text.isEmpty && !result.errorOutput.isEmpty)
    #expect(try board.scratch.names() == [".board.json.lock", "board.json"])
  }

  @Test("A layout with too few places is reported with both numbers")
  func fewPlaces() async throws {
    let result = try await RenderBoard("--canvases", "5").render(["--layout", "four"])
    let message = "the layout four has room for 4 canvases, but the board has 5; choose a larger one"
    #expect(result.errorOutput.contains(message))
  }

  @Test("A picture is not written to a terminal")
  func terminal() async throws {
    let board = try await RenderBoard("--canvases", "1")
    let program = ProjectFolder.program("clipcanvas").string
    let result = try await Program.runTool(
      "script",
      ["-qec", "\(program) board render --board \(board.path.string) -o -", "/dev/null"]
    )
    #expect(result.exitStatus == 64 && result.text.contains("would write a picture to the terminal"))
  }

  @Test("A missing or invalid board exits with status 6, as with every command")
  func noBoard() async throws {
    let board = try await RenderBoard("--canvases", "1")
    let missing = try await board.render(["--board", "other.json"])
    #expect(missing.exitStatus == 6)
    #expect(missing.errorOutput.contains("the board other.json does not exist; create it with"))
    try board.scratch.write(Array("{}".utf8), as: "broken.json")
    let broken = try await board.render(["--board", "broken.json"])
    #expect(broken.exitStatus == 6 && broken.errorOutput.contains("cannot be read"))
    #expect(try !board.scratch.names().contains("picture.png"))
  }

  @Test("No file of the board is replaced, not even with `--force`", .enabled(if: Scope.isFull))
  func ownFile() async throws {
    let board = try await RenderBoard("--canvases", "2")
    try board.scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "clip.png")
    #expect(try await board.run(["clip", "import", "c2", "clip.png"]).exitStatus == 0)
    let before = try FolderTree(below: board.scratch.path)
    for (name, words) in [
      ("board.covers/c2-1.png", "is the cover of c2"), ("clip.png", "is the clip of c2"),
      (".board.json.lock", "is the board's lock"),
    ] {
      let refused = try await board.run(["render", "--force", "-o", name])
      #expect(refused.exitStatus == 2 && refused.errorOutput.contains(words), "\(refused.errorOutput)")
    }
    #expect(try FolderTree(below: board.scratch.path) == before)
  }

  @Test("A file that is not a picture of a board is replaced only with `--force`", .enabled(if: Scope.isFull))
  func foreignFile() async throws {
    let board = try await RenderBoard("--canvases", "2")
    let notes = Array("notes".utf8)
    try board.scratch.write(notes, as: "picture.png")
    let refused = try await board.render()
    #expect(refused.exitStatus == 2 && refused.text.isEmpty)
    #expect(refused.errorOutput.contains("picture.png exists and is not a picture made by 'clipcanvas board render'"))
    #expect(try ScratchFolder.read(board.scratch("picture.png")) == notes)
    #expect(try await board.render(["--force"]).exitStatus == 0)
    // A rendered picture is replaced, and so is an empty file.
    #expect(try await board.render().exitStatus == 0)
    try board.scratch.write([], as: "empty.png")
    #expect(try await board.render(as: "empty.png").exitStatus == 0)
  }

  @Test("A picture of a board does not replace a cover, and vice versa", .enabled(if: Scope.isFull))
  func coverAgainstPicture() async throws {
    let board = try await RenderBoard("--canvases", "2")
    try await board.bring([("c1", "h264.mp4")])
    let cover = try ScratchFolder.read(board.scratch("board.covers").appending("c1-1.png"))
    let overCover = try await board.render(as: "board.covers/c1-1.png")
    #expect(overCover.exitStatus == 2)
    #expect(try ScratchFolder.read(board.scratch("board.covers").appending("c1-1.png")) == cover)
    #expect(try await board.render().exitStatus == 0)
    let overPicture = try await board.run(["cover", "-o", "picture.png", ProjectFolder.fixture("h264.mp4").string])
    #expect(overPicture.exitStatus == 1 && overPicture.errorOutput.contains("is not a cover made by clipcanvas"))
  }

  @Test(
    "The board itself, a folder and a pipe are never replaced",
    arguments: ["board.json", "link.json", "folder", "pipe"]
  )
  func neverReplaced(_ name: String) async throws {
    let board = try await RenderBoard("--canvases", "2")
    let bytes = try ScratchFolder.read(board.path)
    try FilePath.makeFolder(board.scratch("folder"))
    #expect(mkfifo(board.scratch("pipe").string, 0o600) == 0)
    #expect(symlink("board.json", board.scratch("link.json").string) == 0)
    let result = try await board.render(["--force"], as: name)
    #expect(result.exitStatus == 2 && result.errorOutput.contains("cannot render the board: \(name) is "))
    #expect(try ScratchFolder.read(board.path) == bytes)
  }

  @Test("A missing folder and a full disk are reported")
  func unwritable() async throws {
    let board = try await RenderBoard("--canvases", "2")
    let missing = try await board.render(as: "no/picture.png")
    #expect(missing.exitStatus == 2 && missing.errorOutput.contains("create the folder first"))
    let full = try await Program.runTool(
      "bash",
      ["-c", "exec \"$@\" > /dev/full", "-", ProjectFolder.program("clipcanvas").string, "board", "render", "-o", "-"]
        + ["--board", board.path.string]
    )
    #expect(full.exitStatus == 2 && full.errorOutput.contains("standard output: no space left on device"))
  }

  @Test("An older picture survives a write that fails midway", .enabled(if: Scope.isFull))
  func failedWrite() async throws {
    let board = try await RenderBoard("--canvases", "2")
    #expect(try await board.render().exitStatus == 0)
    let older = try ScratchFolder.read(board.scratch("picture.png"))
    // The file size is limited to one block of 1024 bytes; as the signal is ignored, the write fails.
    let result = try await Program.runTool(
      "bash",
      [
        "-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "-", ProjectFolder.program("clipcanvas").string, "board",
        "render",
      ]
        + ["--size", "1920x1080", "-o", board.scratch("picture.png").string, "--board", board.path.string]
    )
    #expect(result.exitStatus == 2 && result.errorOutput.contains("picture.png: file too large"))
    #expect(try ScratchFolder.read(board.scratch("picture.png")) == older)
    #expect(try board.scratch.names() == [".board.json.lock", "board.json", "picture.png"])
  }

  @Test("A reader that closes the pipe ends the program without a message", .enabled(if: Scope.isFull))
  func brokenPipe() async throws {
    let board = try await RenderBoard("--canvases", "2")
    let result = try await Program.runTool(
      "bash",
      ["-c", "\"$@\" | head -c 8 > /dev/null; exit ${PIPESTATUS[0]}", "-", ProjectFolder.program("clipcanvas").string]
        + ["board", "render", "--size", "4000x3000", "-o", "-", "--board", board.path.string]
    )
    #expect(result.exitStatus == 128 + 13 && result.errorOutput.isEmpty)
  }

  @Test(
    "A missing program or decoder is reported, and a board without covers requires no decoder",
    .enabled(if: Scope.isFull)
  )
  func missingPrograms() async throws {
    let board = try await RenderBoard("--canvases", "2")
    let program = try await board.run(["render", "-o", "a.png"], environment: ["CLIPCANVAS_VIEW": "/nowhere"])
    #expect(program.exitStatus == 2 && program.errorOutput.contains("CLIPCANVAS_VIEW names /nowhere"))
    let environment = ["CLIPCANVAS_DECODER": "/nowhere"]
    #expect(try await board.run(["render", "-o", "a.png"], environment: environment).exitStatus == 0)
    let older = try ScratchFolder.read(board.scratch("a.png"))
    try await board.bring([("c1", "h264.mp4")])
    let decoder = try await board.run(["render", "-o", "a.png"], environment: environment)
    #expect(decoder.exitStatus == 2 && decoder.errorOutput.contains("CLIPCANVAS_DECODER names /nowhere"))
    #expect(try ScratchFolder.read(board.scratch("a.png")) == older)
  }
}
