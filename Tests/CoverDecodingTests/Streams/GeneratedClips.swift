import SystemPackage
import TestSupport
import Testing

/// Clips made with ffmpeg.
enum GeneratedClips {
  static func make(_ clip: FilePath, _ arguments: [String]) async throws {
    let result = try await Program.runTool("ffmpeg", ["-nostdin", "-v", "error"] + arguments + [clip.string])
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  /// The arguments for a light and a strong compression.
  static func qualities(of codec: String) -> [[String]] {
    switch codec {
    case "h264":
      ["20", "42"].map { ["-c:v", "libx264", "-preset", "fast", "-pix_fmt", "yuv420p", "-qp", $0] }
    case "hevc":
      ["20", "42"].map { ["-c:v", "libx265", "-pix_fmt", "yuv420p", "-x265-params", "qp=\($0):log-level=none"] }
    case "vp8":
      ["20", "60"].map { ["-c:v", "libvpx", "-b:v", "100M", "-qmin", $0, "-qmax", "63", "-crf", $0] }
    case "vp9":
      ["20", "60"].map { ["-c:v", "libvpx-vp9", "-b:v", "0", "-crf", $0, "-deadline", "realtime", "-cpu-used", "8"] }
    case "theora":
      ["7", "1"].map { ["-c:v", "libtheora", "-q:v", $0] }
    case "mjpeg":
      ["3", "20"].map { ["-c:v", codec, "-pix_fmt", "yuvj420p", "-q:v", $0] }
    default:
      ["3", "20"].map { ["-c:v", codec, "-q:v", $0] }
    }
  }
}
