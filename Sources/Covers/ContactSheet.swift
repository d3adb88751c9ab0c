/// A contact sheet that is to be drawn: frames of a clip in rows, with their times, below the clip's name and facts.
public struct ContactSheet: Codable, Hashable, Sendable {
  /// The contents of the header.
  public struct Header: Codable, Hashable, Sendable {
    /// The name of the file.
    public var name: String
    /// The size of the file.
    public var bytes: Int
    /// The duration of the clip in seconds, if it is known.
    public var durationSeconds: Double?
    /// The clip's display width, in pixels.
    public var shownWidth: Int
    /// The clip's display height, in pixels.
    public var shownHeight: Int
    /// FFmpeg's name of the codec.
    public var codec: String
    /// The average frame rate, if it is known.
    public var framesPerSecond: Double?

    /// Creates the header of a clip.
    public init(name: String, bytes: Int, facts: CoverFacts, clip: ClipFacts) {
      (self.name, self.bytes, codec) = (name, bytes, facts.codec)
      (shownWidth, shownHeight) = (clip.shownWidth, clip.shownHeight)
      (durationSeconds, framesPerSecond) = (facts.durationSeconds, clip.framesPerSecond)
    }
  }

  /// The appearance.
  public var style: SheetStyle
  /// What is written above the frames; drawn if the style has a header.
  public var header: Header
  /// The frames: their size, and their times in seconds.
  public var tiles: CoverFacts.Tiles

  /// Creates a sheet of frames that have been decoded.
  ///
  /// - Parameters:
  ///   - style: The appearance.
  ///   - header: What is written above the frames.
  ///   - tiles: The frames, at least one.
  public init(style: SheetStyle, header: Header, tiles: CoverFacts.Tiles) {
    (self.style, self.header, self.tiles) = (style, header, tiles)
  }

  // MARK: - Layout, in pixels

  /// The size of a frame.
  public var tileSize: PixelSize { PixelSize(width: tiles.width, height: tiles.height) }

  /// The number of frames in a row.
  public var columns: Int { style.columns(for: tiles.times.count, of: tileSize) }

  private var rows: Int { (tiles.times.count + columns - 1) / columns }

  /// The distance between frames.
  public var gap: Int { max(2, min(tileSize.width, tileSize.height) / 32) }

  /// The distance from the edges to the content.
  public var margin: Int { 2 * gap }

  /// The size of the font of the times.
  public var timeFontSize: Double { min(24, max(9, Double(min(tileSize.width, 2 * tileSize.height)) / 24)) }

  /// The size of the font of the name; that of the facts below it is three quarters of it.
  public var nameFontSize: Double { min(40, max(12, Double(width - 2 * margin) / 56)) }

  /// The height of a line of text.
  public static func lineHeight(of fontSize: Double) -> Int { Int((fontSize * 1.5).rounded(.up)) }

  /// The size of the font of the facts.
  public var factsFontSize: Double { nameFontSize * 0.75 }

  private var headerHeight: Int {
    style.hasHeader ? Self.lineHeight(of: nameFontSize) + Self.lineHeight(of: factsFontSize) + gap : 0
  }

  /// The size of the whole picture.
  public var size: PixelSize {
    PixelSize(width: width, height: 2 * margin + headerHeight + rows * (tileSize.height + gap) - gap)
  }

  private var width: Int { 2 * margin + columns * (tileSize.width + gap) - gap }

  /// Returns the position of the upper left corner of a frame.
  public func corner(ofTile number: Int) -> (left: Int, top: Int) {
    let (row, column) = number.quotientAndRemainder(dividingBy: columns)
    return (
      margin + column * (tileSize.width + gap), margin + headerHeight + row * (tileSize.height + gap)
    )
  }
}
