public import Covers

/// The appearance of a board's picture.
public struct BoardStyle: Codable, Hashable, Sendable {
  /// What is written on the canvases.
  public enum Labels: String, Codable, Sendable, CaseIterable {
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
  public var labels = Labels.names
  /// The colours of the background and of canvases without a cover.
  public var theme = SheetStyle.Theme.dark

  /// Creates the usual style.
  public init() {}
}
