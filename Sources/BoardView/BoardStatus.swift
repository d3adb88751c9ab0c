/// The state of the board's screen as a whole: what the header shows, and the mode that every cell follows.
public struct BoardStatus: Hashable, Sendable {
  /// The progress of covers that are being made.
  public struct Progress: Hashable, Sendable {
    /// The number of covers that were made or have failed.
    public var done: Int
    /// The number of covers to make.
    public var total: Int

    /// Creates a progress.
    public init(done: Int, total: Int) {
      (self.done, self.total) = (done, total)
    }
  }

  /// The name of the board and its state in words.
  public var title: String
  /// The number of canvases.
  public var canvasCount: Int
  /// The indices of the visible canvases.
  public var visible = 0..<0
  /// The covers that are being made; `nil` if none are.
  public var covers: Progress?
  /// The duration of the open recording without pauses, in whole seconds; `nil` without one.
  public var recordSeconds: Int?
  /// Whether a tap removes a canvas.
  public var isRemoving = false

  /// Creates the status of a screen that shows nothing yet.
  public init(title: String, canvasCount: Int) {
    (self.title, self.canvasCount) = (title, canvasCount)
  }
}
