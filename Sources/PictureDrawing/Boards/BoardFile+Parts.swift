package import BoardStore
internal import BoardSupport
package import CanvasModel
package import Files
internal import SystemPackage

extension BoardFile {
  /// Returns the files that belong to a board, with a description of each, which no picture or video of it may replace.
  package func parts(of board: Board) -> [FileIdentity: String] {
    var parts: [(path: FilePath, description: String)] = [(path, "the board itself"), (lockPath, "the board's lock")]
    for canvas in board.canvases {
      let name = DisplayName.of(canvas.id)
      if let clip = canvas.clip {
        parts.append((BoardPath.path(of: clip.file.path, in: folder), "the clip of \(name)"))
      }
      for take in canvas.takes {
        parts.append((BoardPath.path(of: take.clip.file.path, in: folder), "a take of \(name)"))
      }
      for case .ready(let cover) in [canvas.cover] + canvas.takes.map(\.cover) {
        parts.append((BoardPath.path(of: cover.path, in: folder), "the cover of \(name)"))
      }
    }
    let known = parts.compactMap { part in FileIdentity(of: part.path).map { ($0, part.description) } }
    return Dictionary(known) { first, _ in first }
  }
}
