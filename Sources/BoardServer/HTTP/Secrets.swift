internal import BoardSupport
internal import Covers
internal import Files
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
    let place = StateFolder.place(ofBoard: board)
    if let known = read(place) { return known }
    let new = Secrets(entry: random(), reading: random(), writing: random())
    do throws(FileReplacementError) {
      try StateFolder.write([new.entry, new.reading, new.writing].joined(separator: "\n"), to: place)
    } catch {
      throw StateFolder.unusable(error)
    }
    return new
  }

  private static func read(_ place: OutputPlace) -> Secrets? {
    let bytes = StateFolder.read(place, maximum: 1024) ?? []
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == length }) else { return nil }
    return Secrets(entry: parts[0], reading: parts[1], writing: parts[2])
  }

  /// Returns 160 random bits as text.
  static func random() -> String {
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
