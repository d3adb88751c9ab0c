internal import Glibc
package import SystemPackage

extension FilePath {
  /// The folder that relative paths are resolved against.
  package static var currentFolder: FilePath {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return FilePath(platformString: path)
  }

  /// Creates a path from bytes.
  package init(bytes: some Sequence<UInt8>) {
    self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }

  /// The path's bytes, without the terminating NUL.
  package var bytes: [UInt8] {
    withPlatformString { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// The path as text for people.
  package var displayText: String { DisplayText.of(bytes) }

  /// Returns the `file://` URI of the absolute path.
  ///
  /// As in GLib's `g_file_get_uri`, `.` and `..` are removed and links are not resolved, so that all programs find the
  /// thumbnail of a clip under the same name.
  ///
  /// - Parameter folder: The folder that a relative path is resolved against.
  package func uri(in folder: FilePath) -> String {
    let absolute = isAbsolute ? self : folder.pushing(self)
    let bytes = absolute.lexicallyNormalized().bytes
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if Self.isBare(byte) {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), Self.digit(byte >> 4), Self.digit(byte & 15)]
      }
    }
    return "file://" + String(decoding: text, as: UTF8.self)
  }

  /// Creates the path that a `file://` URI refers to.
  ///
  /// Fails if the URI has another scheme, refers to another machine, or contains invalid escapes.
  package init?(uri: String) {
    let scheme = "file://"
    guard uri.hasPrefix(scheme + "/") else { return nil }
    guard let bytes = PercentEncoding.decode(uri.utf8.dropFirst(scheme.utf8.count)), !bytes.contains(0) else {
      return nil
    }
    self.init(bytes: bytes)
  }

  /// Whether a byte is not escaped: RFC 3986's unreserved characters, and reserved characters that GLib does not escape
  /// in paths.
  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default:
      "~!$&'()*+,:=@".utf8.contains(byte)
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
