internal import BoardSupport

/// The style of the board.
struct LiveStyle: Hashable {
  /// The capabilities of the terminal, used to draw covers.
  let capabilities: TerminalCapabilities
  /// Whether covers are drawn rather than represented by symbols.
  let showsPictures: Bool

  /// Whether text may be coloured.
  var hasColours: Bool { capabilities.colours != .none }

  init(_ choice: LiveArguments.Pictures, detected: TerminalCapabilities) {
    showsPictures = choice != .none
    capabilities =
      switch choice {
      case .auto: detected
      case .symbols, .none: TerminalCapabilities(colours: detected.colours, kind: .symbols)
      case .sixel: TerminalCapabilities(colours: detected.colours, kind: .sixel)
      case .kitty: TerminalCapabilities(colours: detected.colours, kind: .kitty)
      }
  }
}
