public import CanvasModel
public import Covers
public import SystemPackage

/// What `clipcanvas board export` passes to `clipcanvas-view`.
public struct ExportArguments: Codable, Hashable, Sendable {
  /// The playing order of the clips.
  public enum Order: String, CaseIterable, Codable, Sendable {
    /// All start with the video.
    case together
    /// Each starts when the one before has ended, in board order.
    case sequence
  }

  /// How long the video lasts.
  public enum Length: Codable, Hashable, Sendable {
    /// Until the last clip has ended.
    case longest
    /// Until the first clip has ended.
    case shortest
    case seconds(Double)
  }

  /// What a canvas shows after its clip has ended.
  public enum After: String, CaseIterable, Codable, Sendable {
    /// The last frame of the clip.
    case hold
    /// The clip again.
    case loop
    case cover
    /// The sign of a canvas without a clip.
    case plus
  }

  /// The board's file.
  @ExactPath public var board: FilePath
  /// The video to write.
  @ExactPath public var output: FilePath
  /// The size of the video; `nil` for the shape that suits the board and its clips.
  public var size: VideoSize?
  /// The number of frames in a second.
  public var frameRate: FrameRate
  /// The places of the canvases; `nil` for those of the board.
  public var layout: Layout?
  /// The colours.
  public var theme: SheetStyle.Theme
  /// The playing order of the clips.
  public var order: Order
  /// How long the video lasts.
  public var length: Length
  /// What a canvas shows after its clip has ended.
  public var after: After
  /// From where the clips of canvases are heard, from -1 (left) to 1 (right), by the name of the canvas.
  public var pans: [String: Double]
  /// The names of canvases whose clips are not heard.
  public var muted: Set<String>
  /// The quality, from 1 to 100.
  public var quality: Int
  /// Whether the index comes before the media.
  public var isIndexFirst: Bool
  /// Whether an existing file is replaced.
  public var isForced: Bool
  /// Whether the report is printed as JSON.
  public var reportsJSON: Bool
  /// The longest time without progress, in seconds; then the work is stopped.
  public var timeout: Int
  /// How the programs that read clips are sandboxed.
  public var sandbox: SandboxMode

  /// Creates arguments with the default values.
  public init(board: FilePath, output: FilePath) {
    (_board, _output) = (ExactPath(wrappedValue: board), ExactPath(wrappedValue: output))
    (size, frameRate, layout, theme) = (nil, .usual, nil, BoardStyle().theme)
    (order, length, after, pans, muted) = (.together, .longest, .hold, [:], [])
    (quality, isIndexFirst, isForced, reportsJSON) = (Self.usualQuality, false, false, false)
    (timeout, sandbox) = (30, .auto)
  }

  /// The default quality.
  public static let usualQuality = 75
}
