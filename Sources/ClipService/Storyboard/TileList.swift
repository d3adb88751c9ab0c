internal import Covers

/// The list of a storyboard's tiles in the form that web players read: a WebVTT file whose cues name a part of a sheet.
struct TileList {
  let plan: SheetPlan
  /// The number of tiles.
  let tiles: Int
  /// The size of a tile.
  let tileSize: PixelSize
  /// The duration of the clip in seconds, if it is known.
  let duration: Double?

  /// The text of the file.
  var text: String {
    let cues = (0..<tiles).map { number in
      let start = Double(number) * plan.interval
      let isLast = number == tiles - 1
      let end = isLast ? max(duration ?? 0, start + (duration == nil ? plan.interval : 0.001)) : start + plan.interval
      return "\(Self.time(start)) --> \(Self.time(end))\n\(tile(number))\n"
    }
    return (["WEBVTT\n"] + cues).joined(separator: "\n")
  }

  /// Returns the address of a tile: the name of its sheet and the position in it.
  private func tile(_ number: Int) -> String {
    let (sheet, place) = number.quotientAndRemainder(dividingBy: plan.capacity)
    let (row, column) = place.quotientAndRemainder(dividingBy: plan.columns)
    let corner = "\(column * tileSize.width),\(row * tileSize.height)"
    return "\(StoryboardPlace.sheetName(sheet))#xywh=\(corner),\(tileSize.width),\(tileSize.height)"
  }

  /// Returns a time as WebVTT writes it: `01:02:03.400`.
  private static func time(_ seconds: Double) -> String {
    let all = Int((seconds * 1000).rounded())
    func digits(_ number: Int, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (hours, minutes, rest) = (all / 3_600_000, all / 60_000 % 60, all % 60_000)
    return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(rest / 1000, 2)).\(digits(rest % 1000, 3))"
  }
}
