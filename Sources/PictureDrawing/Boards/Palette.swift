package import Covers
internal import Pictures

/// The colours of a theme.
package struct Palette {
  /// The background of the board.
  let table: Paint
  /// The background of a canvas.
  let ground: Paint
  /// The background of the canvas in preview.
  let previewGround: Paint
  /// The background of a canvas with an open recording.
  let takeGround: Paint
  let ink: Paint
  let softInk: Paint
  /// The sign for a missing cover.
  let amber: Paint

  static let red = Paint(230, 38, 44)
  /// The dot of a camera that is on.
  static let green = Paint(52, 199, 120)
  static let blue = Paint(38, 98, 166)
  static let grey = Paint(88, 94, 104)
  static let ochre = Paint(158, 98, 10)
  static let white = Paint(255, 255, 255)
  static let shade = Paint(0, 0, 0, opacity: 0.62)

  /// The background of the board.
  package var tableColour: Colour { Colour(red: table.red, green: table.green, blue: table.blue) }
  /// The background of a canvas.
  package var groundColour: Colour { Colour(red: ground.red, green: ground.green, blue: ground.blue) }

  package init(_ theme: SheetStyle.Theme) {
    switch theme {
    case .dark:
      (table, ground) = (Paint(15, 17, 20), Paint(38, 42, 49))
      (previewGround, takeGround) = (Paint(28, 50, 76), Paint(52, 26, 29))
      (ink, softInk, amber) = (Paint(232, 235, 239), Paint(150, 157, 168), Paint(236, 172, 62))
    case .light:
      (table, ground) = (Paint(255, 255, 255), Paint(230, 233, 238))
      (previewGround, takeGround) = (Paint(211, 227, 245), Paint(250, 221, 221))
      (ink, softInk, amber) = (Paint(34, 38, 46), Paint(96, 103, 115), Paint(176, 106, 8))
    }
  }
}
