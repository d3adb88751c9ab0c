internal import Files
internal import SystemPackage

/// References from an HTML file to other files, relative to its folder, so that the whole tree can be moved.
///
/// Paths are normalised lexically, as browsers do with URLs: `..` removes a component, and symbolic links are not
/// resolved.
struct RelativeLinks {
  /// The components of the folder that contains the HTML file.
  private let folder: [ArraySlice<UInt8>]
  private let currentFolder: FilePath

  /// - Parameters:
  ///   - file: The path of the HTML file.
  ///   - currentFolder: The folder against which relative paths are resolved; an absolute path.
  init(from file: FilePath, in currentFolder: FilePath = .currentFolder) {
    self.currentFolder = currentFolder
    folder = Self.names(of: file, in: currentFolder).dropLast()
  }

  /// Returns the relative reference to a file.
  ///
  /// All bytes except RFC 3986's unreserved characters are percent-encoded, including the colon, so that no name is
  /// mistaken for a scheme (`clip 13:19:57.webm`), a query or markup.
  func reference(to path: FilePath) -> String {
    let target = Self.names(of: path, in: currentFolder)
    let shared = zip(folder, target).prefix { $0 == $1 }.count
    var reference = String(repeating: "../", count: folder.count - shared)
    for (index, name) in target.enumerated().dropFirst(shared) {
      if index > shared { reference += "/" }
      Self.append(name, to: &reference)
    }
    return reference.isEmpty ? "." : reference
  }

  /// Returns the path components from the root to a file.
  private static func names(of path: FilePath, in folder: FilePath) -> [ArraySlice<UInt8>] {
    let absolute = path.isAbsolute ? path : folder.pushing(path)
    return absolute.lexicallyNormalized().bytes.split(separator: UInt8(ascii: "/"))
  }

  private static let digits = Array("0123456789ABCDEF".unicodeScalars)

  private static func append(_ name: ArraySlice<UInt8>, to reference: inout String) {
    for byte in name {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "~"):
        reference.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        reference += "%"
        reference.unicodeScalars.append(digits[Int(byte >> 4)])
        reference.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
  }
}
