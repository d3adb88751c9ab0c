internal import ArgumentParser
package import BoardSupport
internal import ClipService
package import Covers
internal import Files
internal import SystemPackage

/// A path on the command line; see `RawArguments`.
struct PathArgument: ExpressibleByArgument {
  let path: FilePath
  /// Whether the path was written with a trailing slash, which denotes a folder.
  let namesFolder: Bool
  /// The URL that was written instead of a path; a path would lose its second slash.
  private let url: String?

  init?(argument: String) {
    let bytes = RawArguments.bytes(of: argument)
    guard !bytes.isEmpty else { return nil }
    path = FilePath(bytes: bytes)
    namesFolder = bytes.last == UInt8(ascii: "/")
    let scheme = argument.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
    url = !scheme.isEmpty && argument.dropFirst(scheme.count).hasPrefix("://") ? argument : nil
  }

  /// Checks that no path is a URL.
  static func rejectURLs(_ paths: [PathArgument]) throws {
    guard let url = paths.lazy.compactMap(\.url).first else { return }
    throw ValidationError("'\(url)' is a URL: URLs are not supported; use the path of a file")
  }

  static var defaultCompletionKind: CompletionKind { .file() }
}

extension CoverRequest.Artwork: ExpressibleByArgument {}
extension SandboxMode: ExpressibleByArgument {}
extension StoryboardRequest.Layout: ExpressibleByArgument {}
extension SheetStyle.Theme: ExpressibleByArgument {}
extension BoardStyle.Labels: ExpressibleByArgument {}
