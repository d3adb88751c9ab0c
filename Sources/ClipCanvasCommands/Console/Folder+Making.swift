internal import ArgumentParser
internal import Files
internal import SystemPackage

extension Folder {
  /// Makes a folder that was named with `-o`, or ends the program with the words why not.
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
