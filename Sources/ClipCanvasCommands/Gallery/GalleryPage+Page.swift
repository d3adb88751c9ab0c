internal import CoverService
internal import Covers
internal import Files

extension GalleryPage {
  /// Returns the HTML before the cards.
  ///
  /// The content security policy allows pictures from the page's own location, and only the page's own script and
  /// style, whose digests are checked by a test.
  static func head(title: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; \
    style-src '\(styleDigest)'; script-src '\(scriptDigest)'; base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <meta name="generator" content="clipcanvas \(ClipCanvasVersion.current)">
    <title>\(HTMLText.of(DisplayText.of(title.utf8)))</title>
    <style>\(style)</style>
    </head>
    <body>
    <main>
    <ul id="cards">

    """
  }

  /// Returns the HTML after the cards; the style and the script move the header to the top.
  static func tail(title: String, summary: BatchSummary, remark: String?) -> String {
    """
    </ul>
    <p id="nothing" hidden>no clip matches</p>
    </main>
    <header>
    <div>
    <h1>\(HTMLText.of(DisplayText.of(title.utf8)))</h1>
    <p id="counts">\(counts(summary))</p>\(remark.map { "\n<p>\(HTMLText.of(DisplayText.of($0.utf8)))</p>" } ?? "")
    </div>
    \(tools)
    </header>
    <script>\(script)</script>
    </body>
    </html>

    """
  }

  private static func counts(_ summary: BatchSummary) -> String {
    let counts = [
      (summary.covers, "made"), (summary.fresh, "fresh"), (summary.degraded, "degraded"),
      (summary.incomplete, "incomplete"), (summary.failed, "failed"),
    ]
    let parts = counts.filter { count, _ in count > 0 }.map { count, word in "\(count) \(word)" }
    let clips = "\(summary.clips) \(summary.clips == 1 ? "clip" : "clips")"
    return clips + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// The controls used by the script, which are hidden if scripts are disabled.
  private static let tools = """
    <form id="tools" role="search" aria-label="Clips on this page" hidden>
    <output id="shown" for="words"></output>
    <label>Search <input id="words" type="search" autocomplete="off" spellcheck="false"></label>
    <label>Sort by <select id="order" autocomplete="off">
    <option value="name">name</option>
    <option value="seconds">duration</option>
    <option value="bytes">file size</option>
    </select></label>
    <fieldset id="which">
    <legend>Show</legend>
    <label><input type="radio" name="which" value="all" autocomplete="off" checked><span>all</span></label>
    <label><input type="radio" name="which" value="without" autocomplete="off"><span>without cover</span></label>
    </fieldset>
    </form>
    """
}
