public import CanvasModel
public import Covers
public import SystemPackage

/// What `clipcanvas board render` passes to `clipcanvas-view`.
public struct RenderArguments: Codable, Hashable, Sendable {
  /// The board's file.
  @ExactPath public var board: FilePath
  /// The destination of the picture; `-` for standard output.
  @ExactPath public var output: FilePath
  /// The size of the picture.
  public var size: PictureSize
  /// The arrangement of the canvases; `nil` for the board's.
  public var layout: Layout?
  /// The appearance of the picture.
  public var style: BoardStyle
  /// Whether a file that is not a picture of a board is replaced.
  public var isForced: Bool
  /// Whether the report is printed as JSON.
  public var reportsJSON: Bool
  /// The time limit for one cover, in seconds.
  public var timeout: Int
  /// How the decoder is sandboxed.
  public var sandbox: SandboxMode

  /// Creates the arguments.
  public init(
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
