import SystemPackage
import TestSupport

/// A board in its own folder, rendered by the real programs.
struct RenderBoard {
  let scratch: ScratchFolder

  init(_ options: String...) async throws {
    scratch = try ScratchFolder()
    try await done(["new"] + options)
  }

  /// Returns the path of a configuration with the same fonts on every machine.
  static func fonts(_ name: String) -> String {
    ProjectFolder.top.appending("Tests/PictureDrawingTests/Text/Configurations").appending(name + ".conf").string
  }

  var path: FilePath { scratch("board.json") }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> ProgramResult {
    try await Program.run(
      "clipcanvas",
      ["cover", "batch"].contains(arguments.first) ? arguments : ["board"] + arguments,
      in: scratch.path,
      environment: ["CLIPCANVAS_BOARD": "", "FONTCONFIG_FILE": Self.fonts("dejavu")].merging(environment) { $1 }
    )
  }

  struct NotDone: Error {
    let arguments: [String]
    let result: ProgramResult
  }

  /// Runs a command that must exit with status 0.
  @discardableResult
  func done(_ arguments: [String]) async throws -> String {
    let result = try await run(arguments)
    guard result.exitStatus == 0 else { throw NotDone(arguments: arguments, result: result) }
    return result.text
  }

  /// Imports fixtures into canvases and makes their covers.
  func bring(_ clips: [(canvas: String, fixture: String)]) async throws {
    for (canvas, fixture) in clips {
      try await done(["clip", "import", canvas, ProjectFolder.fixture(fixture).string])
    }
  }

  /// Sends events, one per line.
  func send(_ lines: String) async throws {
    let result = try await Program.run("clipcanvas", ["board", "apply", "--board", path.string], input: lines)
    guard result.exitStatus == 0 else { throw NotDone(arguments: ["apply"], result: result) }
  }

  /// Imports clips into canvases without making covers.
  func bringWithoutCover(_ canvases: [String]) async throws {
    let lines = canvases.map { #"{"event":"importClip","canvas":"\#($0)","clip":{"path":"\#($0).mp4"}}"# }
    try await send(lines.joined(separator: "\n"))
  }

  /// Sets a file as the cover of a canvas; this must be the first change of the board.
  func claimCover(_ file: String, on canvas: String, generation: Int = 1) async throws {
    try await bringWithoutCover([canvas])
    try await send(
      #"{"event":"coverReady","canvas":"\#(canvas)","generation":\#(generation),"cover":{"path":"\#(file)"}}"#
    )
  }

  func render(_ options: [String] = [], as name: String = "picture.png") async throws -> ProgramResult {
    try await run(["render", "-o", name] + options)
  }

  /// Renders a picture, which must not print anything to standard error, and returns its pixels.
  func pixels(_ options: [String] = []) async throws -> RawPixels {
    let result = try await render(["--force"] + options)
    guard result.exitStatus == 0, result.errorOutput.isEmpty else { throw NotDone(arguments: options, result: result) }
    return try await Oracle.pixels(ofPNG: scratch("picture.png"), hasAlpha: false)
  }
}

extension RawPixels {
  /// Returns whether a pixel has approximately this colour.
  func isAbout(_ x: Int, _ y: Int, _ colour: [Int], within tolerance: Int = 12) -> Bool {
    zip(pixel(x, y), colour).allSatisfy { abs($0 - $1) <= tolerance }
  }
}
