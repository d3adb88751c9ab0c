public import CanvasModel
internal import Files
internal import Glibc
public import SystemPackage

/// The file of a board: read by anybody at any time, written by one at a time, whole or not at all.
public struct BoardFile: Sendable {
  /// Where it is, symbolic links followed.
  public let path: FilePath

  /// - Parameter path: Where the board is; a symbolic link stays one, and what it leads to is the board.
  public init(at path: FilePath) {
    self.path = OutputPlace.resolvingLinks(path)
  }

  /// The folder that relative paths of clips and covers are relative to.
  public var folder: FilePath {
    let folder = path.removingLastComponent()
    return folder.isEmpty ? "." : folder
  }

  /// The file that is locked by who writes: beside the board and never removed.
  var lockPath: FilePath {
    path.derivingName(prefix: ".", suffix: ".lock")
  }

  /// Far more than any board has, and little enough for memory.
  private static let mostBytes = 1 << 30

  /// The document as it is now; takes no lock and writes nothing.
  public func read() throws(BoardError) -> BoardDocument {
    do throws(UnreadableBoard) {
      return try BoardDocument(parsing: try bytes())
    } catch {
      throw .unreadable(error)
    }
  }

  /// The bytes of the file, a regular one.
  func bytes() throws(UnreadableBoard) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(path, .readOnly, options: [.nonBlocking, .closeOnExec])
      return try file.closeAfter {
        let status = try FileStatus(of: file)
        guard status.kind == .regular else { throw UnreadableBoard.corrupt(Self.notRegular) }
        guard status.bytes <= Self.mostBytes else { throw UnreadableBoard.corrupt("it is larger than 1 GiB") }
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
  ///   - board: What to write.
  ///   - replaces: Whether a file that is there is replaced.
  ///   - lockTimeout: How long to wait for somebody else who writes.
  public func create(
    _ board: Board,
    replaces: Bool = false,
    lockTimeout: Duration = .seconds(5)
  ) throws(BoardError) {
    // Before the lock too, as that lies beside the board: not among devices.
    try checkPlace(replaces: replaces)
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    try checkPlace(replaces: replaces)
    try write(BoardDocument(board).bytes)
  }

  /// Sees that there is a regular file, so that no lock is left beside something that is not a board.
  func checkKind() throws(BoardError) {
    switch OutputPlace(named: path).occupant() {
    case .file: return
    // Why it cannot be looked at is for the reader to say.
    case .nothing:
      do throws(UnreadableBoard) {
        _ = try bytes()
      } catch {
        throw .unreadable(error)
      }
    case .link, .special: throw .unreadable(.corrupt(Self.notRegular))
    }
  }

  private static let notRegular = "it is not a regular file"

  /// Whether a new board may be written here: `--force` replaces any regular file, and nothing else is ever replaced.
  private func checkPlace(replaces: Bool) throws(BoardError) {
    do throws(OutputRefusal) {
      try OutputPlace(named: path).check(isForced: replaces) { _ in false }
    } catch {
      throw error.reason == .foreign ? .exists : .refused(error)
    }
    // An empty file may be the board that somebody lost.
    guard replaces || FileIdentity(of: path) == nil else { throw .exists }
  }

  /// Reads the board, lets it be changed and writes it, while nobody else can: no change of anybody is lost.
  ///
  /// Written is only what has another revision than before. When this returns, it is on the disk.
  ///
  /// - Parameters:
  ///   - lockTimeout: How long to wait for somebody else who writes.
  ///   - wanted: The revision that the board must have.
  ///   - body: Changes the board.
  public func transact<Result>(
    lockTimeout: Duration = .seconds(5),
    ifRevision wanted: Int? = nil,
    _ body: (inout Board) -> Result
  ) throws(BoardError) -> Result {
    try checkKind()
    let lock = try BoardLock(of: self, timeout: lockTimeout)
    removeLeftovers(after: lock)
    var document = try read()
    guard document.schemaVersion <= BoardDocument.schemaVersion else {
      throw .unreadable(.newer(document.schemaVersion))
    }
    let revision = document.board.revision
    if let wanted, wanted != revision { throw .conflict(revision: revision, wanted: wanted) }
    let result = body(&document.board)
    if document.board.revision != revision {
      guard document.board.revision <= BoardDocument.mostRevision else {
        throw .failed(operation: "count the revisions of", path: path, errno: .overflow)
      }
      try write(document.bytes)
    }
    return result
  }

  /// Removes what the holder of the lock before this one has left behind, if it was killed.
  func removeLeftovers(after lock: borrowing BoardLock) {
    if lock.wasAbandoned { ReplacementFile.removeLeftovers(in: folder) }
  }

  /// Puts a new version in the old one's place and sees it onto the disk: file first, then its name.
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
  /// All bytes to the end.
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
