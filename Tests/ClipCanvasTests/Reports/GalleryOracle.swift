import FoundationEssentials
import SystemPackage
import TestSupport

/// The content of a gallery, read by Python's HTML parser and URL library.
struct GalleryOracle: Decodable {
  /// The error thrown if Python cannot parse a gallery.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// A clip of the gallery: a card, or a row of those without a cover.
  struct Card: Decodable {
    /// The card's CSS classes.
    var classes: [String]
    /// The bytes of the path that the link refers to.
    var clip: [UInt8]
    /// The bytes of the picture's path, if the card has a picture.
    var cover: [UInt8]?
    /// The attributes of the picture.
    var picture: [String: String]?
    /// The text of the clip's name and folder.
    var path: String
    /// The heading of the cause, for a clip without a cover.
    var cause: String?
    /// The values of the attributes that the script reads, by name.
    var data: [String: String]
    /// The texts of the facts, starting with the duration if it is known.
    var facts: [String]
    /// The text of the reason why a cover is missing or degraded.
    var reason: String?
  }

  var title: String
  var cards: [Card]
  /// The distinct names of all elements.
  var elements: [String]
  /// The headings that fold, each with its count.
  var sections: [String]
  /// The digests of the style and the script.
  var digests: [String]
  /// The content security policy.
  var policy: String
  /// The text of the header.
  var header: String

  /// Parses a gallery.
  init(of page: FilePath) async throws {
    let python = try await Program.runTool("python3", ["-c", Self.script, page.string])
    guard python.exitStatus == 0 else { throw Unreadable(description: python.errorOutput) }
    self = try JSONDecoder().decode(GalleryOracle.self, from: Data(python.output))
  }

  private static let script = #"""
    import base64, hashlib, html.parser, json, os, sys, urllib.parse

    path = os.path.abspath(sys.argv[1])
    base = "file://" + urllib.parse.quote(path)

    def resolve(reference):
        url = urllib.parse.urlsplit(urllib.parse.urljoin(base, reference))
        assert (url.scheme, url.netloc, url.query, url.fragment) == ("file", "", "", ""), reference
        return list(urllib.parse.unquote_to_bytes(url.path))

    class Gallery(html.parser.HTMLParser):
        VOID = {"meta", "img", "input"}

        def __init__(self):
            super().__init__()
            self.stack, self.elements, self.cards = [], set(), []
            self.blocks, self.title, self.header, self.policy = [], "", "", ""
            self.sections = []

        def handle_starttag(self, tag, attributes):
            attributes = dict(attributes)
            classes = (attributes.get("class") or "").split()
            self.elements.add(tag)
            if attributes.get("http-equiv") == "Content-Security-Policy":
                self.policy = attributes["content"]
            inside = [name for name, _ in self.stack]
            if tag == "summary":
                self.sections.append("")
            if tag == "li":
                data = {name[5:]: value for name, value in attributes.items() if name.startswith("data-")}
                cause = " ".join(self.sections[-1].split()[:-1]) if "row" in classes else None
                self.cards.append({"classes": classes, "path": "", "facts": [], "data": data, "cause": cause})
            if tag == "a" and "li" in inside:
                self.cards[-1]["clip"] = resolve(attributes["href"])
            if tag == "img" and "li" in inside:
                self.cards[-1]["cover"] = resolve(attributes["src"])
                self.cards[-1]["picture"] = attributes
            if tag in ("script", "style"):
                self.blocks.append("")
            if "reason" in classes:
                self.cards[-1]["reason"] = ""
            if tag == "span" and ("length" in classes or any("facts" in names for _, names in self.stack)):
                self.cards[-1]["facts"].append("")
            if tag not in self.VOID:
                self.stack.append((tag, classes))

        def handle_endtag(self, tag):
            assert self.stack[-1][0] == tag, (tag, self.stack, self.getpos())
            self.stack.pop()

        def handle_data(self, data):
            tags = [tag for tag, _ in self.stack]
            classes = {name for _, names in self.stack for name in names}
            if tags[-1:] == ["title"]: self.title += data
            if tags[-1:] in (["script"], ["style"]): self.blocks[-1] += data
            if "header" in tags: self.header += data
            if "summary" in tags: self.sections[-1] += data
            if "path" in classes: self.cards[-1]["path"] += data
            if "reason" in classes: self.cards[-1]["reason"] += data
            if "length" in classes or "facts" in classes and tags[-1] == "span": self.cards[-1]["facts"][-1] += data

    page = Gallery()
    with open(path, encoding="utf-8", newline="") as file:
        page.feed(file.read())
    page.close()
    assert not page.stack, page.stack
    def digest(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
    print(json.dumps({
        "title": page.title, "cards": page.cards, "elements": sorted(page.elements), "policy": page.policy,
        "header": page.header, "digests": [digest(block) for block in page.blocks], "sections": page.sections,
    }))
    """#
}
