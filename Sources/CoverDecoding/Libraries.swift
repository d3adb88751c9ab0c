internal import CCover

/// The FFmpeg libraries loaded by this process.
public enum Libraries {
  /// The versions by library name: `libavformat` → `59.27.100`.
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
