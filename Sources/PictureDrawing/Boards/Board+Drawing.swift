package import BoardStore
package import BoardSupport
package import CanvasModel
internal import Covers
internal import Files

extension BoardFile {
  /// Returns the board, in order to draw it; warns if it was written by a newer version.
  ///
  /// - Throws: `CommandError`.
  package func readForDrawing() throws(CommandError) -> Board {
    do throws(BoardError) {
      let document = try read()
      if document.isNewer {
        let words = BoardError.writtenByNewer(schema: document.schemaVersion)
        StandardError.print("warning: the board \(path.displayText) \(words), which may show its clips in another way")
      }
      return document.board
    } catch {
      throw CommandError(error, of: self)
    }
  }
}

extension Layout {
  /// Returns the regions for the canvases of a board.
  ///
  /// - Throws: `CommandError` if there are fewer regions than canvases.
  package func regions(for board: Board) throws(CommandError) -> [Region] {
    guard regions.count >= board.canvases.count else {
      throw CommandError(
        .usage,
        "the layout \(self) has room for \(Board.count(regions.count)), but the board has \(board.canvases.count); "
          + "choose a larger one with --grid"
      )
    }
    return regions
  }
}
