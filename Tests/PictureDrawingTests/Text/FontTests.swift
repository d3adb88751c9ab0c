import Glibc
import PictureDrawing
import Pictures
import Testing

@Suite("Fonts")
struct FontTests {
  /// Returns the error of opening the fonts of a configuration.
  private func openingError(_ configuration: String) -> TextError? {
    do throws(TextError) {
      _ = try Fonts(configuration: configuration)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "Without any font, and with emoji only, the error names a package to install",
    arguments: ["empty", "only-emoji"]
  )
  func noFont(configuration: String) throws {
    let error = try #require(openingError(SampleFonts.configuration(configuration)))
    #expect(error.cause == .noFont && error.message.contains("fonts-dejavu-core"))
  }

  @Test("A configuration that cannot be read is an error", arguments: ["broken", "missing"])
  func badConfiguration(name: String) throws {
    #expect(openingError(SampleFonts.configuration(name))?.cause == .configuration)
  }

  @Test("The system's configuration is used by default", arguments: [("empty", false), ("dejavu", true)])
  func environment(name: String, hasFont: Bool) async {
    await #expect(processExitsWith: .success) { [path = SampleFonts.configuration(name) as String, hasFont] in
      setenv("FONTCONFIG_FILE", path, 1)
      do throws(TextError) {
        let fonts = try Fonts()
        #expect(hasFont)
        #expect(try fonts.measure("a", style: .white(16)).width > 0)
      } catch {
        #expect(!hasFont && error.cause == .noFont)
      }
    }
  }

  @Test("The preferences of a desktop do not change the pixels")
  func preferences() throws {
    func drawn(_ configuration: String) throws -> [UInt8] {
      let fonts = try Fonts(configuration: SampleFonts.configuration(configuration))
      var picture = Picture(width: 200, height: 30, layout: .rgb)
      try picture.draw("Holiday", in: TextBox(x: 0, y: 0, width: 200, height: 30), style: .white(15), fonts: fonts)
      return picture.bytes
    }
    #expect(try drawn("desktop") == drawn("dejavu"))
  }

  @Test("Coloured emoji keep their colours and their place in the line", arguments: [11.0, 16, 40])
  func emoji(size: Double) throws {
    let fonts = try Fonts(configuration: SampleFonts.configuration("emoji"))
    let (line, letters) = (try fonts.measure("a😀b", style: .white(size)), try fonts.measure("ab", style: .white(size)))
    let emoji = Double(line.width - letters.width)
    #expect(emoji > size && emoji < 1.6 * size)
    #expect(Double(line.height) < 1.5 * Double(letters.height))
    var picture = Picture(width: 200, height: 100, layout: .rgb)
    try picture.draw("a😀b", in: TextBox(x: 20, y: 20, width: 160, height: 60), style: .white(size), fonts: fonts)
    let ink = try picture.ink()
    #expect(ink.columns.upperBound <= 20 + line.width)
    let pixels = ink.rows.flatMap { y in ink.columns.map { x in picture.pixel(x: x, y: y) } }
    #expect(pixels.contains { $0[0] > $0[2] + 80 }, "yellow")
  }
}
