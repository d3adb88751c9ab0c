internal import ArgumentParser
internal import CoverService
internal import Glibc
internal import SystemPackage

/// A folder named on the command line.
enum Folder {
  static func exists(at path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Makes the folder and those above it, where they are missing.
  static func make(at path: FilePath) throws {
    guard !path.isEmpty, !exists(at: path) else { return }
    let parent = path.removingLastComponent()
    if parent != path { try make(at: parent) }
    guard path.withPlatformString({ mkdir($0, 0o777) }) != 0 else { return }
    let error = Errno(rawValue: errno)
    // Somebody else may have made it meanwhile.
    guard !exists(at: path) else { return }
    let reason = error == .fileExists ? "there is a file of that name" : error.words
    Console.complain(
      "clipcanvas: cannot make the folder \(path.displayText): \(reason); name another place with -o"
    )
    throw ExitStatus.couldNotGoOn
  }
}
