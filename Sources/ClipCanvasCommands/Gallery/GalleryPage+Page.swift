internal import BoardSupport
internal import Covers
internal import Files

extension GalleryPage {
  /// Returns the HTML before the cards.
  ///
  /// Groups of clips that look alike are an attribute: the numbers of their cards, from 0, with commas between groups.
  ///
  /// The content security policy allows pictures and clips from the page's own location, and only the page's own script
  /// and style, whose digests are checked by a test.
  static func head(title: String, totals: Totals, remark: String?, alike: [[Int]]) -> String {
    let groups = alike.map { $0.map { "\($0)" }.joined(separator: " ") }.joined(separator: ",")
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; \
      media-src 'self' file:; style-src '\(styleDigest)'; script-src '\(scriptDigest)'; base-uri 'none'; form-action 'none'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <meta name="generator" content="clipcanvas \(ClipCanvasVersion.current)">
      <title>\(HTMLText.of(DisplayText.of(title.utf8)))</title>
      <style>\(style)</style>
      </head>
      <body>
      <header>
      <div>
      <h1>\(HTMLText.of(DisplayText.of(title.utf8)))</h1>
      <p id="totals">\(totals.text)</p>\(remark.map { "\n<p>\(HTMLText.of(DisplayText.of($0.utf8)))</p>" } ?? "")
      </div>
      \(tools)
      </header>
      <main data-size="3">
      <ul id="clips" class="tiles" aria-label="Clips"\(groups.isEmpty ? "" : " data-alike=\"\(groups)\"")>

      """
  }

  /// The HTML between the clips with a cover and those without one.
  static let middle = """
    </ul>
    <p id="nothing" hidden>No clip matches. <button type="button" id="clear">Clear search and filters</button></p>

    """

  /// The HTML after all cards: the hidden player, and the script.
  static let tail = """
    </main>
    <footer id="keys" hidden><kbd>/</kbd> search <kbd>← ↑ ↓ →</kbd> move <kbd>Enter</kbd> play <kbd>P</kbd> preview \
    <kbd>Esc</kbd> close</footer>
    <dialog id="player" aria-labelledby="player-name">
    <header>
    <div><h2 id="player-name"></h2><p id="player-facts"></p></div>
    <a id="player-file">Open file</a>
    <button type="button" id="player-close" aria-label="Close" title="Close (Esc)">✕</button>
    </header>
    <div id="stage">
    <video controls playsinline preload="metadata"></video>
    <img alt="" hidden>
    <p id="unplayable" role="status"></p>
    </div>
    <button type="button" id="player-previous" aria-label="Previous clip" title="Previous clip (←)">‹</button>
    <button type="button" id="player-next" aria-label="Next clip" title="Next clip (→)">›</button>
    </dialog>
    <script>\(script)</script>
    </body>
    </html>

    """

  /// The controls used by the script, which are hidden if scripts are disabled.
  ///
  /// What differs from the values given here becomes part of the page's address.
  private static let tools = """
    <form id="tools" role="search" aria-label="Clips on this page" autocomplete="off" hidden>
    <output id="shown"></output>
    <input name="q" type="search" aria-label="Search" placeholder="Search  /" spellcheck="false">
    <select name="sort" aria-label="Sort by">
    <option value="name" selected>Name</option>
    <option value="time">Newest</option>
    <option value="seconds">Longest</option>
    <option value="bytes">Largest</option>
    </select>
    <label class="button" title="Reverse the order"><input name="reverse" type="checkbox" value="1" \
    aria-label="Reverse the order"><span aria-hidden="true">⇅</span></label>
    <details id="filters">
    <summary class="button">Filters <span id="active" hidden></span></summary>
    <div>
    <label>Show <select name="show">
    <option value="" selected>All clips</option>
    <option value="degraded">Degraded covers</option>
    <option value="dark">Dark covers</option>
    <option value="alike">Look-alikes</option>
    <option value="failed">Without a cover</option>
    </select></label>
    <label>Codec <select name="codec"><option value="" selected>Any</option></select></label>
    <label>Length <select name="duration">
    <option value="" selected>Any</option>
    <option value="0-10">Under 10 s</option>
    <option value="10-60">10–60 s</option>
    <option value="60-600">1–10 min</option>
    <option value="600-">Over 10 min</option>
    </select></label>
    <label>Group by <select name="group">
    <option value="" selected>Folder</option>
    <option value="day">Day</option>
    <option value="month">Month</option>
    <option value="none">Nothing</option>
    </select></label>
    </div>
    </details>
    <label class="size"><span>Size</span> <input name="size" type="range" min="1" max="5" value="3" \
    aria-label="Size of the tiles"></label>
    </form>
    """
}

extension GalleryPage.Totals {
  /// The number of clips, their duration and their size: `86 clips · 1:02:03 · 4.2 GB`.
  var text: String {
    let parts = [
      "\(clips) \(clips == 1 ? "clip" : "clips")",
      seconds > 0 ? FactText.duration(seconds) : nil,
      bytes > 0 ? FactText.bytes(bytes) : nil,
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }
}
