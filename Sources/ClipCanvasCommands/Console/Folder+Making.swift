internal import ArgumentParser
internal import BoardSupport
internal import Covers
internal import Files
internal import SystemPackage

extension Folder {
  /// Creates the folder given with `-o`, or prints why that fails and throws an exit status.
  static func makeForCovers(at path: FilePath) throws {
    do {
      try make(at: path)
    } catch {
      let reason = error == .fileExists ? "a file has that name" : error.message
      throw CommandError(
        .cannotContinue,
        "cannot create the folder \(path.displayText): \(reason); specify another with -o"
      )
    }
  }
}
