internal import Covers
internal import Glibc
public import SystemPackage

extension FilePath {
  /// The folder that relative paths are relative to.
  public static var currentFolder: FilePath {
    guard let path = getcwd(nil, 0) else { return "/" }
    defer { free(path) }
    return FilePath(platformString: path)
  }

  /// The path of these bytes.
  init(bytes: some Sequence<UInt8>) {
    self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }

  /// The path's bytes, without the NUL at their end.
  package var bytes: [UInt8] {
    withPlatformString { start in
      var bytes: [UInt8] = []
      var next = start
      while next.pointee != 0 {
        bytes.append(UInt8(bitPattern: next.pointee))
        next += 1
      }
      return bytes
    }
  }

  /// The path as text for a person.
  public var displayText: String { DisplayText.of(bytes) }

  /// The path with bytes added to its last name.
  public func appendingToName(_ suffix: String) -> FilePath {
    FilePath(bytes: bytes + Array(suffix.utf8))
  }

  /// The `file://` URI of the absolute path: `.` and `..` taken out, links left in, as GLib's `g_file_get_uri` does, so
  /// that the thumbnail of a clip is found by the same name everywhere.
  ///
  /// - Parameter folder: What a relative path is relative to.
  public func uri(in folder: FilePath) -> String {
    let absolute = isAbsolute ? self : folder.pushing(self)
    return "file://" + absolute.lexicallyNormalized().bytes.map(Self.percentEncoded).joined()
  }

  /// RFC 3986's unreserved characters and the reserved ones that GLib leaves bare in a path.
  private static func percentEncoded(_ byte: UInt8) -> String {
    let isBare: Bool
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      isBare = true
    default:
      isBare = "-_.~!$&'()*+,:=@/".utf8.contains(byte)
    }
    guard !isBare else { return String(Unicode.Scalar(byte)) }
    return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
