internal import BoardSupport
internal import Covers
internal import Files
internal import SystemPackage

/// The cards of clips with a cover, and the rows of clips without one.
extension GalleryPage {
  /// Returns the HTML of a clip with a cover.
  ///
  /// Animation and storyboard are named in attributes, which a browser does not load.
  static func tile(of entry: Entry, links: RelativeLinks) -> String {
    let lines = [
      "<li class=\"\(classes(of: entry))\"\(keys(of: entry, links))>"
        + "<a href=\"\(links.reference(to: entry.clip))\">\(picture(of: entry, links))",
      pathText(of: entry) + "</a>",
      factsText(of: entry.facts, withDuration: false) + reasonText(of: entry),
    ]
    return lines.joined(separator: "\n") + "</li>\n"
  }

  private static func classes(of entry: Entry) -> String {
    "card" + (entry.status == .degraded ? " degraded" : "") + (entry.facts.isDark ? " dark" : "")
  }

  /// Returns the HTML of a clip without a cover.
  static func failureRow(of entry: Entry, links: RelativeLinks) -> String {
    let lines = [
      "<li class=\"row\"\(keys(of: entry, links))><a href=\"\(links.reference(to: entry.clip))\">"
        + pathText(of: entry) + "</a>",
      reasonText(of: entry) + factsText(of: entry.facts, withDuration: true),
    ]
    return lines.joined(separator: "\n") + "</li>\n"
  }

  /// Returns the values that the script sorts and filters by, and the text that it shows on hover.
  private static func keys(of entry: Entry, _ links: RelativeLinks) -> String {
    let (facts, date) = (entry.facts, entry.facts.date)
    let keys: [(String, String?)] = [
      ("seconds", facts.durationSeconds.flatMap { $0.isFinite ? "\($0)" : nil }),
      ("bytes", facts.bytes.map { "\($0)" }),
      ("time", date.map { "\($0.seconds)" }),
      ("day", date?.day),
      ("codec", facts.codec.map { HTMLText.of(DisplayText.of($0.utf8)) }),
      ("animation", entry.animation.map(links.reference)),
      ("storyboard", entry.storyboard.map { storyboard($0, links) }),
    ]
    return keys.map { name, value in value.map { " data-\(name)=\"\($0)\"" } ?? "" }.joined()
  }

  /// Returns the folder, the grid, the number of tiles, their width and height, and the interval.
  private static func storyboard(_ storyboard: Storyboard, _ links: RelativeLinks) -> String {
    let (plan, tile) = (storyboard.plan, storyboard.tileSize)
    return "\(links.reference(to: storyboard.folder))/ \(plan.columns) \(plan.rows) \(storyboard.tiles) "
      + "\(tile.width) \(tile.height) \(plan.interval)"
  }

  private static func picture(of entry: Entry, _ links: RelativeLinks) -> String {
    guard let cover = entry.cover else { return "" }
    let size = entry.coverSize.map { " width=\"\($0.width)\" height=\"\($0.height)\"" } ?? ""
    let length = duration(entry.facts).map { " <span class=\"length\">\($0)</span>" } ?? ""
    let badge = entry.status == .degraded ? " <strong class=\"badge\">degraded</strong>" : ""
    // The name follows in the same link, so the picture needs no alternative text.
    return "<span class=\"shot\"><img src=\"\(links.reference(to: cover))\"\(size) loading=\"lazy\" decoding=\"async\" "
      + "alt=\"\">\(length)\(badge)</span>"
  }

  private static func pathText(of entry: Entry) -> String {
    let path = entry.shownPath ?? entry.clip
    guard let name = path.lastComponent, path.components.count > 1 else {
      return "<bdi class=\"path\"><span class=\"name\">\(HTMLText.of(path.displayText))</span></bdi>"
    }
    let folder = path.removingLastComponent().displayText
    return "<bdi class=\"path\"><span class=\"folder\">\(HTMLText.of(folder.hasSuffix("/") ? folder : folder + "/"))"
      + "</span><span class=\"name\">\(HTMLText.of(FilePath(root: nil, [name]).displayText))</span></bdi>"
  }

  private static func duration(_ facts: Facts) -> String? { facts.durationSeconds.flatMap(FactText.duration) }

  private static func factsText(of facts: Facts, withDuration: Bool) -> String {
    let texts = [
      withDuration ? duration(facts) : nil,
      facts.storedSize.map { "\($0.width)×\($0.height)" },
      facts.codec.map { HTMLText.of(DisplayText.of($0.utf8)) },
      facts.frameRate.map(FactText.frameRate),
      facts.date?.day,
      facts.bytes.map(FactText.bytes),
    ]
    let spans = texts.compactMap(\.self).map { "<span>\($0)</span>" }
    return "<p class=\"facts\">\(spans.joined(separator: " "))</p>"
  }

  private static func reasonText(of entry: Entry) -> String {
    guard let reason = entry.reason else { return "" }
    return "<p class=\"reason\">\(HTMLText.of(DisplayText.of(reason.utf8)))</p>"
  }
}
