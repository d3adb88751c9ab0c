internal import BoardText
internal import Terminal

/// How the board is drawn.
struct LiveStyle: Hashable {
  /// What the terminal can, of which covers are made.
  let abilities: PictureAbilities
  /// Whether covers are drawn, and not only signs for them.
  let showsPictures: Bool

  /// Whether text may have colours.
  var hasColours: Bool { abilities.colours != .none }

  init(_ choice: LiveArguments.Pictures, detected: PictureAbilities) {
    showsPictures = choice != .none
    abilities =
      switch choice {
      case .auto: detected
      case .symbols, .none: PictureAbilities(colours: detected.colours, kind: .symbols)
      case .sixel: PictureAbilities(colours: detected.colours, kind: .sixel)
      case .kitty: PictureAbilities(colours: detected.colours, kind: .kitty)
      }
  }
}
