internal import CCover

/// The FFmpeg libraries loaded by this process.
package enum Libraries {
  /// The versions by library name: `libavformat` → `59.27.100`.
  ///
  /// `ffmpeg` is that of FFmpeg as a whole.
  package static var versions: [String: String] {
    var versions = ccover_versions()
    ccover_get_versions(&versions)
    return [
      "ffmpeg": String(fixed: versions.ffmpeg),
      "libavformat": String(fixed: versions.avformat),
      "libavcodec": String(fixed: versions.avcodec),
      "libavutil": String(fixed: versions.avutil),
      "libswscale": String(fixed: versions.swscale),
    ]
  }
}
