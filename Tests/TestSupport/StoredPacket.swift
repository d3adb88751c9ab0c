package import SystemPackage

/// A packet of a clip's video as ffprobe finds it, in the order of the file.
package struct StoredPacket: Sendable {
  /// Where its data begins in the file.
  package let position: Int
  /// The number of bytes.
  package let size: Int
  /// Whether the container marks it as a key frame.
  package let isKey: Bool

  /// Returns the packets of the first video stream that have a position.
  package static func all(of clip: FilePath) async throws -> [StoredPacket] {
    let entries = ["-select_streams", "v:0", "-show_entries", "packet=size,pos,flags", "-of", "csv=p=0"]
    let list = try await Program.runTool("ffprobe", ["-v", "error"] + entries + [clip.string])
    return list.text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: ",")
      guard fields.count >= 3, let size = Int(fields[0]), let position = Int(fields[1]) else { return nil }
      return StoredPacket(position: position, size: size, isKey: fields[2].hasPrefix("K"))
    }
  }
}
