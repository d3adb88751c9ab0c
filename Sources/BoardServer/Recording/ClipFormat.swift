internal import Covers
internal import SystemPackage

/// The format of a clip's file, which determines the type that is sent to browsers and the extension of its name.
///
/// What another program makes of a file depends on its extension. A file can be valid in two formats at once, such as
/// WebM that is also a web page, so its extension is one of the container's, whatever name it was uploaded with.
struct ClipFormat: Equatable {
  /// The MIME type for browsers.
  let mimeType: String
  /// The usual extension, and others that files of the format have.
  private let extensions: [String]

  /// Creates the format of a clip.
  init(of facts: ClipFacts) {
    self.init(container: facts.container, mimeType: facts.mimeType)
  }

  /// - Parameters:
  ///   - container: FFmpeg's name of the container.
  ///   - type: The MIME type according to the decoder.
  init(container: String, mimeType type: String) {
    let isMedia = type.hasPrefix("video/") || ["image/gif", "image/apng", "image/webp", "image/avif"].contains(type)
    // A decoder is not trusted with a type that a browser executes.
    mimeType = isMedia ? type : "application/octet-stream"
    let usual = Self.extensionsOfTypes[type]
    // A file of an unknown format gets a neutral extension.
    extensions = (usual.map { [$0] } ?? []) + (Self.extensions[container] ?? ["dat"])
  }

  /// Returns the stem and the extension of the name under which a file is stored.
  ///
  /// An extension of the format is kept, one of another video format is replaced, and any other is part of the stem.
  func parts(ofName name: String) -> (stem: String, fileExtension: String) {
    let path = FilePath(name)
    guard let stem = path.stem, let ending = path.extension else { return (name, extensions[0]) }
    if extensions.contains(ending.lowercased()) { return (stem, ending) }
    return (Self.all.contains(ending.lowercased()) ? stem : name, extensions[0])
  }

  /// The usual extension where one container has several MIME types.
  private static let extensionsOfTypes = [
    "video/mp4": "mp4", "video/quicktime": "mov", "video/3gpp": "3gp", "video/3gpp2": "3g2", "video/mj2": "mj2",
    "image/avif": "avif", "video/webm": "webm", "video/x-matroska": "mkv",
  ]

  /// The extensions of the containers that decoders accept, the usual one first.
  private static let extensions = [
    "mov,mp4,m4a,3gp,3g2,mj2": [
      "mp4", "mov", "m4v", "qt", "3gp", "3gpp", "3g2", "3gp2", "f4v", "mp4v", "insv", "lrv", "360",
    ],
    "matroska,webm": ["mkv", "webm", "mk3d"],
    "avi": ["avi", "divx", "xvid"],
    "asf": ["wmv", "asf"],
    "flv": ["flv"],
    "live_flv": ["flv"],
    "mpegts": ["ts", "mts", "m2ts", "m2t"],
    "mpeg": ["mpg", "mpeg", "vob", "mod", "tod", "vro", "m2p", "mpe"],
    "mpegvideo": ["m2v", "m1v", "mpv"],
    "ogg": ["ogv", "ogm"],
    "mxf": ["mxf"],
    "gxf": ["gxf"],
    "dv": ["dv"],
    "nut": ["nut"],
    "rm": ["rm", "rmvb"],
    "wtv": ["wtv"],
    "ivf": ["ivf"],
    "h261": ["h261"],
    "h263": ["h263"],
    "h264": ["h264", "264", "avc"],
    "hevc": ["hevc", "h265", "265"],
    "m4v": ["m4v"],
    "vc1": ["vc1"],
    "vc1test": ["rcv"],
    "obu": ["obu"],
    "av1": ["obu", "av1"],
    "dirac": ["drc"],
    "cavsvideo": ["cavs"],
    "dhav": ["dav"],
    "yuv4mpegpipe": ["y4m"],
    "mjpeg": ["mjpeg", "mjpg"],
    "mjpeg_2000": ["mj2"],
    "gif": ["gif"],
    "gif_pipe": ["gif"],
    "apng": ["apng", "png"],
    "png_pipe": ["png"],
    "jpeg_pipe": ["jpg", "jpeg"],
    "webp_pipe": ["webp"],
    "bmp_pipe": ["bmp"],
    "tiff_pipe": ["tiff", "tif"],
    "j2k_pipe": ["jp2"],
  ]

  private static let all = Set(extensions.values.joined())
}
