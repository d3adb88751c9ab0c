internal import CoverService
internal import Glibc
public import SystemPackage

/// How the paths of clips and covers stand in a board's file.
public enum BoardPath {
  /// A path as text: relative to the board's folder where it lies below it, else absolute.
  ///
  /// Bytes that are no UTF-8 are carried as ``RawArguments`` carries them.
  public static func text(for path: FilePath, in folder: FilePath) -> String {
    var path = absolute(path)
    _ = path.removePrefix(absolute(folder))
    return RawArguments.text(of: path)
  }

  /// The path that a text of a board in this folder stands for.
  public static func path(of text: String, in folder: FilePath) -> FilePath {
    let path = RawArguments.path(of: text)
    return path.isAbsolute ? path : folder.pushing(path)
  }

  /// Where `..` follows a symbolic link, only the system knows what is meant; else links stay as they are named.
  private static func absolute(_ path: FilePath) -> FilePath {
    let path = path.isAbsolute ? path : FilePath.currentFolder.pushing(path)
    guard path.components.contains(where: { $0.kind == .parentDirectory }), let name = path.lastComponent,
      let folder = path.removingLastComponent().withPlatformString({ realpath($0, nil) })
    else { return path.lexicallyNormalized() }
    defer { free(folder) }
    return FilePath(platformString: folder).appending(name).lexicallyNormalized()
  }
}
