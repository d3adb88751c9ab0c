import BoardSupport
import CanvasModel
import Covers
import Files
import Glibc
import SystemPackage
import Testing

@Suite("Arguments of the program that shows a board")
struct ViewArgumentsTests {
  /// Returns what the other program reads from the argument that the kernel passes to it.
  private func passed(_ arguments: ViewArguments) throws -> ViewArguments {
    try ViewArguments(passed: [RawArguments.text(ofBytes: try arguments.argument.utf8CString.dropLast())])
  }

  private func picture(board: FilePath, output: FilePath) -> RenderArguments {
    var style = BoardStyle()
    (style.labels, style.theme) = (.full, .light)
    return RenderArguments(
      board: board,
      output: output,
      size: PictureSize("640x360") ?? .usual,
      layout: .grid(columns: 3, rows: 2),
      style: style,
      isForced: true,
      reportsJSON: false,
      timeout: 7,
      sandbox: .require
    )
  }

  @Test("Arguments arrive as they were sent")
  func roundTrip() throws {
    let live = LiveArguments(board: "/boards/a b.json", pictures: .sixel, showsCounters: true)
    #expect(try passed(.live(live)) == .live(live))
    var picture = picture(board: "board.json", output: "-")
    #expect(try passed(.render(picture)) == .render(picture))
    picture.layout = nil
    #expect(try passed(.render(picture)) == .render(picture))
    var video = ExportArguments(board: "board.json", output: "out.mp4")
    (video.order, video.length, video.after) = (.sequence, .seconds(1.5), .plus)
    (video.pans, video.muted) = (["c1": -0.5], ["c2"])
    #expect(try passed(.export(video)) == .export(video))
  }

  @Test("Every byte of a path is kept, whether it is UTF-8 or not")
  func pathBytes() throws {
    // Each byte that a name can have, alone and before another, and scalars of the range that encodes bytes.
    let each: [UInt8] = (1...255).filter { $0 != UInt8(ascii: "/") }
    let inPairs: [UInt8] = each.flatMap { [$0, 0x80] as [UInt8] }
    let names: [[UInt8]] = [each, inPairs, Array("\u{10FFFF}\u{10FF80}é".utf8)]
    for name in names {
      let path = FilePath(platformString: name.map { CChar(bitPattern: $0) } + [0])
      guard case .render(let picture) = try passed(.render(picture(board: path, output: path))) else {
        Issue.record("other arguments arrived")
        continue
      }
      for arrived in [picture.board, picture.output] {
        let bytes = arrived.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
        #expect(bytes.map { UInt8(bitPattern: $0) } == name)
      }
    }
  }

  @Test(
    "Arguments that clipcanvas did not make are refused with the command to use",
    arguments: [
      [], [""], ["--board"], ["--board", "board.json"], ["{}"], [#"{"live":{"_0":{"board":"board.json"}}}"#],
      [#"{"live":{"_0":{"board":"b","pictures":"auto","showsCounters":false}}}"#, "more"],
      [#"{"live":{"_0":{"board":"b","pictures":"crayon","showsCounters":false}}}"#],
    ]
  )
  func wrong(_ arguments: [String]) throws {
    let error = #expect(throws: CommandError.self) { try ViewArguments(passed: arguments) }
    #expect(error?.status == .usage)
    #expect(error?.message?.hasSuffix("run 'clipcanvas board live' or 'clipcanvas board render' instead") == true)
  }
}
