internal import BoardText
internal import Covers
internal import Files
internal import SystemPackage

extension GalleryPage {
  /// Returns the HTML of a clip's card.
  func card(of entry: Entry, links: RelativeLinks) -> String {
    let name = Name(entry.shownPath ?? entry.clip)
    let start = "<li class=\"card \(entry.status.rawValue)\"\(Self.sortingKeys(entry))>"
    let link = "<a href=\"\(links.reference(to: entry.clip))\">"
    let path = "<bdi class=\"path\">\(name.folder)<span class=\"name\">\(name.last)</span></bdi></a>"
    let facts = "<p class=\"facts\">\(Self.facts(entry))</p>"
    let reason = Self.reason(entry)
    // Without a picture, the reason is shown in its box.
    let lines =
      if let cover = entry.cover {
        [start + link + Self.picture(entry, cover: links.reference(to: cover), name: name), path, facts + reason]
      } else {
        [start + "<div class=\"shot none\">\(Self.badge(entry.status))\(reason)</div>", link + path, facts]
      }
    return lines.joined(separator: "\n") + "</li>\n"
  }

  /// A path as HTML for display.
  private struct Name {
    var folder = ""
    let last: String

    init(_ path: FilePath) {
      guard let component = path.lastComponent, path.components.count > 1 else {
        last = HTMLText.of(path.displayText)
        return
      }
      let folderText = path.removingLastComponent().displayText
      folder = "<span class=\"folder\">\(HTMLText.of(folderText.hasSuffix("/") ? folderText : folderText + "/"))</span>"
      last = HTMLText.of(FilePath(root: nil, [component]).displayText)
    }
  }

  private static func sortingKeys(_ entry: Entry) -> String {
    let duration = entry.durationSeconds.flatMap { $0.isFinite ? " data-seconds=\"\($0)\"" : nil } ?? ""
    return duration + (entry.clipBytes.map { " data-bytes=\"\($0)\"" } ?? "")
  }

  private static func picture(_ entry: Entry, cover: String, name: Name) -> String {
    let size = entry.coverSize.map { " width=\"\($0.width)\" height=\"\($0.height)\"" } ?? ""
    let length = duration(entry).map { " <span class=\"length\">\($0)</span>" } ?? ""
    return "<span class=\"shot\">"
      + "<img src=\"\(cover)\"\(size) loading=\"lazy\" decoding=\"async\" alt=\"Cover of \(name.last)\">"
      + "\(length)\(badge(entry.status))</span>"
  }

  private static func duration(_ entry: Entry) -> String? { entry.durationSeconds.flatMap(FactText.duration) }

  /// Returns the badge for a status other than success.
  private static func badge(_ status: CoverOutcome.Status) -> String {
    switch status {
    case .cover, .sheet, .animation, .fresh: ""
    case .degraded, .incomplete, .failed: " <strong class=\"badge\">\(status.rawValue)</strong>"
    }
  }

  private static func facts(_ entry: Entry) -> String {
    var facts: [String] = []
    if entry.cover == nil, let text = duration(entry) { facts.append(text) }
    if let size = entry.coverSize { facts.append("\(size.width)×\(size.height)") }
    if let bytes = entry.clipBytes { facts.append(FactText.bytes(bytes)) }
    switch entry.status {
    case .cover, .sheet, .animation: facts.append("made")
    case .fresh: facts.append("fresh")
    case .degraded, .incomplete, .failed: break
    }
    return facts.map { "<span>\($0)</span>" }.joined(separator: " ")
  }

  private static func reason(_ entry: Entry) -> String {
    guard let failure = entry.failure else { return "" }
    return "<p class=\"reason\">\(HTMLText.of(DisplayText.of(failure.utf8)))</p>"
  }
}
