import SystemPackage
import TestSupport
import Testing

@testable import ClipCanvasCommands

@Suite("Links from an HTML page to other files")
struct RelativeLinksTests {
  @Test(
    "A reference is relative to the folder of the page",
    arguments: [
      ("/a/page.html", "/a/x.png", "x.png"), ("/a/page.html", "/a/b/x.png", "b/x.png"),
      ("/a/b/page.html", "/a/x.png", "../x.png"), ("/a/b/page.html", "/c/d/x.png", "../../c/d/x.png"),
      ("/page.html", "/x.png", "x.png"), ("page.html", "x.png", "x.png"), ("out/page.html", "x.png", "../x.png"),
      ("page.html", "/home/me/x.png", "x.png"), ("../page.html", "x.png", "me/x.png"),
      ("a/./b/../page.html", "a//x.png", "x.png"), ("/a/page.html", "/a", "."),
    ]
  )
  func relative(_ page: String, _ file: String, _ reference: String) {
    let links = RelativeLinks(from: FilePath(page), in: "/home/me")
    #expect(links.reference(to: FilePath(file)) == reference)
  }

  @Test("Names are percent-encoded as by Python's urllib, so that none looks like a scheme, query or markup")
  func encoded() async throws {
    let names = ["clip 13:19:57.webm", "a?b#c.png", "<b>&\"'.png", "100%.png", "ü日本.png", "a+b=c;d.png", "~-_.png"]
    let script = "import sys, urllib.parse; print('\\n'.join(urllib.parse.quote(n, safe='') for n in sys.argv[1:]))"
    let expected = try await Program.runTool("python3", ["-c", script] + names).text
    let links = RelativeLinks(from: "/page.html", in: "/")
    let found = names.map { links.reference(to: FilePath("/" + $0)) + "\n" }.joined()
    #expect(found == expected)
  }
}
