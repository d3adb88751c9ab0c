internal import CTerminal
internal import Glibc

/// How many colours the characters of a terminal can have.
public enum TerminalColours: Hashable, Sendable {
  /// None: black and white.
  case none
  /// The 16 that every terminal with colours has.
  case sixteen
  /// 256, of a palette.
  case palette
  /// All, by their numbers.
  case direct
}

/// What pictures in a terminal are made of.
public enum PictureKind: String, CaseIterable, Sendable {
  /// Characters with colours.
  case symbols
  /// Pixels, by DEC's sequences.
  case sixel
  /// Pixels, by kitty's protocol.
  case kitty
}

/// What the terminal can, as far as environment variables tell.
public struct PictureAbilities: Hashable, Sendable {
  /// Of its characters.
  public let colours: TerminalColours
  /// The best kind that it shows.
  public let kind: PictureKind

  /// Makes one of its parts.
  public init(colours: TerminalColours, kind: PictureKind) {
    (self.colours, self.kind) = (colours, kind)
  }

  /// Those of this process's terminal.
  ///
  /// With `NO_COLOR` there are no colours. Inside tmux and screen there are characters only: these know nothing of
  /// pixels that they pass on, and leave them behind when the view is switched.
  public static func detected() -> PictureAbilities {
    let found = cterminal_picture_detect()
    let isInside = isSet("TMUX") || isSet("STY")
    let kind: PictureKind =
      isInside ? .symbols : found.has_kitty != 0 ? .kitty : found.has_sixel != 0 ? .sixel : .symbols
    return PictureAbilities(colours: isSet("NO_COLOR") ? .none : colours(found.colours), kind: kind)
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
