public import ArgumentParser
internal import BoardText
internal import CoverService
public import Covers
internal import Files
internal import SystemPackage

/// A path on the command line; see ``RawArguments``.
struct PathArgument: ExpressibleByArgument {
  let path: FilePath
  /// Whether the path was written with a trailing slash, which denotes a folder.
  let namesFolder: Bool

  init?(argument: String) {
    let bytes = RawArguments.bytes(of: argument)
    guard !bytes.isEmpty else { return nil }
    path = FilePath(platformString: (bytes + [0]).map { CChar(bitPattern: $0) })
    namesFolder = bytes.last == UInt8(ascii: "/")
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

extension CoverRequest.Artwork: ExpressibleByArgument {}
extension SandboxMode: ExpressibleByArgument {}
