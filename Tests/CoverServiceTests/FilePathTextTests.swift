import CoverService
import SystemPackage
import TestSupport
import Testing

@Suite("paths as text and URIs")
struct FilePathTextTests {
  @Test(
    "a URI is python's quoting of the absolute path",
    arguments: [
      "/a b/ü.mp4", "/x/../y/./z.mp4", "/100%/a#b?c;d.mp4", "/plain-_.~!$&'()*+,:=@.mp4", "/\u{1F3AC}/[x].mp4",
    ]
  )
  func uri(_ path: String) async throws {
    let script =
      "import os,sys,urllib.parse as u; print('file://'+u.quote(os.path.normpath(sys.argv[1]), safe=\"/-_.~!$&'()*+,:=@\"))"
    let python = try await Program.runTool("python3", ["-c", script, path])
    #expect(FilePath(path).uri(in: "/elsewhere") + "\n" == python.text)
  }

  @Test("a relative path is taken from the folder")
  func relative() {
    #expect(FilePath("clips/a.mp4").uri(in: "/home/me") == "file:///home/me/clips/a.mp4")
    #expect(FilePath("../a.mp4").uri(in: "/home/me") == "file:///home/a.mp4")
  }

  @Test("bytes that are no UTF-8 are kept in a URI and shown escaped")
  func bytes() {
    let path = FilePath(platformString: [0x2F, 0x61, CChar(bitPattern: 0xFF), 0x1B, 0])
    #expect(path.uri(in: "/") == "file:///a%FF%1B")
    #expect(path.displayText == "/a\\xff\\x1b")
    #expect(path.appendingToName(".png").uri(in: "/") == "file:///a%FF%1B.png")
  }
}
