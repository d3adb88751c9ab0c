internal import BoardText
internal import Covers
internal import Files
internal import Glibc
internal import SystemPackage

/// The three secrets of a board's server.
///
/// They are kept in the user's state folder, so that open pages go on after the server was started again.
struct Secrets: Sendable {
  /// What the printed address contains: whoever has it may read and change the board.
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
      throw CommandError(
        .cannotContinue,
        "cannot \(error.operation) \(error.path.displayText), where the secrets of the board's server are kept: "
          + "\(error.errno.message); set XDG_STATE_HOME to a folder of yours"
      )
    }
    return new
  }

  /// The place of the file with the secrets of a board.
  static func place(ofBoard board: FilePath) -> OutputPlace {
    let name = "serve-" + DerivedName.digest(of: Array(RawArguments.text(of: board).utf8))
    return OutputPlace(stateFolder.appending(name), derivedComponents: 1)
  }

  private static func make(_ secrets: Secrets, at place: OutputPlace) throws(FileReplacementError) {
    do throws(Errno) {
      try Folder.make(at: place.folder, permissions: .ownerReadWriteExecute)
    } catch {
      throw FileReplacementError(operation: "create", path: place.folder, errno: error)
    }
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
