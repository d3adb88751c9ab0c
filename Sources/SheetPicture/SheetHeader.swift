internal import BoardText
internal import Covers

/// The lines above the frames of a contact sheet.
struct SheetHeader {
  /// The name of the clip.
  let name: String
  /// The facts of the clip, as far as they are known: `1:02:03 · 1920×1080 · h264 · 29.97 fps · 1.2 GB`.
  let facts: String

  init(_ header: ContactSheet.Header) {
    name = header.name
    let parts = [
      header.durationSeconds.flatMap(FactText.duration),
      "\(header.storedWidth)×\(header.storedHeight)",
      header.codec,
      header.framesPerSecond.map { Self.rate($0) + " fps" },
      FactText.bytes(header.bytes),
    ]
    facts = parts.compactMap(\.self).joined(separator: "  ·  ")
  }

  /// Returns a frame rate with at most two decimal places: `25`, `29.97`, `12.5`.
  private static func rate(_ rate: Double) -> String {
    var text = DecimalText.of(rate, places: 2)
    while text.hasSuffix("0") { text.removeLast() }
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
