package import CanvasModel
internal import Files
package import SystemPackage

/// A clip on a canvas that needs a cover.
package struct WaitingCover: Hashable, Sendable {
  /// The canvas.
  package let canvas: CanvasID
  /// The clip.
  package let clip: Clip
  /// The cover that the clip had before it was to be made again; it is kept if that fails.
  package let older: CoverFile?

  /// Creates the description of a clip that was added to a canvas.
  package init(canvas: CanvasID, clip: Clip, older: CoverFile? = nil) {
    (self.canvas, self.clip, self.older) = (canvas, clip, older)
  }
}

extension Board {
  /// The clips whose covers are pending, in board order.
  package var waitingCovers: [WaitingCover] {
    let waiting = canvases.filter { $0.cover == .pending }
    let older = newestCovers(of: Set(waiting.map(\.id)))
    return waiting.compactMap { canvas in
      canvas.clip.map { WaitingCover(canvas: canvas.id, clip: $0, older: older[canvas.id]) }
    }
  }

  /// Returns the newest covers in the history of the clips that are on some canvases.
  private func newestCovers(of canvases: Set<CanvasID>) -> [CanvasID: CoverFile] {
    var (wanted, covers) = (canvases, [CanvasID: CoverFile]())
    for transaction in history.transactions.reversed() where !wanted.isEmpty {
      // Before a change of the clip, the cover was that of another clip.
      wanted.subtract(transaction.changes.lazy.filter { $0.key == .clip }.compactMap(\.canvas))
      for change in transaction.changes {
        guard let canvas = change.canvas, wanted.contains(canvas), case .cover(.ready(let file)) = change.old else {
          continue
        }
        covers[canvas] = file
        wanted.remove(canvas)
      }
    }
    return covers
  }

  /// Returns the canvases whose covers have failed, or whose cover files are missing.
  ///
  /// - Parameter folder: The board's folder.
  package func canvasesWithoutCover(in folder: FilePath) -> [CanvasID] {
    canvases.filter { canvas in
      switch canvas.cover {
      case .none, .pending: false
      case .failed: true
      case .ready(let file): !BoardPath.path(of: file.path, in: folder).exists
      }
    }.map(\.id)
  }
}
