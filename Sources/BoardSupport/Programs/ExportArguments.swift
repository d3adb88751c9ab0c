package import CanvasModel
package import Covers
package import SystemPackage

/// What `clipcanvas board export` passes to `clipcanvas-view`.
package struct ExportArguments: Codable, Hashable, Sendable {
  /// The playing order of the clips.
  package enum Order: String, CaseIterable, Codable, Sendable {
    /// All start with the video.
    case together
    /// Each starts when the one before has ended, in board order.
    case sequence
  }

  /// How long the video lasts.
  package enum Length: Codable, Hashable, Sendable {
    /// Until the last clip has ended.
    case longest
    /// Until the first clip has ended.
    case shortest
    case seconds(Double)
  }

  /// What a canvas shows after its clip has ended.
  package enum After: String, CaseIterable, Codable, Sendable {
    /// The last frame of the clip.
    case hold
    /// The clip again.
    case loop
    case cover
    /// The sign of a canvas without a clip.
    case plus
  }

  /// The board's file.
  @ExactPath package var board: FilePath
  /// The video to write.
  @ExactPath package var output: FilePath
  /// The size of the video; `nil` for the shape that suits the board and its clips.
  package var size: VideoSize?
  /// The number of frames in a second.
  package var frameRate: FrameRate
  /// The places of the canvases; `nil` for those of the board.
  package var layout: Layout?
  /// The colours.
  package var theme: SheetStyle.Theme
  /// The playing order of the clips.
  package var order: Order
  /// How long the video lasts.
  package var length: Length
  /// What a canvas shows after its clip has ended.
  package var after: After
  /// From where the clips of canvases are heard, from -1 (left) to 1 (right), by the name of the canvas.
  package var pans: [String: Double]
  /// The names of canvases whose clips are not heard.
  package var muted: Set<String>
  /// The quality, from 1 to 100.
  package var quality: Int
  /// Whether the index comes before the media.
  package var isIndexFirst: Bool
  /// Whether an existing file is replaced.
  package var isForced: Bool
  /// Whether the report is printed as JSON.
  package var reportsJSON: Bool
  /// Whether progress is printed, each time on a line with the number of composed frames and that of all.
  package var reportsProgress: Bool
  /// The longest time without progress, in seconds; then the work is stopped.
  package var timeout: Int
  /// How the programs that read clips are sandboxed.
  package var sandbox: SandboxMode

  /// Creates arguments with the default values.
  package init(board: FilePath, output: FilePath) {
    (_board, _output) = (ExactPath(wrappedValue: board), ExactPath(wrappedValue: output))
    (size, frameRate, layout, theme) = (nil, .usual, nil, BoardStyle().theme)
    (order, length, after, pans, muted) = (.together, .longest, .hold, [:], [])
    (quality, isIndexFirst, isForced, reportsJSON) = (Self.usualQuality, false, false, false)
    (reportsProgress, timeout, sandbox) = (false, 30, .auto)
  }

  /// The default quality.
  package static let usualQuality = 75
}
