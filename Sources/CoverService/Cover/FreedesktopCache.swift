public import Covers
public import Files
internal import Glibc
public import SystemPackage

/// The thumbnails that the desktops of a user share, as freedesktop.org's Thumbnail Managing Standard lays them out.
///
/// A thumbnail lies in a folder of its size and is named after the MD5 of its clip's URI, so every program that knows
/// the clip finds it. The cache is private: folders are 0700 and files 0600.
public struct FreedesktopCache: Hashable, Sendable {
  /// How large a thumbnail is at most.
  public enum Size: String, CaseIterable, Sendable {
    case normal
    case large
    case xLarge = "x-large"
    case xxLarge = "xx-large"

    /// The longest side, in pixels.
    public var side: Int {
      switch self {
      case .normal: 128
      case .large: 256
      case .xLarge: 512
      case .xxLarge: 1024
      }
    }

    /// The box that a cover of this size must fit into.
    public var limit: SizeLimit { SizeLimit(width: side, height: side) ?? .none }
  }

  /// The mode of a new thumbnail: 0600.
  public static let filePermissions: FilePermissions = .ownerReadWrite

  /// The mode of a new folder: 0700.
  public static let folderPermissions: FilePermissions = .ownerReadWriteExecute

  /// The folder `thumbnails`, which may be missing yet.
  public let folder: FilePath

  /// - Parameter folder: The folder `thumbnails` of a cache.
  public init(folder: FilePath) {
    self.folder = folder
  }

  /// The cache of the user who runs this program: below `$XDG_CACHE_HOME`, or `$HOME/.cache` where that is not set or
  /// not absolute.
  ///
  /// - Throws: ``ServiceError`` when `HOME` does not help either.
  public static func ofUser() throws(ServiceError) -> FreedesktopCache {
    if let cache = folder(named: "XDG_CACHE_HOME") { return FreedesktopCache(folder: cache.appending("thumbnails")) }
    guard let home = folder(named: "HOME") else {
      throw ServiceError(
        "cannot find the thumbnail cache: neither XDG_CACHE_HOME nor HOME is an absolute path; set one of them"
      )
    }
    return FreedesktopCache(folder: home.appending(".cache").appending("thumbnails"))
  }

  /// The folder of the thumbnails of one size.
  public func folder(of size: Size) -> FilePath { folder.appending(size.rawValue) }

  /// The folder where this version of ClipCanvas notes the clips that gave it no cover.
  public var failFolder: FilePath { folder.appending("fail").appending("clipcanvas-\(ClipCanvasVersion.current)") }

  /// Where the thumbnail of a clip lies.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - size: The size of the thumbnail.
  ///   - currentFolder: What a relative path is relative to; absolute.
  public func place(of clip: FilePath, size: Size, in currentFolder: FilePath = .currentFolder) -> FilePath {
    folder(of: size).appending(Self.fileName(of: clip.uri(in: currentFolder)))
  }

  /// Where the note lies that a clip gave no cover; parameters as in ``place(of:size:in:)``.
  public func failPlace(of clip: FilePath, in currentFolder: FilePath = .currentFolder) -> FilePath {
    failFolder.appending(Self.digest(of: clip.uri(in: currentFolder)) + ".json")
  }

  /// The name of the thumbnail of what a URI names: its MD5 in lower case hexadecimal digits, and `.png`.
  ///
  /// - Parameter uri: As `uri(in:)` of a path gives it.
  public static func fileName(of uri: String) -> String { digest(of: uri) + ".png" }

  private static func digest(of uri: String) -> String { DerivedName.digest(of: Array(uri.utf8)) }

  /// Makes the folder of one size, and those above it, where they are missing.
  ///
  /// - Throws: ``ServiceError`` when that cannot be done.
  public func makeFolder(of size: Size) throws(ServiceError) {
    let path = folder(of: size)
    do {
      try Folder.make(at: path, permissions: Self.folderPermissions)
    } catch {
      throw ServiceError(
        "cannot make the folder \(path.displayText) of the thumbnail cache: "
          + (error == .fileExists ? "a file is in its place or in that of a folder above" : error.words)
          + "; set XDG_CACHE_HOME to a folder that can be written to"
      )
    }
  }

  /// The absolute path in an environment variable; a relative one counts as none, as the base directory specification
  /// has it.
  private static func folder(named variable: String) -> FilePath? {
    guard let value = getenv(variable) else { return nil }
    let path = FilePath(platformString: value)
    return path.isAbsolute ? path : nil
  }
}
