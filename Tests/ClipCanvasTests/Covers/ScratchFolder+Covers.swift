import TestSupport
import Testing

extension ScratchFolder {
  /// Makes a clip of one of ffmpeg's sources of pictures.
  func makeClip(_ name: String, of source: String, _ options: [String]) async throws {
    let words = ["-v", "error", "-y", "-f", "lavfi", "-i", source] + options + [name]
    let result = try await Program.runTool("ffmpeg", words, in: path)
    try #require(result.exitStatus == 0, "\(words): \(result.errorOutput)")
  }

  /// Checks that the cover of a clip at a time shows the frame with this number, as ffmpeg decodes it.
  func expectCover(of clip: String, at time: String, frame: Int) async throws {
    let words = ["cover", "--json", "--force", "--at", time, "-o", "cover.png", clip]
    let result = try await Program.run("clipcanvas", words, in: path)
    try #require(result.exitStatus == 0 && result.text.contains(#""status":"cover""#), "\(clip) at \(time): \(result)")
    let cover = try await Oracle.pixels(ofPNG: self("cover.png"), hasAlpha: false)
    let wanted = try await Oracle.cover(of: self(clip), frame: frame)
    let difference = try #require(PixelDifference(cover, wanted))
    #expect(difference.decibels > 40, "\(clip) at \(time): \(difference)")
  }
}
