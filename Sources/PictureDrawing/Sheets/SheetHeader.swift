internal import BoardSupport
internal import Covers

/// The lines above the frames of a contact sheet.
struct SheetHeader {
  /// The name of the clip.
  let name: String
  /// The known facts of the clip: `1:02:03 · 1920×1080 · h264 · 29.97 fps · 1.2 GB`.
  let facts: String

  init(_ header: ContactSheet.Header) {
    name = header.name
    let parts = [
      header.durationSeconds.flatMap(FactText.duration),
      "\(header.shownWidth)×\(header.shownHeight)",
      header.codec,
      header.framesPerSecond.map(FactText.frameRate),
      FactText.bytes(header.bytes),
    ]
    facts = parts.compactMap(\.self).joined(separator: "  ·  ")
  }
}
