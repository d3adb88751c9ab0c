internal import CoverService
internal import SystemPackage

/// References from an HTML file to other files, relative to its folder, so that a tree can be moved as a whole.
///
/// Paths are taken as they are written: `..` takes a name away, and links of the file system are left in, as a browser
/// does with what it finds in its address.
struct RelativeLinks {
  private let folder: [FilePath.Component]
  private let currentFolder: FilePath

  /// - Parameters:
  ///   - file: Where the references will stand.
  ///   - currentFolder: What relative paths are relative to; absolute.
  init(from file: FilePath, in currentFolder: FilePath = .currentFolder) {
    self.currentFolder = currentFolder
    folder = Array(Self.absolute(file, in: currentFolder).components.dropLast())
  }

  /// The relative reference to a file.
  ///
  /// All bytes but RFC 3986's unreserved ones are percent-encoded, the colon too, so that no name is taken for a scheme
  /// (`clip 13:19:57.webm`), a query or markup.
  func reference(to path: FilePath) -> String {
    let target = Array(Self.absolute(path, in: currentFolder).components)
    let shared = zip(folder, target).prefix { $0 == $1 }.count
    let names = target.dropFirst(shared).map { Self.percentEncoded(FilePath(root: nil, [$0]).bytes) }
    let reference = (Array(repeating: "..", count: folder.count - shared) + names).joined(separator: "/")
    return reference.isEmpty ? "." : reference
  }

  private static func absolute(_ path: FilePath, in folder: FilePath) -> FilePath {
    (path.isAbsolute ? path : folder.pushing(path)).lexicallyNormalized()
  }

  private static func percentEncoded(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "~"):
        String(Unicode.Scalar(byte))
      default:
        "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}
