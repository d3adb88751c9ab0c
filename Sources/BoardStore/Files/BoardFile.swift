package import CanvasModel
internal import Files
internal import Glibc
package import SystemPackage

/// A board's file: readable at any time, written by one process at a time, and replaced atomically.
package struct BoardFile: Sendable {
  /// The path of the file, with symbolic links resolved.
  package let path: FilePath

  /// Creates a reference to a board's file, without reading it.
  ///
  /// - Parameter path: The path of the board. If it is a symbolic link, the link is kept and its target is the board.
  package init(at path: FilePath) {
    self.path = OutputPlace.resolvingLinks(path)
  }

  /// The folder against which relative clip and cover paths are resolved.
  package var folder: FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// The folder for the board's covers; for `board.json`, this is `board.covers`.
  package var coversFolder: FilePath { folder.pushing(path.nameOfBoardCovers) }

  /// The folder for the clips that browsers record; for `board.json`, this is `board.clips`.
  package var clipsFolder: FilePath { folder.pushing(path.nameOfBoardClips) }

  /// The path of the file that writers lock, which is next to the board and is never removed.
  package var lockPath: FilePath {
    path.derivingName(prefix: ".", suffix: ".lock")
  }

  /// A document together with the text that it was read from or written as.
  typealias Stored = (document: BoardDocument, text: DocumentText)
  /// A board together with the text that it was read from or written as.
  typealias Source = (board: Board, text: DocumentText)

  /// Reads the current document, without taking the lock or writing anything.
  package func read() throws(BoardError) -> BoardDocument { try readWithSize().document }

  /// Returns the current document and its size in bytes.
  private func readWithSize() throws(BoardError) -> (document: BoardDocument, size: Int) {
    do throws(UnreadableBoard) {
      let bytes = try bytes()
      return (try BoardDocument(parsing: bytes), bytes.count)
    } catch {
      throw .unreadable(error)
    }
  }

  /// Returns the current document and its text.
  ///
  /// - Parameter known: A document that was stored before; if the file still contains its text, it is not parsed again.
  func readStored(orKnown known: Stored?) throws(BoardError) -> Stored {
    do throws(UnreadableBoard) {
      let bytes = try bytes()
      if let known, known.text.bytes == bytes { return known }
      let document = try BoardDocument(parsing: bytes)
      return (document, document.text(readFrom: bytes))
    } catch {
      throw .unreadable(error)
    }
  }

  /// Returns the contents of the file, which must be a regular file.
  ///
  /// - Parameter maximum: The maximum size, a power of 1024 times a whole number.
  func bytes(maximum: Int = BoardDocument.maximumBytes) throws(UnreadableBoard) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
      return try file.closeAfter {
        let status = try FileStatus(of: file)
        guard status.kind == .regular else { throw UnreadableBoard.notFile }
        guard status.bytes <= maximum else {
          throw UnreadableBoard.corrupt("it is larger than \(maximum >> 20) MiB")
        }
        return try file.readAll(expecting: status.bytes)
      }
    } catch let error as UnreadableBoard {
      throw error
    } catch {
      let error = error as? Errno ?? .ioError
      throw error == .noSuchFileOrDirectory ? .missing : .denied(error)
    }
  }

  /// Writes a new board.
  ///
  /// - Parameters:
  ///   - board: The board to write.
  ///   - replaces: Whether to replace an existing file.
  ///   - lockTimeout: How long to wait for another writer.
  package func create(
    _ board: Board,
    replaces: Bool = false,
    lockTimeout: Duration = .seconds(5)
  ) throws(BoardError) {
    // Also checked before locking, because the lock file is created next to the board, which must not be in /dev.
    try checkPlace(replaces: replaces)
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    try checkPlace(replaces: replaces)
    try write(BoardDocument(board).bytes)
  }

  /// Checks that the file is a regular file, so that no lock file is left next to something that is not a board.
  func checkKind() throws(BoardError) {
    switch OutputPlace(named: path).occupant() {
    case .file: return
    // Reading the file reports why it is inaccessible.
    case .nothing:
      do throws(UnreadableBoard) {
        _ = try bytes()
      } catch {
        throw .unreadable(error)
      }
    case .link, .special: throw .unreadable(.notFile)
    }
  }

  /// Checks that a new board may be written here.
  ///
  /// With `replaces`, a board is replaced, damaged or not, but never anything else.
  private func checkPlace(replaces: Bool) throws(BoardError) {
    do throws(OutputRefusal) {
      try OutputPlace(named: path).check(isForced: replaces) { _ in false }
    } catch {
      guard error.reason == .foreign else { throw .refused(error) }
    }
    guard FileIdentity(of: path) != nil else { return }
    guard try mayBeBoard() else { throw .notBoard }
    guard replaces else { throw .exists }
  }

  /// Whether the file begins like a board, or is empty, which may be what is left of a lost one.
  ///
  /// A board begins with its canvases, or with members that others added.
  private func mayBeBoard() throws(BoardError) -> Bool {
    do {
      let file = try OutputPlace(named: path).openForReading()
      var start = [UInt8](repeating: 0, count: 64 << 10)
      let count = try file.closeAfter { try start.withUnsafeMutableBytes { try file.read(into: $0) } }
      let text = start.prefix(count).drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
      let members = ["canvases", "schemaVersion"].map { Array("\"\($0)\"".utf8) }
      return text.isEmpty || (text.first == UInt8(ascii: "{") && members.contains { text.contains($0) })
    } catch {
      throw .unreadable(.denied(error as? Errno ?? .ioError))
    }
  }

  /// Reads, changes and writes the board while holding its lock, so that no other process's change is lost.
  ///
  /// The board is written only if its revision changed or a part of its history was forgotten. When this method returns, the new board is on disk.
  ///
  /// - Parameters:
  ///   - lockTimeout: How long to wait for another writer.
  ///   - wanted: The revision that the board must have; `nil` for any.
  ///   - body: A closure that changes the board.
  package func transact<Result>(
    lockTimeout: Duration = .seconds(5),
    ifRevision wanted: Int? = nil,
    _ body: (inout Board) -> Result
  ) throws(BoardError) -> Result {
    try checkKind()
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    var (document, size) = try readWithSize()
    return try change(&document, ifRevision: wanted, body) { $0.fittingText(expecting: size) }.result
  }

  /// Performs a transaction, and returns what was stored before and what is stored afterwards.
  ///
  /// - Parameter known: A document that was stored before; if the file still contains its text, it is not parsed again.
  func transact<Result>(
    from known: Stored?,
    lockTimeout: Duration,
    _ body: (inout Board) -> Result
  ) throws(BoardError) -> (result: Result, old: Stored, new: Stored) {
    try checkKind()
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    let old = try readStored(orKnown: known)
    var document = old.document
    let (result, text) = try change(&document, body) { $0.fittingText(replacing: old, expecting: old.text.bytes.count) }
    return (result, old, text.map { (document, $0) } ?? old)
  }

  /// Changes a document, and writes its text if its revision or its history changed; the lock must be held.
  private func change<Result>(
    _ document: inout BoardDocument,
    ifRevision wanted: Int? = nil,
    _ body: (inout Board) -> Result,
    text: (inout BoardDocument) -> DocumentText?
  ) throws(BoardError) -> (result: Result, text: DocumentText?) {
    guard !document.isNewer else { throw .unreadable(.newer(document.schemaVersion)) }
    let revision = document.board.revision
    if let wanted, wanted != revision { throw .conflict(revision: revision, wanted: wanted) }
    let oldest = document.board.history.transactions.first?.revision
    let result = body(&document.board)
    guard document.board.revision != revision || document.board.history.transactions.first?.revision != oldest else {
      return (result, nil)
    }
    guard document.board.revision <= BoardDocument.maximumRevision else {
      throw .failed(operation: "count the revisions of", path: path, errno: .overflow)
    }
    guard let text = text(&document) else { throw .tooLarge }
    try write(text.bytes)
    return (result, text)
  }

  /// Removes the temporary files of the previous lock holder, if it was killed.
  func removeLeftovers(after lock: borrowing BoardLock) {
    if lock.wasAbandoned { ReplacementFile.removeLeftovers(in: folder) }
  }

  /// Replaces the file with a new version and syncs it to disk: first the file, then its folder.
  func write(_ bytes: [UInt8]) throws(BoardError) {
    do throws(FileReplacementError) {
      let file = try ReplacementFile(for: path, permissions: .ownerReadWrite)
      do {
        _ = try file.descriptor.writeAll(bytes)
      } catch {
        throw FileReplacementError(operation: "write", path: path, errno: error as? Errno ?? .ioError)
      }
      try file.commit(syncsFolder: true)
    } catch {
      guard !error.isInPlace else { throw .unsynced(folder: error.path, errno: error.errno) }
      throw .failed(operation: error.operation, path: error.path, errno: error.errno)
    }
  }
}

extension FileDescriptor {
  /// Reads all bytes up to the end of the file.
  fileprivate func readAll(expecting expected: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(expected + 1)
    while true {
      let part = try [UInt8](unsafeUninitializedCapacity: max(expected + 1 - bytes.count, 4096)) { buffer, count in
        count = try read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      guard !part.isEmpty else { return bytes }
      bytes += part
    }
  }
}
