internal import BoardText
public import CanvasModel
internal import Files
public import SystemPackage

/// A clip on a canvas that needs a cover.
public struct WaitingCover: Hashable, Sendable {
  /// The canvas.
  public let canvas: CanvasID
  /// The clip.
  public let clip: Clip

  /// Creates the description of a clip that was added to a canvas.
  public init(canvas: CanvasID, clip: Clip) {
    (self.canvas, self.clip) = (canvas, clip)
  }
}

extension Board {
  /// The clips whose covers are pending, in board order.
  public var waitingCovers: [WaitingCover] {
    canvases.filter { $0.cover == .pending }.compactMap { canvas in
      canvas.clip.map { WaitingCover(canvas: canvas.id, clip: $0) }
    }
  }

  /// Returns the canvases whose covers have failed, or whose cover files are missing.
  ///
  /// - Parameter folder: The board's folder.
  public func canvasesWithoutCover(in folder: FilePath) -> [CanvasID] {
    canvases.filter { canvas in
      switch canvas.cover {
      case .none, .pending: false
      case .failed: true
      case .ready(let file): !BoardPath.path(of: file.path, in: folder).exists
      }
    }.map(\.id)
  }
}
