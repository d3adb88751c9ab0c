package import BoardStore
package import CanvasModel
internal import Files
package import SystemPackage

/// The removal of clips and covers that neither a board nor its history needs.
///
/// Only files in the folders that ClipCanvas makes for a board are removed: `board.clips` and `board.covers` for
/// `board.json`. A file that the board needs is recognised whatever path leads to it.
package struct BoardCleaning: Sendable {
  /// A file that is not needed.
  package struct Leftover: Hashable, Sendable {
    /// What the file is.
    package enum Kind: String, CaseIterable, Sendable {
      case clip, cover
    }

    /// What the file is.
    package let kind: Kind
    /// The name of the file in its folder.
    fileprivate let name: String
    /// The folder that the file is in.
    fileprivate let folder: FilePath
    /// The size in bytes.
    package let bytes: Int

    /// The path of the file.
    package var path: FilePath { folder.appending(name) }
  }

  private let file: BoardFile

  /// - Parameter file: The board's file.
  package init(of file: BoardFile) {
    self.file = file
  }

  /// Returns the files that neither the board nor its history needs, in the order of their names.
  package func leftovers(of board: Board) -> [Leftover] {
    let needed = neededFiles(of: board)
    return Leftover.Kind.allCases.flatMap { leftovers($0, needed) }
  }

  private func leftovers(_ kind: Leftover.Kind, _ needed: Set<FileIdentity>) -> [Leftover] {
    let path = self.folder(of: kind)
    guard let folder = OpenFolder(at: path), let names = try? folder.names() else { return [] }
    return names.sorted().compactMap { name in
      // Hidden files are being written.
      guard !name.hasPrefix("."), kind != .cover || name.hasSuffix(".png"),
        let file = folder.regularFile(named: name), !needed.contains(file.identity)
      else { return nil }
      return Leftover(kind: kind, name: name, folder: path, bytes: file.bytes)
    }
  }

  private func folder(of kind: Leftover.Kind) -> FilePath {
    switch kind {
    case .clip: file.clipsFolder
    case .cover: file.coversFolder
    }
  }

  private func neededFiles(of board: Board) -> Set<FileIdentity> {
    Set(neededPaths(of: board).compactMap { FileIdentity(of: $0) })
  }

  /// Returns the paths of all clips and covers on a board and in its history.
  private func neededPaths(of board: Board) -> Set<FilePath> {
    let (folder, coversFolder) = (file.folder, file.coversFolder)
    var texts: Set<String> = []
    var covers: Set<FilePath> = []
    func need(_ cover: Cover) { if case .ready(let cover) = cover { texts.insert(cover.path) } }
    func need(_ clip: Clip, _ cover: Cover, on canvas: CanvasID) {
      texts.insert(clip.file.path)
      need(cover)
      // A cover that is being made has its name before the board does.
      let waiting = WaitingCover(canvas: canvas, clip: clip)
      if cover == .pending { covers.insert(coversFolder.appending(BoardCovers.fileName(of: waiting))) }
    }
    for canvas in board.canvases {
      if let clip = canvas.clip { need(clip, canvas.cover, on: canvas.id) }
      for take in canvas.takes { need(take.clip, take.cover, on: canvas.id) }
    }
    for transaction in board.history.transactions {
      for value in transaction.changes.lazy.flatMap({ [$0.old, $0.new] }) {
        switch value {
        case .clip(let clip): texts.insert(clip.file.path)
        case .cover(let cover): need(cover)
        case .keptTake(let take):
          texts.insert(take.clip.file.path)
          need(take.cover)
        default: break
        }
      }
      transaction.covers.values.forEach(need)
    }
    return covers.union(texts.map { BoardPath.path(of: $0, in: folder) })
  }

  /// Removes files, unless the board or its history needs them by now.
  ///
  /// The caller holds the lock of the clips, and that of the board.
  ///
  /// - Returns: The files that were removed.
  package func remove(_ leftovers: [Leftover], from board: Board) -> [Leftover] {
    let needed = neededFiles(of: board)
    return Leftover.Kind.allCases.flatMap { kind -> [Leftover] in
      guard let folder = OpenFolder(at: self.folder(of: kind)) else { return [] }
      return leftovers.filter { leftover in
        guard leftover.kind == kind, let file = folder.regularFile(named: leftover.name) else { return false }
        return !needed.contains(file.identity) && folder.remove(leftover.name)
      }
    }
  }
}

extension Board {
  /// The newest revision whose transaction has a clip that the board itself does not need any more; `nil` without one.
  package var newestRevisionWithFormerClip: Int? {
    let paths = Set(
      canvases.flatMap { canvas in ([canvas.clip].compactMap(\.self) + canvas.takes.map(\.clip)).map(\.file.path) }
    )
    func isFormer(_ value: Value) -> Bool {
      switch value {
      case .clip(let clip): !paths.contains(clip.file.path)
      case .keptTake(let take): !paths.contains(take.clip.file.path)
      default: false
      }
    }
    return history.transactions.last { $0.changes.contains { isFormer($0.old) || isFormer($0.new) } }?.revision
  }
}
