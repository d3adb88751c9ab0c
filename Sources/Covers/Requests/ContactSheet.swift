/// A contact sheet that is to be drawn: frames of a clip in rows, with their times, below the clip's name and facts.
package struct ContactSheet: Codable, Hashable, Sendable {
  /// The contents of the header.
  package struct Header: Codable, Hashable, Sendable {
    /// The name of the file.
    package var name: String
    /// The size of the file.
    package var bytes: Int
    /// The duration of the clip in seconds, if it is known.
    package var durationSeconds: Double?
    /// The clip's display width, in pixels.
    package var shownWidth: Int
    /// The clip's display height, in pixels.
    package var shownHeight: Int
    /// FFmpeg's name of the codec.
    package var codec: String
    /// The average frame rate, if it is known.
    package var framesPerSecond: Double?

    /// Creates the header of a clip.
    package init(name: String, bytes: Int, facts: CoverFacts, clip: ClipFacts) {
      (self.name, self.bytes, codec) = (name, bytes, facts.codec)
      (shownWidth, shownHeight) = (clip.shownWidth, clip.shownHeight)
      (durationSeconds, framesPerSecond) = (facts.durationSeconds, clip.framesPerSecond)
    }
  }

  /// The appearance.
  package var style: SheetStyle
  /// What is written above the frames; drawn if the style has a header.
  package var header: Header
  /// The frames: their size, and their times in seconds.
  package var tiles: CoverFacts.Tiles

  /// Creates a sheet of frames that have been decoded.
  ///
  /// - Parameters:
  ///   - style: The appearance.
  ///   - header: What is written above the frames.
  ///   - tiles: The frames, at least one.
  package init(style: SheetStyle, header: Header, tiles: CoverFacts.Tiles) {
    (self.style, self.header, self.tiles) = (style, header, tiles)
  }

  // MARK: - Layout, in pixels

  /// The size of a frame.
  package var tileSize: PixelSize { PixelSize(width: tiles.width, height: tiles.height) }

  /// The number of frames in a row.
  package var columns: Int { style.columns(for: tiles.times.count, of: tileSize) }

  private var rows: Int { (tiles.times.count + columns - 1) / columns }

  /// The distance between frames.
  package var gap: Int { max(2, min(tileSize.width, tileSize.height) / 32) }

  /// The distance from the edges to the content.
  package var margin: Int { 2 * gap }

  /// The size of the font of the times.
  package var timeFontSize: Double { min(24, max(9, Double(min(tileSize.width, 2 * tileSize.height)) / 24)) }

  /// The size of the font of the name; that of the facts below it is three quarters of it.
  package var nameFontSize: Double { min(40, max(12, Double(width - 2 * margin) / 56)) }

  /// The height of a line of text.
  package static func lineHeight(of fontSize: Double) -> Int { Int((fontSize * 1.5).rounded(.up)) }

  /// The size of the font of the facts.
  package var factsFontSize: Double { nameFontSize * 0.75 }

  private var headerHeight: Int {
    style.hasHeader ? Self.lineHeight(of: nameFontSize) + Self.lineHeight(of: factsFontSize) + gap : 0
  }

  /// The size of the whole picture.
  package var size: PixelSize {
    PixelSize(width: width, height: 2 * margin + headerHeight + rows * (tileSize.height + gap) - gap)
  }

  private var width: Int { 2 * margin + columns * (tileSize.width + gap) - gap }

  /// Returns the position of the upper left corner of a frame.
  package func corner(ofTile number: Int) -> (left: Int, top: Int) {
    let (row, column) = number.quotientAndRemainder(dividingBy: columns)
    return (
      margin + column * (tileSize.width + gap), margin + headerHeight + row * (tileSize.height + gap)
    )
  }
}
