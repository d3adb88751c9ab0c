internal import Files
internal import Glibc
internal import SystemPackage

/// The file that holds a board's lock.
///
/// Its name is derived from the board's, so anything may have that name: a user's file, a link to one, a pipe. A file
/// that is not a lock is never changed.
enum LockFile {
  /// The pause before another attempt to open a file, in microseconds: its creator, another user, may not have given it
  /// the board's permissions yet.
  private static let pauseBeforeSecondTry: useconds_t = 20_000
  private static let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking, .closeOnExec]

  /// Opens the file, creating it if it is missing.
  static func open(_ path: FilePath) throws(BoardError) -> FileDescriptor {
    while true {
      // An existing file is opened without O_CREAT, which the kernel may deny for another user's file in a sticky
      // folder (fs.protected_regular).
      if let file = try openExisting(path) { return file }
      do {
        let options = options.union([.create, .exclusiveCreate])
        return try FileDescriptor.open(path, .readWrite, options: options, permissions: .ownerReadWrite)
      } catch Errno.fileExists {
        // Another process created it in the meantime.
      } catch {
        throw failure("open the lock", path, error)
      }
    }
  }

  /// Opens the file for writing or, failing that, for reading, which is enough for `flock`; `nil` if it is missing.
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

  /// Returns whether a file of this name exists.
  ///
  /// This is checked before opening, because even opening a pipe or a device may have side effects.
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

  /// Returns whether the open file is still the file at this path.
  ///
  /// - Throws: ``BoardError/foreignLock(_:_:)`` if the file is not a lock.
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

  /// Returns the note in the file, or `nil` if the file is empty.
  ///
  /// - Throws: ``BoardError/foreignLock(_:_:)`` if the file has other content.
  static func note(in file: FileDescriptor, at path: FilePath) throws(BoardError) -> LockNote? {
    let bytes: [UInt8]
    do {
      bytes = try [UInt8](unsafeUninitializedCapacity: LockNote.maximumBytes + 1) { buffer, count in
        count = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      throw failure("read the lock", path, error)
    }
    guard !bytes.isEmpty else { return nil }
    guard let note = LockNote(bytes) else { throw .foreignLock(path, .hasOtherContent) }
    return note
  }

  /// Gives the file the board's owner, group and permissions, so that everyone who can change the board can open it.
  ///
  /// The file remains writable by its owner and is never executable.
  static func share(_ file: FileDescriptor, as board: FilePath) {
    FileAccess(ofFilesOf: board)?.give(to: file)
  }

  private static func failure(_ operation: String, _ path: FilePath, _ error: any Error) -> BoardError {
    .failed(operation: operation, path: path, errno: error as? Errno ?? .ioError)
  }
}

/// The note that a lock holder writes into the lock file: its process ID and when it acquired the lock.
struct LockNote {
  /// An upper bound of a note's length.
  static let maximumBytes = 64

  let processID: Int32
  /// When the lock was acquired, in seconds since 1970.
  let start: Int

  /// Creates the note of this process, starting now.
  init() {
    (processID, start) = (getpid(), time(nil))
  }

  /// Parses a note; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let words = text.dropLast().split(separator: " ")
    guard words.count == 2, let processID = Int32(words[0]), let start = Int(words[1]), processID > 0, start >= 0 else {
      return nil
    }
    (self.processID, self.start) = (processID, start)
    guard self.text == text else { return nil }
  }

  /// The content of the lock file.
  var text: String { "\(processID) \(start)\n" }

  /// The holder; `nil` if it has ended.
  ///
  /// A note may be out of date: a holder that may only read the file cannot replace the note of a killed holder.
  var holder: LockHolder? {
    guard kill(processID, 0) == 0 || errno == EPERM else { return nil }
    return LockHolder(processID: Int(processID), seconds: Double(max(0, time(nil) - start)))
  }
}
