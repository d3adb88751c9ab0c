import SystemPackage
import TestSupport
import Testing

/// Segments as browsers record them: without a duration and an index.
enum Recordings {
  /// WebM with VP8 and Opus, as Firefox records.
  static let vp8 = Recording(
    "vp8.webm",
    ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "-f", "webm", "-live", "1"]
  )
  /// WebM with VP9, without sound.
  static let vp9 = Recording(
    "vp9.webm",
    ["-an", "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-f", "webm", "-live", "1"]
  )
  /// Fragmented MP4 with H.264 and Opus, as Chromium records.
  static let mp4 = Recording(
    "h264.mp4",
    ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "libopus"]
      + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]
  )
  /// The same as ``mp4``, taller than wide, as from a phone.
  static let upright = Recording(
    "upright.mp4",
    ["-vf", "transpose", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "libopus"]
      + ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]
  )
}

/// A recording of 2 s with 25 frames a second and a key frame every fifth, made by ffmpeg when it is needed first.
final class Recording: Sendable {
  static let seconds = 2.0

  private let making: Task<[UInt8], any Error>

  init(_ name: String, _ options: [String]) {
    making = Task {
      let scratch = try ScratchFolder()
      let result = try await Program.runTool(
        "ffmpeg",
        ["-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=2"]
          + ["-f", "lavfi", "-i", "sine=duration=2:sample_rate=48000", "-g", "5"] + options + [scratch(name).string]
      )
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
      return try ScratchFolder.read(scratch(name))
    }
  }

  var bytes: [UInt8] { get async throws { try await making.value } }
}

/// The properties of a video according to ffprobe and ffmpeg.
enum VideoCheck {
  /// Returns the duration in the header, in seconds; `nil` if it has no duration.
  static func duration(of video: FilePath) async throws -> Double? {
    let result = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", video.string]
    )
    return Double(result.text.filter { !$0.isWhitespace })
  }

  /// Returns the number of frames that ffmpeg decodes; `nil` if it reports an error.
  static func frames(of video: FilePath) async throws -> Int? {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-i", video.string, "-map", "0:v", "-f", "framemd5", "-"]
    )
    guard result.exitStatus == 0, result.errorOutput.isEmpty else { return nil }
    return result.text.split(separator: "\n").count { !$0.hasPrefix("#") }
  }
}
