/// The state of the board's screen as a whole: what the header shows, and the mode that every cell follows.
package struct BoardStatus: Hashable, Sendable {
  /// The progress of covers that are being made.
  package struct Progress: Hashable, Sendable {
    /// The number of covers that were made or have failed.
    package var done: Int
    /// The number of covers to make.
    package var total: Int

    /// Creates a progress.
    package init(done: Int, total: Int) {
      (self.done, self.total) = (done, total)
    }
  }

  /// The name of the board and its state in words.
  package var title: String
  /// The number of canvases.
  package var canvasCount: Int
  /// The indices of the visible canvases.
  package var visible = 0..<0
  /// The covers that are being made; `nil` if none are.
  package var covers: Progress?
  /// The duration of the open recording without pauses, in whole seconds; `nil` without one.
  package var recordSeconds: Int?
  /// Whether a tap removes a canvas.
  package var isRemoving = false

  /// Creates the status of a screen that shows nothing yet.
  package init(title: String, canvasCount: Int) {
    (self.title, self.canvasCount) = (title, canvasCount)
  }
}
