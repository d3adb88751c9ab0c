internal import ArgumentParser
internal import Files
internal import SystemPackage

extension Folder {
  /// Creates the folder given with `-o`, or prints why that fails and throws an exit status.
  static func makeForCovers(at path: FilePath) throws {
    do {
      try make(at: path)
    } catch {
      let reason = error == .fileExists ? "there is a file of that name" : error.words
      Console.complain(
        "clipcanvas: cannot make the folder \(path.displayText): \(reason); name another place with -o"
      )
      throw ExitStatus.couldNotGoOn
    }
  }
}
