internal import Glibc
package import SystemPackage

extension RawArguments {
  /// Returns a path as text that holds each of its bytes.
  package static func text(of path: FilePath) -> String {
    path.withPlatformString { start in text(ofBytes: UnsafeBufferPointer(start: start, count: strlen(start))) }
  }

  /// Returns the path that a text made by ``text(of:)`` or ``text(ofBytes:)`` stands for.
  package static func path(of text: String) -> FilePath {
    FilePath(platformString: bytes(of: text).map { CChar(bitPattern: $0) } + [0])
  }
}
