internal import Covers
internal import SystemPackage

extension RawFormat {
  /// The format that the extension of a file stands for.
  init?(ofFileAt path: FilePath) {
    guard let fileExtension = path.extension else { return nil }
    self.init(fileExtension: fileExtension)
  }
}

/// Whether a file is a clip, judged by its extension.
package enum ClipExtension {
  /// The file is a clip, or is meant to be one, so a failure to make a cover is reported.
  case clip
  /// Other kinds of file have the same extension, such as `.ts` for TypeScript; the content decides.
  case perhaps

  /// Classifies the extension of a file name.
  ///
  /// Fails for an extension that clips do not have.
  package init?(ofName name: some BidirectionalCollection<UInt8>) {
    guard let text = Self.extension(ofName: name) else { return nil }
    if Self.certain.contains(text) {
      self = .clip
    } else if Self.uncertain.contains(text) {
      self = .perhaps
    } else {
      return nil
    }
  }

  /// Whether a file has the extension of a picture or of the index of a storyboard, as most files beside clips do.
  static func isPicture(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    `extension`(ofName: name).map(pictures.contains) ?? false
  }

  /// Returns the extension of a name in lower case; `nil` if it has none that could be in the lists.
  private static func `extension`(ofName name: some BidirectionalCollection<UInt8>) -> String? {
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    guard !ending.isEmpty, ending.count <= longest else { return nil }
    return String(decoding: ending.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  private static let longest = 6
  private static let pictures: Set<String> = ["jpeg", "jpg", "png", "vtt", "webp"]

  /// The extensions of the containers in `CCover/allow_list.c` that contain video.
  private static let certain: Set<String> = [
    "264", "265", "3g2", "3gp", "3gp2", "3gpp", "amv", "asf", "avc", "avi", "braw", "cmfv", "crm", "dav", "divx", "drc",
    "dvr-ms", "f4v", "flv", "gxf", "h264", "h265", "hevc", "insv", "ismv", "ivf", "lrv", "m1v", "m2p", "m2t", "m2ts",
    "m2v", "m4v", "mjpeg", "mjpg", "mk3d", "mkv", "mov", "mp4", "mp4v", "mpe", "mpeg", "mpg", "mpv", "mxf", "nut",
    "obu",
    "ogm", "ogv", "qt", "rm", "rmvb", "tod", "vc1", "vob", "webm", "wmv", "wtv", "xvid", "y4m",
  ]
  private static let uncertain: Set<String> = [
    "360", "av1", "dat", "dv", "lrf", "mod", "mp", "mts", "thm", "tp", "trp", "ts", "vro",
  ]
}
