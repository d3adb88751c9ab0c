package import Covers
internal import Files
internal import Glibc
package import SystemPackage

/// The thumbnails shared by a user's desktops, stored according to freedesktop.org's Thumbnail Managing Standard.
///
/// A thumbnail is stored in the folder for its size and named after the MD5 of its clip's URI, so every program that
/// knows the clip can find it. The cache is private: folders have mode 0700 and files 0600.
package struct FreedesktopCache: Hashable, Sendable {
  /// The maximum size of a thumbnail.
  package enum Size: String, CaseIterable, Sendable {
    case normal
    case large
    case xLarge = "x-large"
    case xxLarge = "xx-large"

    /// The longest side in pixels.
    package var side: Int {
      switch self {
      case .normal: 128
      case .large: 256
      case .xLarge: 512
      case .xxLarge: 1024
      }
    }

    /// The box that a cover of this size must fit into.
    package var limit: SizeLimit { SizeLimit(width: side, height: side) ?? .none }
  }

  /// The mode of a new thumbnail: 0600.
  package static let filePermissions: FilePermissions = .ownerReadWrite

  /// The mode of a new folder: 0700.
  package static let folderPermissions: FilePermissions = .ownerReadWriteExecute

  /// The folder `thumbnails`, which may not exist yet.
  package let folder: FilePath

  /// - Parameter folder: The folder `thumbnails` of a cache.
  package init(folder: FilePath) {
    self.folder = folder
  }

  /// Returns the cache of the user who runs this program: below `$XDG_CACHE_HOME`, or below `$HOME/.cache` if that
  /// variable is not set to an absolute path.
  ///
  /// - Throws: ``ServiceError`` if `HOME` is not an absolute path either.
  package static func ofUser() throws(ServiceError) -> FreedesktopCache {
    if let cache = folder(named: "XDG_CACHE_HOME") { return FreedesktopCache(folder: cache.appending("thumbnails")) }
    guard let home = folder(named: "HOME") else {
      throw ServiceError(
        "cannot find the thumbnail cache: neither XDG_CACHE_HOME nor HOME is an absolute path; set one of them"
      )
    }
    return FreedesktopCache(folder: home.appending(".cache").appending("thumbnails"))
  }

  /// Returns the folder for thumbnails of one size.
  package func folder(of size: Size) -> FilePath { folder.appending(size.rawValue) }

  /// The folder where this version of ClipCanvas records clips that failed.
  package var failFolder: FilePath { folder.appending("fail").appending("clipcanvas-\(ClipCanvasVersion.current)") }

  /// Returns the path of a clip's thumbnail.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - size: The size of the thumbnail.
  ///   - currentFolder: The absolute path that a relative path is resolved against.
  package func place(of clip: FilePath, size: Size, in currentFolder: FilePath = .currentFolder) -> FilePath {
    folder(of: size).appending(Self.fileName(of: clip.uri(in: currentFolder)))
  }

  /// Returns the path of a clip's failure marker; the parameters are those of ``place(of:size:in:)``.
  package func failPlace(of clip: FilePath, in currentFolder: FilePath = .currentFolder) -> FilePath {
    failFolder.appending(Self.digest(of: clip.uri(in: currentFolder)) + ".json")
  }

  /// Returns the file name of the thumbnail for a URI: its MD5 in lower-case hexadecimal digits, and `.png`.
  ///
  /// - Parameter uri: A URI as returned by `uri(in:)`.
  package static func fileName(of uri: String) -> String { digest(of: uri) + ".png" }

  private static func digest(of uri: String) -> String { DerivedName.digest(of: Array(uri.utf8)) }

  /// Creates the folder for one size and any missing parent folders.
  ///
  /// - Throws: ``ServiceError`` if that fails.
  package func makeFolder(of size: Size) throws(ServiceError) {
    let path = folder(of: size)
    do {
      try Folder.make(at: path, permissions: Self.folderPermissions)
    } catch {
      throw ServiceError(
        "cannot make the folder \(path.displayText) of the thumbnail cache: "
          + (error == .fileExists ? "a file has the name of the folder or of a folder above it" : error.message)
          + "; set XDG_CACHE_HOME to a folder that can be written to"
      )
    }
  }

  /// Returns the absolute path in an environment variable; a relative one is ignored, as required by the XDG Base
  /// Directory Specification.
  private static func folder(named variable: String) -> FilePath? {
    guard let value = getenv(variable) else { return nil }
    let path = FilePath(platformString: value)
    return path.isAbsolute ? path : nil
  }
}
