internal import CCover

/// The FFmpeg libraries that this process has loaded.
public enum Libraries {
  /// Versions by library: `libavformat` → `59.27.100`.
  public static var versions: [String: String] {
    var versions = ccover_versions()
    ccover_get_versions(&versions)
    return [
      "libavformat": String(fixed: versions.avformat),
      "libavcodec": String(fixed: versions.avcodec),
      "libavutil": String(fixed: versions.avutil),
      "libswscale": String(fixed: versions.swscale),
    ]
  }
}
