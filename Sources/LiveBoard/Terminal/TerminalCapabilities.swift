internal import CTerminal
internal import Glibc

/// The colours that a terminal supports for characters.
package enum TerminalColours: Hashable, Sendable {
  /// No colours.
  case none
  /// The 16 standard colours of every colour terminal.
  case sixteen
  /// A palette of 256 colours.
  case palette
  /// 24-bit RGB colours.
  case direct
}

/// The method of displaying pictures in a terminal.
package enum PictureKind: String, CaseIterable, Sendable {
  /// Coloured characters.
  case symbols
  /// Pixels, in DEC's sixel format.
  case sixel
  /// Pixels, in kitty's graphics protocol.
  case kitty
}

/// The capabilities of the terminal, as indicated by environment variables.
package struct TerminalCapabilities: Hashable, Sendable {
  /// The colours of characters.
  package let colours: TerminalColours
  /// The best supported kind of picture.
  package let kind: PictureKind

  /// Creates a description of a terminal's capabilities.
  package init(colours: TerminalColours, kind: PictureKind) {
    (self.colours, self.kind) = (colours, kind)
  }

  /// Returns the capabilities of this process's terminal.
  ///
  /// `NO_COLOR` disables colours. Inside tmux and screen, only characters are used: these programs do not track the
  /// pixels that they pass on, and leave them on the screen when the view is switched.
  package static func detected() -> TerminalCapabilities {
    let found = cterminal_picture_detect()
    let isInside = isSet("TMUX") || isSet("STY")
    let kind: PictureKind =
      isInside ? .symbols : found.has_kitty != 0 ? .kitty : found.has_sixel != 0 ? .sixel : .symbols
    return TerminalCapabilities(colours: isSet("NO_COLOR") ? .none : colours(found.colours), kind: kind)
  }

  private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

  private static func colours(_ colours: cterminal_picture_colours) -> TerminalColours {
    switch colours {
    case CTERMINAL_PICTURE_COLOURS_TRUE: .direct
    case CTERMINAL_PICTURE_COLOURS_256: .palette
    case CTERMINAL_PICTURE_COLOURS_16: .sixteen
    default: .none
    }
  }
}
