public import SystemPackage

/// Why a place must not be written to.
public struct OutputRefusal: Error, Hashable, Sendable {
  /// What stands there.
  public enum Reason: Hashable, Sendable {
    /// A file that the program did not make.
    case foreign
    /// A symbolic link in a place whose name the program derived.
    case link
    /// Something that is never replaced.
    case special(SpecialFile)
    /// A file that the command reads, such as the clip or the board itself.
    case input(String)
    /// A file that cannot be opened to see what it is.
    case unreadable(Errno)
  }

  /// The place.
  public let path: FilePath
  /// What stands there.
  public let reason: Reason

  /// Creates a refusal.
  public init(path: FilePath, reason: Reason) {
    (self.path, self.reason) = (path, reason)
  }

  /// Whether `--force` would replace what stands there.
  public var canBeForced: Bool {
    switch reason {
    case .foreign, .link, .unreadable: true
    case .special, .input: false
    }
  }

  /// Why, in words that follow the path.
  ///
  /// - Parameter product: What the program would replace there, such as `a cover made by clipcanvas`.
  public func words(product: String) -> String {
    switch reason {
    case .foreign: "exists and is not \(product)"
    case .link: "is a symbolic link, which is followed only where it is named itself"
    case .special(.folder): "is a folder"
    case .special(.pipe): "is a named pipe, not a regular file"
    case .special(.socket): "is a socket, not a regular file"
    case .special(.device): "is a device, not a regular file"
    case .input(let what): "is \(what)"
    case .unreadable(let errno): "exists and cannot be read: \(errno.words)"
    }
  }

  /// What to do about it.
  ///
  /// - Parameters:
  ///   - option: The option that names the place, such as `-o`.
  ///   - takesStandardOutput: Whether that option takes `-` for standard output.
  public func advice(option: String, takesStandardOutput: Bool) -> String {
    switch reason {
    case .special(.pipe), .special(.socket), .special(.device):
      takesStandardOutput
        ? "use \(option) - and redirect standard output, or name a regular file" : "name a regular file with \(option)"
    case .foreign, .link, .unreadable: "name another place with \(option), or replace it with --force"
    case .special(.folder), .input: "name another place with \(option)"
    }
  }
}

extension OutputPlace {
  /// The rule for every output of every command: whether the file there may be created or replaced.
  ///
  /// Nothing and an empty regular file always may be. A regular file may be replaced when the program made it, and any
  /// other one, or a link in a derived place, only when forced; then the link itself is replaced and not its target.
  /// Folders, pipes, sockets, devices and the command's own input never are.
  ///
  /// - Parameters:
  ///   - isForced: Whether the user asked to replace files that the program did not make.
  ///   - inputs: Files that the command reads, each with words for it such as `the clip itself`.
  ///   - isOurs: Whether the program made the file, which is open for reading.
  public func check(
    isForced: Bool,
    sparing inputs: [FileIdentity: String] = [:],
    isOurs: (FileDescriptor) -> Bool
  ) throws(OutputRefusal) {
    switch occupant() {
    case .nothing: return
    case .link:
      guard isForced else { throw refusal(.link) }
    case .special(let kind): throw refusal(.special(kind))
    case .file(let identity, let bytes):
      if let input = inputs[identity] { throw refusal(.input(input)) }
      guard bytes > 0, !isForced else { return }
      let file: FileDescriptor
      do throws(Errno) {
        file = try openForReading()
      } catch {
        throw refusal(.unreadable(error))
      }
      defer { try? file.close() }
      guard isOurs(file) else { throw refusal(.foreign) }
    }
  }

  /// A refusal of this place.
  public func refusal(_ reason: OutputRefusal.Reason) -> OutputRefusal { OutputRefusal(path: path, reason: reason) }
}
