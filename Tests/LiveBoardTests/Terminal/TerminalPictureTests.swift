import LiveBoard
import Pictures
import Testing

@Suite("Pictures in a terminal")
struct TerminalPictureTests {
  @Test("A picture has its colours, whatever its width", arguments: 252...259, [Picture.Layout.rgb, .rgba])
  func width(_ width: Int, _ layout: Picture.Layout) throws {
    let colour: [UInt8] = [250, 80, 20, 255]
    var picture = Picture(width: width, height: 90, layout: layout)
    picture.withMutableBytes { bytes in
      let row = bytes.count / 90
      for y in 0..<90 {
        for x in 0..<width {
          for channel in 0..<layout.channels { bytes[y * row + x * layout.channels + channel] = colour[channel] }
        }
      }
    }
    let drawn = TerminalPicture(
      picture,
      fitting: .init(columns: 40, rows: 20),
      capabilities: TerminalCapabilities(colours: .direct, kind: .symbols)
    )
    guard case .lines(let lines) = drawn.content else {
      Issue.record("not drawn with characters")
      return
    }
    let text = lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    let colours = text.matches(of: /[34]8;2;(\d+);(\d+);(\d+)/).map { match in
      [match.output.1, match.output.2, match.output.3].compactMap { Int($0) }
    }
    .filter { $0 != [0, 0, 0] }  // the unused foreground of a space
    #expect(!colours.isEmpty)
    // Colours are rounded a little on their way through libchafa's colour space.
    let isNear = colours.allSatisfy { drawn in zip(drawn, colour).allSatisfy { abs($0 - Int($1)) <= 4 } }
    #expect(isNear, "\(Set(colours))")
  }
}
