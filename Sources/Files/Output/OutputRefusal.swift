package import SystemPackage

/// The reason why a place must not be written to.
package struct OutputRefusal: Error, Hashable, Sendable {
  /// What exists at the place.
  package enum Reason: Hashable, Sendable {
    /// A file that the program did not make.
    case foreign
    /// A symbolic link at a place whose name the program derived.
    case link
    /// A kind of file that is never replaced.
    case special(SpecialFile)
    /// A file that the command reads, such as the clip or the board itself.
    case input(String)
    /// A file that is not text, where only text is replaced.
    case data
    /// A file that cannot be opened to check who made it.
    case unreadable(Errno)
  }

  /// The place.
  package let path: FilePath
  /// What exists at the place.
  package let reason: Reason

  /// Creates a refusal.
  package init(path: FilePath, reason: Reason) {
    (self.path, self.reason) = (path, reason)
  }

  /// Whether `--force` would replace the file.
  package var canBeForced: Bool {
    switch reason {
    case .foreign, .link, .unreadable: true
    case .special, .input, .data: false
    }
  }

  /// Returns the reason as text that follows the path in a message.
  ///
  /// - Parameter product: The kind of file the program would replace, such as `a cover made by clipcanvas`.
  package func message(product: String) -> String {
    switch reason {
    case .foreign: "exists and is not \(product)"
    case .link: "is a symbolic link, and only links named on the command line are followed"
    case .special(.folder): "is a folder"
    case .special(.pipe): "is a named pipe, not a regular file"
    case .special(.socket): "is a socket, not a regular file"
    case .special(.device): "is a device, not a regular file"
    case .input(let what): "is \(what)"
    case .data: "is not a text file, and may be a clip"
    case .unreadable(let errno): "exists and cannot be read: \(errno.message)"
    }
  }

  /// What the option for a place takes.
  package enum OptionValue: Sendable {
    case file
    /// A file, or `-` for standard output.
    case fileOrStandardOutput
    /// A folder; the program names the files in it.
    case folder
  }

  /// Returns advice for the user.
  ///
  /// - Parameters:
  ///   - option: The option for the place, such as `-o`.
  ///   - value: What the option takes.
  package func advice(option: String, taking value: OptionValue) -> String {
    switch reason {
    case .special(.pipe), .special(.socket), .special(.device):
      switch value {
      case .file: "specify a regular file with \(option)"
      case .fileOrStandardOutput: "use \(option) - and redirect standard output, or specify a regular file"
      case .folder: "move it away, or specify another folder with \(option)"
      }
    case .foreign, .link, .unreadable: "specify another place with \(option), or replace it with --force"
    case .special(.folder), .input, .data: "specify another place with \(option)"
    }
  }
}

extension OutputPlace {
  /// Checks whether the file at the place may be created or replaced; the rule for every output of every command.
  ///
  /// A missing file may always be created, and an empty regular file always replaced. A regular file may be replaced if
  /// the program made it. Any other regular file, and a link at a derived place, may be replaced only when forced; a
  /// link is then replaced itself, not its target. Folders, pipes, sockets, devices and the command's own input are
  /// never replaced.
  ///
  /// - Parameters:
  ///   - isForced: Whether the user asked to replace files that the program did not make.
  ///   - inputs: Files that the command reads, each with a description such as `the clip itself`.
  ///   - sparesData: Whether only text is replaced, even if forced: any other file may be a clip that the command is
  ///     still going to find.
  ///   - isOurs: Returns whether the program made the file, which is open for reading.
  package func check(
    isForced: Bool,
    sparing inputs: [FileIdentity: String] = [:],
    sparesData: Bool = false,
    isOurs: (FileDescriptor) -> Bool
  ) throws(OutputRefusal) {
    switch occupant() {
    case .nothing: return
    case .link:
      guard isForced else { throw linkRefusal }
    case .special(let kind): throw refusal(.special(kind))
    case .file(let identity, let bytes):
      if let input = inputs[identity] { throw refusal(.input(input)) }
      guard bytes > 0, sparesData || !isForced else { return }
      let file: FileDescriptor
      do throws(Errno) {
        file = try openForReading()
      } catch {
        throw refusal(.unreadable(error))
      }
      defer { try? file.close() }
      if sparesData, !Self.holdsText(file) { throw refusal(.data) }
      guard isForced || isOurs(file) else { throw refusal(.foreign) }
    }
  }

  /// Whether a file begins with text, without control characters but white space.
  private static func holdsText(_ file: FileDescriptor) -> Bool {
    let length = 4096
    let start = file.bytes(at: 0, count: length)
    let isPlain = start.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0C, 0x0D].contains($0) }
    // At the end of what was read, a character may be cut.
    let mayBeCut = start.count == length ? 0...3 : 0...0
    return isPlain && mayBeCut.contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
  }

  /// The refusal to replace the link at this place; named links were followed, unless they form a loop.
  package var linkRefusal: OutputRefusal { refusal(isNamed ? .unreadable(.tooManySymbolicLinkLevels) : .link) }

  /// Returns a refusal to write to this place.
  package func refusal(_ reason: OutputRefusal.Reason) -> OutputRefusal { OutputRefusal(path: path, reason: reason) }
}
