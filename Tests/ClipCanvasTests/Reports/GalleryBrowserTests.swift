import SystemPackage
import TestSupport
import Testing

@Suite("Gallery in a browser")
struct GalleryBrowserTests {
  @Test(
    "In Chromium, the page previews, plays, searches, sorts and filters clips, by pointer, finger and keyboard",
    .enabled(if: Scope.isFull),
    .enabled(if: Browser.isHere, Comment(rawValue: Browser.absence))
  )
  func page() async throws {
    let scratch = try ScratchFolder()
    let program = ProjectFolder.program("clipcanvas").string
    let result = try await Browser.run("gallery_page.py", [program, scratch.path.string])
    #expect(result.exitStatus == 0, "\(result.text) \(result.errorOutput)")
    #expect(result.text.hasSuffix("0 checks failed\n"))
  }
}
