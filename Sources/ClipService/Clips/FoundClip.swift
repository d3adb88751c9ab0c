package import Covers
internal import Files
package import SystemPackage

/// A file whose cover a batch should make.
package struct FoundClip: Sendable {
  /// The path to open.
  package var path: FilePath
  /// The path below another folder than the clip's, which starts with the name of the named folder.
  package var relativePath: FilePath
  /// Whether the user named the file or its extension is that of a clip; otherwise its content decides.
  package var isCertain: Bool
  /// Whether the path may be a symbolic link.
  package var followsLinks: Bool
  /// The clip that was read from standard input and has no path; `nil` for a file.
  private(set) var input: OpenClip?
  /// Whether the clip may be removed before it is processed, which is not reported.
  package var mayVanish = false
  /// The number of components at the end of the path that the user did not name: those found by a walk, or only the
  /// file name.
  package var foundComponents = 1
}

extension FoundClip {
  /// Creates a clip that the user named.
  init(named path: FilePath, relativePath: FilePath) {
    self.init(path: path, relativePath: relativePath, isCertain: true, followsLinks: true)
  }

  /// Creates the clip on standard input.
  init(_ input: InputClip) {
    self.init(named: "-", relativePath: "-")
    self.input = input.clip
  }

  /// Creates a clip that is open already.
  ///
  /// Its name is not a path to open; its extension decides on the format of a raw stream.
  init(opened file: OpenClip, name: FilePath) {
    self.init(named: name, relativePath: name)
    input = file
  }

  /// Whether the clip has a path.
  var isFile: Bool { input == nil }

  /// Returns the URI of the clip; `nil` if it has no path.
  ///
  /// - Parameter folder: The folder that a relative path is resolved against.
  func uri(in folder: FilePath) -> String? { isFile ? path.uri(in: folder) : nil }

  /// Returns the current version of the clip.
  func version() throws(CoverFailure) -> ClipVersion {
    guard let input else { return try ClipVersion(of: path, followsLinks: followsLinks) }
    return input.version
  }

  /// Opens the clip.
  func open() throws(CoverFailure) -> OpenClip {
    guard let input else { return try OpenClip(opening: path, followsLinks: followsLinks) }
    return input
  }

  /// Whether the file turned out not to be a clip when no cover could be made of it.
  ///
  /// - Parameter failure: The failure.
  func isNoClip(after failure: CoverFailure) -> Bool {
    guard !isCertain else { return false }
    switch failure.cause {
    case .unrecognised, .truncated, .damaged:
      let start = start
      return failure.meansNoClip
        ? !StreamSignature.isTransportStream(start) : StreamSignature.isSoundInOgg(start)
    default: return failure.meansNoClip
    }
  }

  /// The first bytes of the file; none if it cannot be read.
  private var start: [UInt8] {
    guard let file = try? open() else { return [] }
    return withExtendedLifetime(file) { file.descriptor.bytes(at: 0, count: StreamSignature.maximumBytes) }
  }

  /// The path in the named folder, which determines the shard that the clip belongs to: machines may mount the folder
  /// under different names.
  var pathInFolder: FilePath {
    let components = relativePath.components
    return components.count > 1 ? FilePath(root: nil, components.dropFirst()) : relativePath
  }
}

/// An item found by a batch.
package enum Finding: Sendable {
  case clip(FoundClip)
  /// A folder, if folders are wanted instead of clips.
  case folder(FilePath, relativePath: FilePath)
  /// A folder that cannot be read.
  case problem(FilePath, CoverFailure)
}
