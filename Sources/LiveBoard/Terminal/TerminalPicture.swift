internal import CTerminal
package import Pictures

/// A picture converted for display in a terminal.
package struct TerminalPicture: Hashable, Sendable {
  /// A size in characters.
  package struct Size: Hashable, Sendable {
    /// The number of columns; at least 1.
    package var columns: Int
    /// The number of rows; at least 1.
    package var rows: Int

    /// Creates a size.
    package init(columns: Int, rows: Int) {
      (self.columns, self.rows) = (columns, rows)
    }
  }

  /// The output for a terminal.
  package enum Content: Hashable, Sendable {
    /// One line per row, without newlines; the colours are reset at the end of each line.
    case lines([[UInt8]])
    /// One sequence, to be written at the picture's top left corner.
    case pixels([UInt8])
  }

  /// The size of the output, which approximately keeps the picture's aspect ratio.
  package let size: Size
  /// The output to write.
  package let content: Content

  /// Converts a picture to fit into an area.
  ///
  /// - Parameters:
  ///   - picture: A picture with 8 bits per channel.
  ///   - most: The size of the area.
  ///   - capabilities: The capabilities of the terminal.
  ///   - character: The size of the terminal's characters.
  package init(
    _ picture: borrowing Picture,
    fitting most: Size,
    capabilities: TerminalCapabilities,
    character: CharacterSize = .usual
  ) {
    precondition(picture.layout.bits == 8, "a terminal shows 8 bits a channel")
    let size = Self.size(of: (picture.width, picture.height), fitting: most, character: character)
    let bytes = Self.draw(picture, size: size, capabilities: capabilities, character: character)
    self.size = size
    content =
      switch capabilities.kind {
      case .symbols: .lines(bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map(Array.init))
      case .sixel, .kitty: .pixels(bytes)
      }
  }

  /// Returns the largest size in characters that fits and has about the aspect ratio of this many pixels.
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
    capabilities: TerminalCapabilities,
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
        kind: kind(capabilities.kind),
        colours: colours(capabilities.colours),
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
