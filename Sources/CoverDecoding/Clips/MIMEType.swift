/// MIME types of clips, as named in the shared MIME database of freedesktop.org where it has one.
enum MIMEType {
  /// Returns the type for FFmpeg's name of a container, the major brand of an MP4, and a codec.
  static func of(container: String, majorBrand: String, codec: String) -> String {
    switch container {
    case "mov,mp4,m4a,3gp,3g2,mj2": movie(majorBrand: majorBrand)
    case "matroska,webm": ["vp8", "vp9", "av1"].contains(codec) ? "video/webm" : "video/x-matroska"
    case "avi": "video/x-msvideo"
    case "asf": "video/x-ms-wmv"
    case "flv", "live_flv": "video/x-flv"
    case "mpegts": "video/mp2t"
    case "mpeg", "mpegvideo": "video/mpeg"
    case "ogg": "video/ogg"
    case "mxf": "application/mxf"
    case "dv": "video/dv"
    case "rm": "application/vnd.rn-realmedia"
    case "h264": "video/h264"
    case "hevc": "video/h265"
    // A raw stream; `video/x-m4v` is an MP4.
    case "m4v": "video/mp4v-es"
    case "gif", "gif_pipe": "image/gif"
    case "apng": "image/apng"
    case "png_pipe": "image/png"
    case "jpeg_pipe": "image/jpeg"
    case "webp_pipe", "webp_anim": "image/webp"
    case "bmp_pipe": "image/bmp"
    case "tiff_pipe": "image/tiff"
    case "j2k_pipe": "image/jp2"
    default: "video/x-\(container.prefix { $0 != "," })"
    }
  }

  private static func movie(majorBrand: String) -> String {
    if majorBrand.hasPrefix("qt") { return "video/quicktime" }
    if majorBrand.hasPrefix("3gp") { return "video/3gpp" }
    if majorBrand.hasPrefix("3g2") { return "video/3gpp2" }
    if majorBrand.hasPrefix("mj") { return "video/mj2" }
    if majorBrand.hasPrefix("avi") { return "image/avif" }
    // QuickTime files from before the introduction of brands do not have one.
    return majorBrand.isEmpty ? "video/quicktime" : "video/mp4"
  }
}
