import PictureDrawing
import Pictures
import TestSupport
import Testing

/// Compares shapes and sizes with those of Pillow, which lays out text with FriBidi and HarfBuzz and draws it with
/// FreeType, without Pango and Cairo.
@Suite("Text compared with Pillow")
struct ReferenceTests {
  private static let script = """
    import sys
    from PIL import Image, ImageDraw, ImageFont
    path, size, text = sys.argv[1:]
    font = ImageFont.truetype(path, int(size), layout_engine=ImageFont.Layout.RAQM)
    image = Image.new("L", (900, 200))
    ImageDraw.Draw(image).text((100, 100), text, fill=255, font=font, anchor="ls")
    print(*image.getbbox(), sum(image.getdata()))
    """

  @Test(
    "Size, place and coverage are the same, in each script and weight",
    .enabled(if: Scope.isFull),
    arguments: [
      "Hello, World 0123", "office AVAWA Tj", "Ελληνικά Русский", "مرحبا بالعالم", "שלום עולם 12", "لا إله 2024 clip",
    ],
    [16, 24, 40]
  )
  func reference(text: String, size: Int) async throws {
    for (weight, file) in [(TextStyle.Weight.regular, "DejaVuSans"), (.bold, "DejaVuSans-Bold")] {
      let result = try await Program.runTool(
        "python3",
        ["-c", Self.script, "/usr/share/fonts/truetype/dejavu/\(file).ttf", "\(size)", text]
      )
      let numbers = result.text.split(separator: " ").compactMap { Int($0.filter { $0 != "\n" }) }
      try #require(numbers.count == 5, "\(result.errorOutput)")
      let fonts = try SampleFonts.dejavu()
      var picture = Picture(width: 900, height: 200, layout: .rgb)
      let box = TextBox(x: 100, y: 0, width: 700, height: 200, verticalAlignment: .baseline(100))
      try picture.draw(text, in: box, style: .white(Double(size), weight: weight), fonts: fonts)
      let ink = try picture.ink()
      // Hinting and rounding of positions differ.
      #expect(abs(ink.columns.count - (numbers[2] - numbers[0])) <= 3 + size / 10, "\(weight)")
      #expect(abs(ink.rows.lowerBound - numbers[1]) <= 2 && abs(ink.rows.upperBound - numbers[3]) <= 2, "\(weight)")
      #expect(abs(ink.coverage / (Double(numbers[4]) / 255) - 1) < 0.08, "\(weight)")
    }
  }
}
