internal import Glibc
public import SystemPackage

/// Decoders of the tests' own, for `CLIPCANVAS_DECODER`.
///
/// A decoder is started without an environment, so each is a link with a name of its own, and what it needs to know, or
/// writes down, lies beside that link.
public enum TestDecoder {
  /// A decoder that misbehaves as its settings say; `Tests/FaultyDecoder` lists them.
  public static func faulty(
    _ settings: [String: String],
    in scratch: ScratchFolder,
    as name: String = "decoder"
  ) throws
    -> FilePath
  {
    let lines = settings.map { "\($0.key)=\($0.value)\n" }.joined()
    try scratch.write(lines.utf8, as: name + ".settings")
    return try link("faulty-decoder", in: scratch, as: name)
  }

  /// A decoder that has a mishap once, and always with clips of a size where that is given.
  public static func broken(
    by fault: String,
    in scratch: ScratchFolder,
    as name: String = "decoder",
    bytes: Int? = nil,
    missing: String? = nil
  ) throws -> FilePath {
    var settings = [
      "fault": fault, "mark": scratch("mark").string, "real": ProjectFolder.program("clipcanvas-decoder").string,
    ]
    settings["bytes"] = bytes.map(String.init)
    settings["missing"] = missing
    return try faulty(settings, in: scratch, as: name)
  }

  /// The real decoder, which writes the decoders of libavcodec that it opens into the file `NAME.opened`.
  public static func watched(in scratch: ScratchFolder, as name: String = "decoder") throws -> FilePath {
    try link("watched-decoder", in: scratch, as: name)
  }

  private static func link(_ program: String, in scratch: ScratchFolder, as name: String) throws -> FilePath {
    let link = scratch(name)
    let target = ProjectFolder.program(program)
    _ = link.withPlatformString { unlink($0) }
    guard target.withPlatformString({ target in link.withPlatformString { symlink(target, $0) } }) == 0 else {
      throw Errno(rawValue: errno)
    }
    return link
  }
}
