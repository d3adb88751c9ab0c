import PictureDrawing
import Pictures
import SystemPackage
import TestSupport
import Testing

/// Fonts that are the same on every machine.
enum SampleFonts {
  /// Returns the path of a configuration in `Configurations`.
  static func configuration(_ name: String) -> String {
    ProjectFolder.top.appending("Tests/PictureDrawingTests/Text/Configurations").appending(name + ".conf").string
  }

  /// Opens DejaVu, which has Latin, Greek, Cyrillic, Arabic and Hebrew.
  static func dejavu() throws -> Fonts { try Fonts(configuration: configuration("dejavu")) }
}

/// The pixels of a picture that are not in the colour of its ground.
struct Ink: Equatable {
  var columns: Range<Int>
  var rows: Range<Int>
  /// The sum of all differences from the ground in the first channel, in units of the largest value.
  var coverage: Double

  /// Finds the pixels that differ from those of the top left corner, or returns `nil` if all are the same.
  init?(_ picture: borrowing Picture) {
    let ground = picture.pixel(x: 0, y: 0)
    var (columns, rows, sum): (Range<Int>?, Range<Int>?, Int) = (nil, nil, 0)
    for y in 0..<picture.height {
      for x in 0..<picture.width where picture.pixel(x: x, y: y) != ground {
        columns = min(columns?.lowerBound ?? x, x)..<max(columns?.upperBound ?? 0, x + 1)
        rows = (rows?.lowerBound ?? y)..<y + 1
        sum += abs(picture.value(x: x, y: y, channel: 0) - ground[0])
      }
    }
    guard let columns, let rows else { return nil }
    (self.columns, self.rows, coverage) = (columns, rows, Double(sum) / 255)
  }
}

extension TextStyle {
  /// White text.
  static func white(_ size: Double, weight: Weight = .regular, opacity: Double = 1) -> TextStyle {
    TextStyle(size: size, weight: weight, paint: Paint(255, 255, 255, opacity: opacity))
  }
}

extension Picture {
  /// The bytes of all rows, including padding and tail.
  var bytes: [UInt8] { withBytes { Array($0) } }

  /// Returns the pixels that are not in the colour of the ground; there must be some.
  borrowing func ink() throws -> Ink {
    let ink = Ink(self)
    return try #require(ink)
  }
}
