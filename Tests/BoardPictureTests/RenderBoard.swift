import SystemPackage
import TestSupport

/// A board in a folder of its own, and pictures of it by the real programs.
struct RenderBoard {
  let scratch: ScratchFolder

  init(_ options: String...) async throws {
    scratch = try ScratchFolder()
    try await done(["new"] + options)
  }

  var path: FilePath { scratch("board.json") }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run(
      "clipcanvas",
      arguments,
      in: scratch.path,
      environment: ["CLIPCANVAS_BOARD": ""].merging(environment) { $1 }
    )
  }

  struct NotDone: Error {
    let arguments: [String]
    let result: ProgramResult
  }

  /// Runs a command that must end with status 0.
  @discardableResult
  func done(_ arguments: [String]) async throws -> String {
    let result = try await run(arguments)
    guard result.exitStatus == 0 else { throw NotDone(arguments: arguments, result: result) }
    return result.text
  }

  /// Brings fixtures to canvases, each with its cover.
  func bring(_ clips: [(canvas: String, fixture: String)]) async throws {
    for (canvas, fixture) in clips {
      try await done(["clip", "import", canvas, ProjectFolder.fixture(fixture).string])
    }
  }

  /// Sends events, a line each.
  func send(_ lines: String) async throws {
    let result = try await Program.run("clipcanvas", ["apply", "--board", path.string], input: lines)
    guard result.exitStatus == 0 else { throw NotDone(arguments: ["apply"], result: result) }
  }

  /// Puts clips onto canvases whose covers nobody makes.
  func bringWithoutCover(_ canvases: [String]) async throws {
    let lines = canvases.map { #"{"event":"importClip","canvas":"\#($0)","clip":{"path":"\#($0).mp4"}}"# }
    try await send(lines.joined(separator: "\n"))
  }

  /// Puts a file onto a canvas as its cover; it is the first change of the board.
  func claimCover(_ file: String, on canvas: String, generation: Int = 1) async throws {
    try await bringWithoutCover([canvas])
    try await send(
      #"{"event":"coverReady","canvas":"\#(canvas)","generation":\#(generation),"cover":{"path":"\#(file)"}}"#
    )
  }

  func render(_ options: [String] = [], as name: String = "picture.png") async throws -> ProgramResult {
    try await run(["render", "-o", name] + options)
  }

  /// The pixels of a picture that must come without a word on standard error.
  func pixels(_ options: [String] = []) async throws -> RawPixels {
    let result = try await render(["--force"] + options)
    guard result.exitStatus == 0, result.errorOutput.isEmpty else { throw NotDone(arguments: options, result: result) }
    return try await Oracle.pixels(ofPNG: scratch("picture.png"), hasAlpha: false)
  }
}

extension RawPixels {
  /// Red, green and blue.
  func pixel(_ x: Int, _ y: Int) -> [Int] {
    let start = (y * width + x) * channels
    return bytes[start..<start + 3].map { Int($0) }
  }

  /// Whether a pixel is about of a colour.
  func isAbout(_ x: Int, _ y: Int, _ colour: [Int], within tolerance: Int = 12) -> Bool {
    zip(pixel(x, y), colour).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
