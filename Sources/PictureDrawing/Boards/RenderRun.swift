internal import BoardStore
package import BoardSupport
internal import CanvasModel
internal import ClipService
internal import Covers
internal import Files
internal import Pictures
internal import SystemPackage

/// The making of one picture: reads the board, decodes its covers, paints the picture and writes it.
package struct RenderRun {
  private let arguments: RenderArguments

  /// Creates a run.
  package init(_ arguments: RenderArguments) {
    self.arguments = arguments
  }

  /// Makes the picture.
  ///
  /// - Throws: `CommandError`.
  package func run() async throws(CommandError) {
    let file = BoardFile(at: arguments.board)
    let board = try file.readForDrawing()
    let output = PictureOutput(arguments.output, isForced: arguments.isForced)
    try output.check(against: file.parts(of: board))
    let plan = BoardPlan(
      board,
      regions: try arguments.layout?.regions(for: board),
      width: arguments.size.width,
      height: arguments.size.height,
      at: .now
    )
    let (box, problems) = try await paint(plan, coversIn: file.folder)
    try output.write(box.picture, revision: board.revision)
    let report = RenderReport(
      board: file.path.displayText,
      picture: arguments.output.displayText,
      size: arguments.size,
      revision: board.revision,
      canvases: board.canvases.count,
      problems: problems
    )
    if !output.isStandardOutput { try report.print(asJSON: arguments.reportsJSON) }
  }

  private func paint(
    _ plan: BoardPlan,
    coversIn folder: FilePath
  ) async throws(CommandError) -> (PictureBox, [RenderReport.Problem]) {
    let (timeout, sandbox) = (arguments.timeout, arguments.sandbox)
    var painter = try Self.drawing { () throws(TextError) in try BoardPainter(plan, style: arguments.style) }
    var problems: [RenderReport.Problem] = []
    let service = { () throws(ServiceError) in try CoverService.installed(timeout: timeout, sandbox: sandbox) }
    let palette = Palette(arguments.style.theme)
    try await CoverPictures.forEachCell(of: plan, in: folder, palette, decoding: service) {
      cell,
      cover throws(CommandError) in
      try Self.drawing { () throws(TextError) in
        switch cover {
        case .none: try painter.paint(cell)
        case .picture(let cover): try painter.paint(cell, cover: cover.picture, clipSeconds: cover.clipSeconds)
        case .missing(let path, let failure):
          problems.append(RenderReport.Problem(cell.face.id, cover: path, failure))
          try painter.paint(cell, reason: failure.message)
        }
      }
    }
    return (PictureBox(painter.finish()), problems)
  }

  private static func drawing<Result: ~Copyable>(
    _ work: () throws(TextError) -> Result
  ) throws(CommandError) -> Result {
    do throws(TextError) {
      return try work()
    } catch {
      throw .cannotRender(error)
    }
  }
}
