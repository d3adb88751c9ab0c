internal import Glibc
package import SystemPackage

/// Test decoders for `CLIPCANVAS_DECODER`.
///
/// A decoder is started with an empty environment, so each is a link with a unique name, and its settings and records
/// are stored next to that link.
package enum TestDecoder {
  /// Creates a decoder that misbehaves according to its settings; `Tests/FaultyDecoder` lists them.
  package static func faulty(
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

  /// Creates a decoder that breaks down once, or with every clip of the given size.
  package static func broken(
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

  /// Creates a link to the real decoder that records each codec it opens in the file `NAME.opened`.
  package static func watched(in scratch: ScratchFolder, as name: String = "decoder") throws -> FilePath {
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
