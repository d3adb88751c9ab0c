import Testing

@testable import ClipCanvasCommands

@Suite("Note about an FFmpeg that was not tested")
struct VersionNoteTests {
  @Test(
    "Versions of FFmpeg older than 5.1 or newer than 9 have a note, and the others have none",
    arguments: [
      ("58.134.100", "older"), ("59.18.100", "older"), ("59.36.100", "older"), ("59.37.100", nil), ("60.3.100", nil),
      ("61.19.101", nil), ("62.11.100", nil), ("63.1.102", nil), ("63.200.1", nil), ("64.0.100", "newer"),
      ("100.1.100", "newer"), ("", nil), ("git", nil),
    ]
  )
  func notes(_ version: String, _ word: String?) {
    let expected = word.map { "this FFmpeg is \($0): clipcanvas was tested with FFmpeg 5.1 to 9" }
    #expect(VersionCommand.note(libavcodec: version) == expected)
  }
}
