/// A format of raw streams, which have no container and therefore little to be recognised by.
///
/// It is assumed for a clip whose content is not recognised, and is derived from the file extension.
package enum RawFormat: String, Codable, Sendable, CaseIterable {
  case h261, h263, h264, hevc, mpegvideo, m4v, mjpeg, obu, vc1, dirac, cavsvideo, dv

  /// The format that files with a certain extension have; `nil` for all other extensions.
  ///
  /// - Parameter fileExtension: The extension without its dot, in any case.
  package init?(fileExtension: String) {
    switch fileExtension.lowercased() {
    case "h261", "261": self = .h261
    case "h263", "263": self = .h263
    case "h264", "264", "avc", "h26l": self = .h264
    case "hevc", "h265", "265": self = .hevc
    case "m1v", "m2v", "mpv": self = .mpegvideo
    case "m4v": self = .m4v
    case "mjpeg", "mjpg": self = .mjpeg
    case "obu": self = .obu
    case "vc1": self = .vc1
    case "drc": self = .dirac
    case "cavs", "avs": self = .cavsvideo
    case "dv": self = .dv
    default: return nil
    }
  }
}
