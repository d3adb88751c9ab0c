internal import HTTPTypes
internal import Hummingbird

/// A page without the board: the entrance, or why a browser is not let in.
enum PlainPage {
  private static let style = """
    :root { color-scheme: light dark; }
    body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 0 1.5rem; box-sizing: border-box;
      background: light-dark(#f3f4f6, #0f1114); color: light-dark(#1b1e24, #eceef1);
      font: 1.0625rem/1.5 Inter, system-ui, sans-serif; }
    main { max-width: 34rem; }
    h1 { margin: 0 0 0.5rem; font-size: 1.25rem; }
    p { margin: 0 0 0.75rem; overflow-wrap: anywhere; }
    a { color: light-dark(#1f62b5, #7fb4ff); }
    input, button { display: block; box-sizing: border-box; width: 100%; min-height: 3rem; margin: 0.25rem 0 1rem;
      padding: 0 1rem; border: 1px solid light-dark(#868c97, #727986); border-radius: 0.625rem; font: inherit; }
    button { border: 0; background: light-dark(#1f62b5, #7fb4ff); color: light-dark(#fff, #1a1d22); font-weight: 600; }
    button:disabled { opacity: 0.5; }
    """

  /// What allows the style in the policy: its digest.
  static let styleSource = "'sha256-23y6ZqmOEMDC0UxnNYr/OCduC8BamdvrDZEqJ8cLElE='"

  /// Returns the page at the printed address, which gives its tab the right to change the board and opens it.
  ///
  /// A redirection would not do: a browser attributes the redirected request to the page or program that contained the
  /// address, and sends no cookie.
  static func entrance(writing token: String, headers: HTTPFields) -> Response {
    let head = """
      <meta name="clipcanvas-token" content="\(token)">
      <script type="module" src="/enter.js"></script>
      """
    let body = """
      <noscript>
      <h1>The board needs JavaScript</h1>
      <p>Allow it for this address, and load the page again.</p>
      </noscript>
      """
    return response(head: head, body: body, status: .ok, headers: headers)
  }

  /// The page that an invitation leads to.
  static var invitation: Response {
    let body = """
      <h1>Record on a board</h1>
      <form id="join">
      <label for="name">Your name, or that of this phone</label>
      <input id="name" maxlength="40" autocomplete="given-name" placeholder="Phone" enterkeyhint="go">
      <button>Join</button>
      </form>
      <p id="problem" role="alert"></p>
      <noscript><p>The board needs JavaScript. Allow it for this address, and load the page again.</p></noscript>
      """
    return response(head: #"<script type="module" src="/join.js"></script>"#, body: body, status: .ok)
  }

  /// Returns the page for a person whose request was refused.
  static func refusal(_ failure: RequestFailure) -> Response {
    let body = """
      <h1>ClipCanvas</h1>
      <p>\(escaped(failure.sentence))</p>
      \(failure.status == .forbidden ? #"<p><a href="/">Open the board</a></p>"# : "")
      """
    return response(head: "", body: body, status: failure.status)
  }

  private static func response(
    head: String,
    body: String,
    status: HTTPResponse.Status,
    headers: HTTPFields = [:]
  ) -> Response {
    let page = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>ClipCanvas</title>
      <style>\(style)</style>
      \(head)
      <main>
      \(body)
      </main>
      """
    return Response(bytes: Array(page.utf8), type: "text/html; charset=utf-8", status: status, headers: headers)
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
