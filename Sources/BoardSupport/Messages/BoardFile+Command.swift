package import BoardStore
internal import Files
internal import Glibc
package import SystemPackage

extension BoardFile {
  /// The board of commands without `--board`: that of the environment variable `CLIPCANVAS_BOARD`, or `board.json`.
  package static var usualPath: FilePath {
    guard let named = getenv("CLIPCANVAS_BOARD"), named.pointee != 0 else { return "board.json" }
    return FilePath(platformString: named)
  }

  /// Returns a command for this board in quotation marks, as it can be pasted into a shell: `'clipcanvas board undo'`,
  /// or `'clipcanvas board undo --board other.json'`.
  ///
  /// - Parameter words: The command and its other arguments, such as `undo`.
  package func command(_ words: String) -> String {
    var option = ""
    if path != Self.usualPath {
      let name = RawArguments.text(of: path)
      option = " --board " + ShellText.quoted(name.hasPrefix("-") ? "./\(name)" : name)
    }
    return "'clipcanvas board \(words)\(option)'"
  }
}
