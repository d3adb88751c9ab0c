internal import CLinux
internal import Glibc
package import SystemPackage

/// Temporary files.
package enum TemporaryFile {
  /// The variable that names the folder for them.
  package static let folderVariable = "TMPDIR"

  /// Returns the folder for temporary files.
  ///
  /// - Parameter usual: The folder if the environment names none.
  package static func folder(usually usual: FilePath) -> FilePath {
    guard let named = getenv(folderVariable), named.pointee != 0 else { return usual }
    return FilePath(platformString: named)
  }

  /// Creates an empty file without a name, open for reading and writing.
  ///
  /// - Throws: The system's error.
  package static func create(in folder: FilePath) throws(Errno) -> FileDescriptor {
    let descriptor = folder.appending("clipcanvas-XXXXXX").withPlatformString { pattern in
      var pattern = Array(UnsafeBufferPointer(start: pattern, count: strlen(pattern) + 1))
      return clinux_temporary_file(&pattern)
    }
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: descriptor)
  }
}
