import Covers
import SystemPackage
import TestSupport
import Testing

/// A frame as ffmpeg decodes it from the beginning of a clip.
struct ReferenceFrame {
  /// The time from the first frame, in seconds.
  let time: Double
  /// Whether ffprobe calls it a key frame.
  let isKey: Bool
  /// Whether ffprobe reports that it is not predicted from others.
  let isIntra: Bool
  /// The rows, as 8-bit RGB.
  let pixels: RawPixels

  /// Returns all frames of a clip.
  static func all(of clip: FilePath, size: PixelSize) async throws -> [ReferenceFrame] {
    let list = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0"]
        + ["-show_entries", "frame=key_frame,best_effort_timestamp_time,pict_type", "-of", "csv=p=0", clip.string]
    )
    let raw = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", clip.string, "-fps_mode", "passthrough", "-vf", "yadif=deint=interlaced"]
        + ["-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    )
    let bytes = 3 * size.width * size.height
    var frames: [ReferenceFrame] = []
    var start: Double?
    for line in list.text.split(separator: "\n") {
      let parts = line.split(separator: ",")
      guard parts.count >= 3, let time = Double(parts[1]) else { continue }
      start = start ?? time
      let pixels = Array(raw.output.dropFirst(frames.count * bytes).prefix(bytes))
      frames.append(
        ReferenceFrame(
          time: time - (start ?? 0),
          isKey: parts[0] == "1",
          isIntra: parts[2] == "I",
          pixels: RawPixels(width: size.width, height: size.height, channels: 3, bytes: pixels)
        )
      )
    }
    try #require(frames.count == raw.output.count / bytes)
    return frames
  }
}
