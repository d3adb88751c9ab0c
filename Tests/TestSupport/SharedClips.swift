public import SystemPackage

/// Real recordings from public test sets, where the project is developed.
public enum SharedClips {
  /// The clips that play, by their path below the folder; empty where there is no such folder.
  public static var valid: [String] { paths(below: "valid/") }

  /// Recordings that are unusual in some way.
  public static var awkward: [String] { paths(below: "awkward/") }

  /// The clips that must be survived.
  public static var hostile: [String] { paths(below: "hostile/") }

  /// Whether they are here.
  public static var areHere: Bool { !valid.isEmpty }

  /// What to say when they are not.
  public static let absence = "the real recordings are not on this machine (../shared/clips)"

  /// Where a clip is.
  public static func path(_ clip: String) -> FilePath {
    FilePath(ProjectFolder.sharedClips.string + "/" + clip)
  }

  private static func paths(below prefix: String) -> [String] {
    guard let manifest = try? ScratchFolder.read(ProjectFolder.sharedClips.appending("MANIFEST.tsv")) else { return [] }
    return String(decoding: manifest, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.split(separator: "\t").first.map(String.init)
    }.filter { $0.hasPrefix(prefix) }
  }
}
