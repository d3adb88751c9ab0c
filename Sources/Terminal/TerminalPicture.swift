internal import CTerminal
public import Pictures

/// A picture as what a terminal shows.
public struct TerminalPicture: Hashable, Sendable {
  /// In characters.
  public struct Size: Hashable, Sendable {
    /// At least 1.
    public var columns: Int
    /// At least 1.
    public var rows: Int

    /// Makes one of its parts.
    public init(columns: Int, rows: Int) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  /// What to write.
  public enum Content: Hashable, Sendable {
    /// A line a row, each without a newline, colours reset at its end.
    case lines([[UInt8]])
    /// One sequence, to be written where the picture's top left corner is.
    case pixels([UInt8])
  }

  /// How much it takes; the picture's proportions are kept.
  public let size: Size
  /// What to write.
  public let content: Content

  /// Makes a picture that fits into a place.
  ///
  /// - Parameters:
  ///   - picture: 8 bits a channel.
  ///   - most: The place.
  ///   - abilities: What the terminal can.
  ///   - character: Its characters.
  public init(
    _ picture: borrowing Picture,
    fitting most: Size,
    abilities: PictureAbilities,
    character: CharacterSize = .usual
  ) {
    precondition(picture.layout.bits == 8, "a terminal shows 8 bits a channel")
    let size = Self.size(of: (picture.width, picture.height), fitting: most, character: character)
    let bytes = Self.draw(picture, size: size, abilities: abilities, character: character)
    self.size = size
    content =
      switch abilities.kind {
      case .symbols: .lines(bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map(Array.init))
      case .sixel, .kitty: .pixels(bytes)
      }
  }

  /// The largest size in characters with about the proportions of so many pixels.
  static func size(of pixels: (width: Int, height: Int), fitting most: Size, character: CharacterSize) -> Size {
    let place = (Double(most.columns * character.width), Double(most.rows * character.height))
    let scale = min(place.0 / Double(pixels.width), place.1 / Double(pixels.height))
    func count(_ pixels: Int, _ unit: Int, _ most: Int) -> Int {
      min(max(1, Int((Double(pixels) * scale / Double(unit)).rounded())), max(1, most))
    }
    return Size(
      columns: count(pixels.width, character.width, most.columns),
      rows: count(pixels.height, character.height, most.rows)
    )
  }

  private static func draw(
    _ picture: borrowing Picture,
    size: Size,
    abilities: PictureAbilities,
    character: CharacterSize
  ) -> [UInt8] {
    picture.withBytes { bytes in
      guard let pixels = bytes.baseAddress else { return [] }
      var order = cterminal_picture_order(
        pixels: pixels.assumingMemoryBound(to: UInt8.self),
        width: UInt32(picture.width),
        height: UInt32(picture.height),
        channels: UInt32(picture.layout.channels),
        row_bytes: picture.rowBytes,
        kind: kind(abilities.kind),
        colours: colours(abilities.colours),
        columns: Int32(clamping: min(size.columns, 1000)),
        rows: Int32(clamping: min(size.rows, 1000)),
        character_width: Int32(clamping: character.width),
        character_height: Int32(clamping: character.height)
      )
      var count = 0
      let drawn = cterminal_picture_draw(&order, &count)
      defer { cterminal_picture_free(drawn) }
      return Array(UnsafeRawBufferPointer(start: drawn, count: count))
    }
  }

  private static func kind(_ kind: PictureKind) -> cterminal_picture_kind {
    switch kind {
    case .symbols: CTERMINAL_PICTURE_SYMBOLS
    case .sixel: CTERMINAL_PICTURE_SIXEL
    case .kitty: CTERMINAL_PICTURE_KITTY
    }
  }

  private static func colours(_ colours: TerminalColours) -> cterminal_picture_colours {
    switch colours {
    case .none: CTERMINAL_PICTURE_COLOURS_NONE
    case .sixteen: CTERMINAL_PICTURE_COLOURS_16
    case .palette: CTERMINAL_PICTURE_COLOURS_256
    case .direct: CTERMINAL_PICTURE_COLOURS_TRUE
    }
  }
}
