internal import Files
internal import Glibc
package import SystemPackage

/// Conversion of clip and cover paths to and from the text stored in a board's file.
package enum BoardPath {
  /// Returns a path as text: relative if it is inside the board's folder, absolute otherwise.
  ///
  /// Bytes that are not UTF-8 are encoded as in `RawArguments`.
  package static func text(for path: FilePath, in folder: FilePath) -> String {
    var path = absolute(path)
    _ = path.removePrefix(absolute(folder))
    return RawArguments.text(of: path)
  }

  /// Returns the ID of a canvas or take as a part of a file name.
  ///
  /// It has at most 64 characters, and only those that are valid on every file system; others are replaced by `_`.
  package static func namePart(of id: some CustomStringConvertible) -> String {
    let characters = id.description.unicodeScalars.prefix(64).map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        ? Character(scalar) : "_"
    }
    return String(characters)
  }

  /// Returns the path for a text stored in a board in this folder.
  package static func path(of text: String, in folder: FilePath) -> FilePath {
    let path = RawArguments.path(of: text)
    return path.isAbsolute ? path : folder.pushing(path)
  }

  /// Returns an absolute, normalised path.
  ///
  /// Symbolic links are kept, except in the folder of a path with `..`, whose meaning depends on them.
  private static func absolute(_ path: FilePath) -> FilePath {
    let path = path.isAbsolute ? path : FilePath.currentFolder.pushing(path)
    guard path.components.contains(where: { $0.kind == .parentDirectory }), let name = path.lastComponent,
      let folder = path.removingLastComponent().withPlatformString({ realpath($0, nil) })
    else { return path.lexicallyNormalized() }
    defer { free(folder) }
    return FilePath(platformString: folder).appending(name).lexicallyNormalized()
  }
}
