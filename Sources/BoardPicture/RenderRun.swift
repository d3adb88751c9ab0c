internal import BoardStore
internal import BoardText
internal import CanvasModel
internal import CoverService
internal import Covers
internal import Files
internal import Pictures
internal import SystemPackage

/// A run of the program: reads the board, decodes its covers, paints the picture and writes it.
struct RenderRun {
  private let arguments: RenderArguments

  init(_ arguments: RenderArguments) {
    self.arguments = arguments
  }

  func run() async throws(RenderFailure) {
    let file = BoardFile(at: arguments.board)
    let board = try read(file)
    let output = PictureOutput(arguments.output, isForced: arguments.isForced)
    try output.check(against: file)
    let plan = BoardPlan(
      board,
      regions: try regions(for: board),
      width: arguments.size.width,
      height: arguments.size.height
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
  ) async throws(RenderFailure) -> (PictureBox, [RenderReport.Problem]) {
    var covers = CoverPictures(of: plan, in: folder, decoding: service)
    var painter = BoardPainter(plan)
    var problems: [RenderReport.Problem] = []
    for cell in plan.cells {
      switch try await covers.next(for: cell) {
      case .none: painter.paint(cell)
      case .picture(let cover): painter.paint(cell, cover: cover.picture)
      case .missing(let cover, let failure):
        painter.paint(cell)
        let problem = RenderReport.Problem(cell.face.id, cover: cover, failure)
        Message.complain(problem.line)
        problems.append(problem)
      }
    }
    await covers.end()
    return (PictureBox(painter.finish()), problems)
  }

  private func read(_ file: BoardFile) throws(RenderFailure) -> Board {
    do throws(BoardError) {
      return try file.read().board
    } catch {
      throw RenderFailure(error, of: file)
    }
  }

  private func regions(for board: Board) throws(RenderFailure) -> [Region]? {
    guard let layout = arguments.layout else { return nil }
    let regions = layout.regions
    guard regions.count >= board.canvases.count else {
      throw .usage(
        "the layout \(layout) has \(regions.count) places, and the board \(board.canvases.count) canvases; "
          + "name a larger one with --grid"
      )
    }
    return regions
  }

  /// Returns the service; the decoder program is located only when there is a cover to decode.
  private func service() throws(RenderFailure) -> CoverService {
    do throws(ServiceError) {
      return CoverService(
        decoder: try ProgramLocation.decoder.find(),
        timeout: .seconds(arguments.timeout),
        sandbox: arguments.sandbox
      ) { state in
        Message.complain(state.warning)
      }
    } catch {
      throw RenderFailure(error)
    }
  }
}
