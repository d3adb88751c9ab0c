import Files
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

  @Test(
    "a path is read from its URI, whatever the case of the escapes",
    arguments: [
      ("file:///a%20b/%C3%BC.mp4", "/a b/ü.mp4"), ("file:///%c3%bc%2Fx", "/ü/x"), ("file:///", "/"),
      ("file:///%01%7e", "/\u{1}~"), ("file:///a%09", "/a\t"),
    ]
  )
  func path(_ uri: String, _ path: String) {
    #expect(FilePath(uri: uri) == FilePath(path))
  }

  @Test(
    "a URI of another kind or machine, or with a broken escape, is not a path",
    arguments: [
      "", "/a", "http:///a", "file://host/a", "file:a", "file:///a%", "file:///a%4", "file:///a%4g", "file:///%00",
      "file:///a%00b",
    ]
  )
  func noPath(_ uri: String) {
    #expect(FilePath(uri: uri) == nil)
  }

  @Test("a URI of every byte that a name can hold is read as the same path")
  func roundTrip() {
    for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
      let path = FilePath(platformString: [0x2F, CChar(bitPattern: byte), 0x78, 0])
      #expect(FilePath(uri: path.uri(in: "/")) == path)
    }
  }

  @Test("bytes that are no UTF-8 are kept in a URI and shown escaped")
  func bytes() {
    let path = FilePath(platformString: [0x2F, 0x61, CChar(bitPattern: 0xFF), 0x1B, 0])
    #expect(path.uri(in: "/") == "file:///a%FF%1B")
    #expect(path.displayText == "/a\\xff\\x1b")
    #expect(path.appendingToName(".png").uri(in: "/") == "file:///a%FF%1B.png")
  }
}
