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
    var painter = try makePainter(of: plan)
    var covers = CoverPictures(of: plan, in: folder, Palette(arguments.style.theme), decoding: service)
    var problems: [RenderReport.Problem] = []
    for cell in plan.cells {
      let cover = try await covers.next(for: cell)
      if case .missing(let path, let failure) = cover {
        let problem = RenderReport.Problem(cell.face.id, cover: path, failure)
        StandardError.print("clipcanvas: \(problem.line)")
        problems.append(problem)
      }
      try Self.paint(cell, cover, with: &painter)
    }
    await covers.end()
    return (PictureBox(painter.finish()), problems)
  }

  private static func paint(
    _ cell: BoardPlan.Cell,
    _ cover: CoverPictures.Next,
    with painter: inout BoardPainter
  ) throws(CommandError) {
    do throws(TextError) {
      switch cover {
      case .none: try painter.paint(cell)
      case .picture(let cover): try painter.paint(cell, cover: cover.picture, clipSeconds: cover.clipSeconds)
      case .missing(_, let failure): try painter.paint(cell, reason: failure.message)
      }
    } catch {
      throw .cannotRender(error)
    }
  }

  private func makePainter(of plan: BoardPlan) throws(CommandError) -> BoardPainter {
    do throws(TextError) {
      return try BoardPainter(plan, style: arguments.style)
    } catch {
      throw .cannotRender(error)
    }
  }

  /// Returns the service; the decoder program is located only when there is a cover to decode.
  private func service() throws(CommandError) -> CoverService {
    do throws(ServiceError) {
      return CoverService(
        decoder: try ProgramLocation.decoder.find(),
        timeout: .seconds(arguments.timeout),
        sandbox: arguments.sandbox
      ) { state in
        StandardError.print("clipcanvas: \(state.warning)")
      }
    } catch {
      throw CommandError(.cannotContinue, error.description)
    }
  }
}
