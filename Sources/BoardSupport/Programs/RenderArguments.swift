package import CanvasModel
package import Covers
package import SystemPackage

/// What `clipcanvas board render` passes to `clipcanvas-view`.
package struct RenderArguments: Codable, Hashable, Sendable {
  /// The board's file.
  @ExactPath package var board: FilePath
  /// The destination of the picture; `-` for standard output.
  @ExactPath package var output: FilePath
  /// The size of the picture.
  package var size: PictureSize
  /// The arrangement of the canvases; `nil` for the board's.
  package var layout: Layout?
  /// The appearance of the picture.
  package var style: BoardStyle
  /// Whether a file that is not a picture of a board is replaced.
  package var isForced: Bool
  /// Whether the report is printed as JSON.
  package var reportsJSON: Bool
  /// The time limit for one cover, in seconds.
  package var timeout: Int
  /// How the decoder is sandboxed.
  package var sandbox: SandboxMode

  /// Creates the arguments.
  package init(
    board: FilePath,
    output: FilePath,
    size: PictureSize,
    layout: Layout?,
    style: BoardStyle,
    isForced: Bool,
    reportsJSON: Bool,
    timeout: Int,
    sandbox: SandboxMode
  ) {
    (self.board, self.output, self.size, self.layout) = (board, output, size, layout)
    (self.style, self.isForced, self.reportsJSON) = (style, isForced, reportsJSON)
    (self.timeout, self.sandbox) = (timeout, sandbox)
  }
}
