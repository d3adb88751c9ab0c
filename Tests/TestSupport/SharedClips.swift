package import SystemPackage

/// Real recordings from public test sets, available on development machines.
package enum SharedClips {
  /// The paths of the valid clips below the folder; empty if the folder does not exist.
  package static var valid: [String] { paths(below: "valid/") }

  /// The paths of recordings that are unusual in some way.
  package static var awkward: [String] { paths(below: "awkward/") }

  /// The paths of hostile clips, which must do no harm.
  package static var hostile: [String] { paths(below: "hostile/") }

  /// Whether the recordings are available.
  package static var areHere: Bool { !valid.isEmpty }

  /// The reason to skip a test without them.
  package static let absence = "the real recordings are not on this machine (../shared/clips)"

  /// Returns the absolute path of a clip.
  package static func path(_ clip: String) -> FilePath {
    FilePath(ProjectFolder.sharedClips.string + "/" + clip)
  }

  private static func paths(below prefix: String) -> [String] {
    guard let manifest = try? ScratchFolder.read(ProjectFolder.sharedClips.appending("MANIFEST.tsv")) else { return [] }
    return String(decoding: manifest, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: "\t").first.map(String.init)
    }.filter { $0.hasPrefix(prefix) }
  }
}
