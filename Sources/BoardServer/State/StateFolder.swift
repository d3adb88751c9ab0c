internal import BoardSupport
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// The folder for what the program keeps for this user: secrets, locks and the certificate of shared boards.
enum StateFolder {
  /// The folder's path.
  static var path: FilePath {
    let state = getenv("XDG_STATE_HOME").map { FilePath(platformString: $0) }
    let home = getenv("HOME").map { FilePath(platformString: $0) } ?? "/"
    let base = state.flatMap { $0.isAbsolute ? $0 : nil } ?? home.appending(".local").appending("state")
    return base.appending("clipcanvas")
  }

  /// Creates the folder.
  static func make() throws(FileReplacementError) {
    do throws(Errno) {
      try Folder.make(at: path, permissions: .ownerReadWriteExecute)
    } catch {
      throw FileReplacementError(operation: "create", path: path, errno: error)
    }
  }

  /// Returns the place of a file.
  static func place(_ name: String) -> OutputPlace { OutputPlace(path.appending(name), derivedComponents: 1) }

  /// Returns the place of a file that is kept for a board: the one with the secrets, or another.
  ///
  /// - Parameter board: The board's absolute path without links.
  static func place(ofBoard board: FilePath, prefix: String = "serve-", suffix: String = "") -> OutputPlace {
    place(prefix + DerivedName.digest(of: Array(RawArguments.text(of: board).utf8)) + suffix)
  }

  /// Returns the content of a file; `nil` if it is missing, or if others could have read or made it.
  ///
  /// - Parameter maximum: The number of bytes that the file may have.
  static func read(_ place: OutputPlace, maximum: Int) -> [UInt8]? {
    guard let file = try? place.openForReading() else { return nil }
    defer { try? file.close() }
    guard let status = try? FileStatus(of: file), status.kind == .regular, status.bytes <= maximum,
      status.access.isOfThisUser,
      status.access.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute])
    else { return nil }
    return try? [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
      count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// Writes a file that only this user can read, in place of an older one.
  static func write(_ text: String, to place: OutputPlace) throws(FileReplacementError) {
    // A file that is replaced would pass its owner and mode on, which may be why it was not trusted.
    place.remove { _ in true }
    let file = try ReplacementFile(
      for: place,
      permissions: .ownerReadWrite,
      creatingFolders: .ownerReadWriteExecute
    )
    do {
      _ = try file.descriptor.writeAll(text.utf8)
    } catch {
      throw FileReplacementError(operation: "write", path: place.path, errno: error as? Errno ?? .ioError)
    }
    try file.commit()
  }

  /// Returns the error when a file in the folder cannot be used.
  static func unusable(_ error: FileReplacementError) -> CommandError {
    CommandError(
      .cannotContinue,
      "cannot \(error.operation) \(error.path.displayText), where the board server keeps its secrets: "
        + "\(error.errno.message); set XDG_STATE_HOME to a folder that you can write to"
    )
  }
}
