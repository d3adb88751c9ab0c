package import Covers

/// The appearance of a board's picture.
package struct BoardStyle: Codable, Hashable, Sendable {
  /// What is written on the canvases.
  package enum Labels: String, Codable, Sendable, CaseIterable {
    /// Nothing, which needs no fonts.
    case none
    /// Names of canvases and clips, and whether a canvas records.
    case names
    /// Also durations, and the reasons for missing covers.
    case full
  }

  /// What is written on the canvases.
  ///
  /// The duration of an open recording is in ``Labels/full`` only, so a board usually has the same picture at any time.
  package var labels = Labels.names
  /// The colours of the background and of canvases without a cover.
  package var theme = SheetStyle.Theme.dark

  /// Creates the usual style.
  package init() {}
}
