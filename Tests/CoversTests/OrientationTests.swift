import Covers
import Testing

@Suite("Orientations")
struct OrientationTests {
  /// All eight orientations with their description in words; the numbers are those of Exif's orientation tag.
  static let all: [(exif: Int, orientation: Orientation, mirrored: Bool, rotation: Int)] = [
    (1, Orientation(), false, 0),
    (2, Orientation(mirrorsX: true), true, 0),
    (3, Orientation(mirrorsX: true, mirrorsY: true), false, 180),
    (4, Orientation(mirrorsY: true), true, 180),
    (5, Orientation(transposes: true), true, 270),
    (6, Orientation(transposes: true, mirrorsX: true), false, 90),
    (7, Orientation(transposes: true, mirrorsX: true, mirrorsY: true), true, 90),
    (8, Orientation(transposes: true, mirrorsY: true), false, 270),
  ]

  @Test("Each orientation is described as a mirroring and a clockwise rotation", arguments: 0..<8)
  func words(index: Int) {
    let expected = Self.all[index]
    #expect(expected.orientation.isMirrored == expected.mirrored)
    #expect(expected.orientation.rotation == expected.rotation)
  }

  @Test("The upright orientation leaves the picture unchanged")
  func upright() {
    #expect(Orientation.upright == Orientation(transposes: false, mirrorsX: false, mirrorsY: false))
  }

  @Test("The description and the three steps produce the same picture", arguments: 0..<8)
  func pixels(index: Int) {
    let orientation = Self.all[index].orientation
    let stored = TinyPicture(rows: ["ab", "cd", "ef"])

    var byWords = stored
    if orientation.isMirrored { byWords = byWords.leftToRight }
    for _ in 0..<orientation.rotation / 90 { byWords = byWords.quarterTurnClockwise }

    var bySteps = stored
    if orientation.transposes { bySteps = bySteps.transposed }
    if orientation.mirrorsX { bySteps = bySteps.leftToRight }
    if orientation.mirrorsY { bySteps = bySteps.topToBottom }

    #expect(byWords == bySteps)
  }

  @Test("The tiny test picture is transformed as expected by hand")
  func tinyPicture() {
    let stored = TinyPicture(rows: ["ab", "cd", "ef"])
    #expect(stored.leftToRight.rows == ["ba", "dc", "fe"])
    #expect(stored.topToBottom.rows == ["ef", "cd", "ab"])
    #expect(stored.transposed.rows == ["ace", "bdf"])
    #expect(stored.quarterTurnClockwise.rows == ["eca", "fdb"])
  }
}

/// A picture whose pixels are letters.
private struct TinyPicture: Equatable {
  var rows: [String]

  var leftToRight: TinyPicture { TinyPicture(rows: rows.map { String($0.reversed()) }) }

  var topToBottom: TinyPicture { TinyPicture(rows: rows.reversed()) }

  var transposed: TinyPicture {
    let letters = rows.map { Array($0) }
    return TinyPicture(rows: letters[0].indices.map { x in String(letters.map { $0[x] }) })
  }

  /// The left column, read upwards, becomes the top row.
  var quarterTurnClockwise: TinyPicture {
    let letters = rows.map { Array($0) }
    return TinyPicture(rows: letters[0].indices.map { x in String(letters.reversed().map { $0[x] }) })
  }
}
