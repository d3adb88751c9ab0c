import Files
import SystemPackage
import TestSupport
import Testing

@Suite("Paths as text and URIs")
struct FilePathTextTests {
  @Test(
    "A path's URI matches Python's quoting of the absolute path",
    .enabled(if: Scope.isFull),
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

  @Test("A relative path is resolved against the folder")
  func relative() {
    #expect(FilePath("clips/a.mp4").uri(in: "/home/me") == "file:///home/me/clips/a.mp4")
    #expect(FilePath("../a.mp4").uri(in: "/home/me") == "file:///home/a.mp4")
  }

  @Test(
    "A URI is converted to its path, ignoring the case of escapes",
    arguments: [
      ("file:///a%20b/%C3%BC.mp4", "/a b/ü.mp4"), ("file:///%c3%bc%2Fx", "/ü/x"), ("file:///", "/"),
      ("file:///%01%7e", "/\u{1}~"), ("file:///a%09", "/a\t"),
    ]
  )
  func path(_ uri: String, _ path: String) {
    #expect(FilePath(uri: uri) == FilePath(path))
  }

  @Test(
    "A URI with another scheme or host, or with an invalid escape, is not a path",
    arguments: [
      "", "/a", "http:///a", "file://host/a", "file:a", "file:///a%", "file:///a%4", "file:///a%4g", "file:///%00",
      "file:///a%00b",
    ]
  )
  func noPath(_ uri: String) {
    #expect(FilePath(uri: uri) == nil)
  }

  @Test("A path with any possible byte is unchanged after conversion to a URI and back")
  func roundTrip() {
    for byte in UInt8(1)...255 where byte != UInt8(ascii: "/") {
      let path = FilePath(platformString: [0x2F, CChar(bitPattern: byte), 0x78, 0])
      #expect(FilePath(uri: path.uri(in: "/")) == path)
    }
  }

  @Test("Bytes that are not UTF-8 are preserved in a URI and escaped for display")
  func bytes() {
    let path = FilePath(platformString: [0x2F, 0x61, CChar(bitPattern: 0xFF), 0x1B, 0])
    #expect(path.uri(in: "/") == "file:///a%FF%1B")
    #expect(path.displayText == "/a\\xff\\x1b")
  }
}
