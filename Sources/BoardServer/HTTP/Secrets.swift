internal import BoardSupport
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// The three secrets of a board's server.
///
/// They are kept in the user's state folder, so that open pages still work after a restart of the server.
struct Secrets: Sendable {
  /// The secret in the printed address; it allows reading and changing the board.
  let entry: String
  /// The value of the cookie, which allows reading.
  ///
  /// Cookies ignore ports, so another user's server on this machine could see it; it does not allow changes.
  let reading: String
  /// What a page sends with every change.
  let writing: String

  private static let length = 32

  /// Reads the secrets for a board, or makes them on first use.
  ///
  /// - Parameter board: The board's absolute path without links.
  static func ofBoard(at board: FilePath) throws(CommandError) -> Secrets {
    let place = place(ofBoard: board)
    if let known = read(place) { return known }
    let new = Secrets(entry: random(), reading: random(), writing: random())
    do throws(FileReplacementError) {
      try make(new, at: place)
    } catch {
      throw unusable(error)
    }
    return new
  }

  /// Returns the error when a file in the state folder cannot be used.
  static func unusable(_ error: FileReplacementError) -> CommandError {
    CommandError(
      .cannotContinue,
      "cannot \(error.operation) \(error.path.displayText), where the board server keeps its secrets: "
        + "\(error.errno.message); set XDG_STATE_HOME to a folder that you can write to"
    )
  }

  /// Creates the folder for what the program keeps for this user.
  static func makeStateFolder() throws(FileReplacementError) {
    do throws(Errno) {
      try Folder.make(at: stateFolder, permissions: .ownerReadWriteExecute)
    } catch {
      throw FileReplacementError(operation: "create", path: stateFolder, errno: error)
    }
  }

  /// The place of a file that is kept for a board: the one with the secrets, or another.
  static func place(ofBoard board: FilePath, prefix: String = "serve-", suffix: String = "") -> OutputPlace {
    let digest = DerivedName.digest(of: Array(RawArguments.text(of: board).utf8))
    return OutputPlace(stateFolder.appending(prefix + digest + suffix), derivedComponents: 1)
  }

  private static func make(_ secrets: Secrets, at place: OutputPlace) throws(FileReplacementError) {
    try makeStateFolder()
    // A file that is replaced would pass its owner and mode on, which may be why it was not trusted.
    place.remove { _ in true }
    let file = try ReplacementFile(for: place, permissions: .ownerReadWrite)
    do {
      _ = try file.descriptor.writeAll([secrets.entry, secrets.reading, secrets.writing].joined(separator: "\n").utf8)
    } catch {
      throw FileReplacementError(operation: "write", path: place.path, errno: error as? Errno ?? .ioError)
    }
    try file.commit()
  }

  private static func read(_ place: OutputPlace) -> Secrets? {
    guard let file = try? place.openForReading() else { return nil }
    defer { try? file.close() }
    // A file that others can read or have made is not secret.
    guard let status = try? FileStatus(of: file), status.kind == .regular, status.bytes < 1024,
      status.access.isOfThisUser,
      status.access.permissions.isDisjoint(with: [.groupReadWriteExecute, .otherReadWriteExecute])
    else { return nil }
    let bytes = try? [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
      count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    let parts = String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == length }) else { return nil }
    return Secrets(entry: parts[0], reading: parts[1], writing: parts[2])
  }

  /// The folder for what the program keeps for this user.
  static var stateFolder: FilePath {
    let state = getenv("XDG_STATE_HOME").map { FilePath(platformString: $0) }
    let home = getenv("HOME").map { FilePath(platformString: $0) } ?? "/"
    let base = state.flatMap { $0.isAbsolute ? $0 : nil } ?? home.appending(".local").appending("state")
    return base.appending("clipcanvas")
  }

  /// Returns 160 random bits as text.
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<length).map { _ in String(Int.random(in: 0..<32, using: &generator), radix: 32) }.joined()
  }

  /// Whether two secrets are equal, in a time that does not depend on where they differ.
  static func areEqual(_ one: some StringProtocol, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
