internal import Files
internal import Glibc
internal import SystemPackage

/// The file that a board's lock is on.
///
/// Its name is derived from the board's, so anything may have that name: a file of the user's, a link to one, a pipe. What
/// is not a lock is never changed.
enum LockFile {
  /// Before a file that may not be opened is tried again: another user may just have created it and not yet given it the
  /// access of the board.
  private static let pauseBeforeSecondTry: useconds_t = 20_000
  private static let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]

  /// Opens the file, and creates it when it is missing.
  static func open(_ path: FilePath) throws(BoardError) -> FileDescriptor {
    while true {
      // An existing file is opened without O_CREAT: in a sticky folder the kernel may deny that for a file of another
      // user's (fs.protected_regular).
      if let file = try openExisting(path) { return file }
      do {
        let options = options.union([.create, .exclusiveCreate])
        return try FileDescriptor.open(path, .readWrite, options: options, permissions: .ownerReadWrite)
      } catch Errno.fileExists {
        // Another process has created it in the meantime.
      } catch {
        throw failure("open the lock", path, error)
      }
    }
  }

  /// Opens the file for writing or else for reading, as `flock` needs no more; `nil` when it is missing.
  private static func openExisting(_ path: FilePath) throws(BoardError) -> FileDescriptor? {
    guard try isThere(path) else { return nil }
    for isLastTry in [false, true] {
      for mode in [FileDescriptor.AccessMode.readWrite, .readOnly] {
        do {
          return try FileDescriptor.open(path, mode, options: options)
        } catch Errno.permissionDenied {
          continue
        } catch Errno.noSuchFileOrDirectory {
          return nil
        } catch {
          throw failure("open the lock", path, error)
        }
      }
      if !isLastTry { usleep(pauseBeforeSecondTry) }
    }
    throw .lockDenied(path)
  }

  /// Whether there is a file of this name.
  ///
  /// Even opening a pipe or a device may have an effect, so this comes first.
  private static func isThere(_ path: FilePath) throws(BoardError) -> Bool {
    let status: FileStatus
    do throws(Errno) {
      status = try FileStatus(of: path, followsLinks: false)
    } catch {
      guard error == .noSuchFileOrDirectory else { throw failure("open the lock", path, error) }
      return false
    }
    try check(status, path)
    return true
  }

  /// Whether the open file is still the file of that name.
  ///
  /// - Throws: ``BoardError/foreignLock(_:_:)`` when it is not a lock.
  static func isInPlace(_ file: FileDescriptor, at path: FilePath) throws(BoardError) -> Bool {
    let opened: FileStatus
    do throws(Errno) {
      opened = try FileStatus(of: file)
    } catch {
      throw failure("open the lock", path, error)
    }
    try check(opened, path)
    return (try? FileStatus(of: path, followsLinks: false))?.identity == opened.identity
  }

  private static func check(_ status: FileStatus, _ path: FilePath) throws(BoardError) {
    switch status.kind {
    case .regular: if status.nameCount > 1 { throw .foreignLock(path, .hasOtherNames) }
    case .link: throw .foreignLock(path, .symbolicLink)
    case .special: throw .foreignLock(path, .notRegular)
    }
  }

  /// The note in the file; `nil` when the file is empty.
  ///
  /// - Throws: ``BoardError/foreignLock(_:_:)`` when the file holds something else.
  static func note(in file: FileDescriptor, at path: FilePath) throws(BoardError) -> LockNote? {
    let bytes: [UInt8]
    do {
      bytes = try [UInt8](unsafeUninitializedCapacity: LockNote.mostBytes + 1) { buffer, count in
        count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      throw failure("read the lock", path, error)
    }
    guard !bytes.isEmpty else { return nil }
    guard let note = LockNote(bytes) else { throw .foreignLock(path, .hasOtherContent) }
    return note
  }

  /// Gives the file the access of the board, so that it can be opened by everybody who can change the board.
  ///
  /// It stays writable for its owner, and nobody runs it.
  static func share(_ file: FileDescriptor, as board: FilePath) {
    guard var access = FileAccess(of: board) else { return }
    let readWrite: FilePermissions = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
    access.permissions = access.permissions.intersection(readWrite).union(.ownerReadWrite)
    access.give(to: file)
  }

  private static func failure(_ operation: String, _ path: FilePath, _ error: any Error) -> BoardError {
    .failed(operation: operation, path: path, errno: error as? Errno ?? .ioError)
  }
}

/// What the holder of a lock writes into its file: which process it is, and since when.
struct LockNote {
  /// More than any note has.
  static let mostBytes = 64

  let processID: Int32
  /// In seconds since 1970.
  let start: Int

  /// The note of this process, from now on.
  init() {
    (processID, start) = (getpid(), time(nil))
  }

  /// Reads a note; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let words = text.dropLast().split(separator: " ")
    guard words.count == 2, let processID = Int32(words[0]), let start = Int(words[1]), processID > 0, start >= 0 else {
      return nil
    }
    (self.processID, self.start) = (processID, start)
    guard self.text == text else { return nil }
  }

  /// The content of the file.
  var text: String { "\(processID) \(start)\n" }

  /// The holder, while it runs.
  ///
  /// A holder that may only read the file cannot replace the note that a killed holder left.
  var holder: LockHolder? {
    guard kill(processID, 0) == 0 || errno == EPERM else { return nil }
    return LockHolder(processID: Int(processID), seconds: Double(max(0, time(nil) - start)))
  }
}
