internal import FoundationEssentials
internal import Glibc
package import SystemPackage

/// The validator of JSON in `Tests/JSONSchemas`, written by others: Debian's python3-jsonschema.
///
/// One process serves all tests of a run, because Python takes longer to start than to validate. It ends with the
/// tests, because its standard input then does.
package actor SchemaValidator {
  /// JSON that is not valid.
  package struct InvalidJSON: Error, CustomStringConvertible {
    /// What was printed or written, and a line for each problem.
    package let description: String
  }

  /// The validator of this run.
  package static let shared = SchemaValidator()

  /// Whether JSON can be validated.
  package static let isHere = ProjectFolder.isThere("/usr/lib/python3/dist-packages/jsonschema")

  /// Whether JSON must be validated, as in `make check`.
  package static let isRequired = getenv("CLIPCANVAS_STRICT") != nil

  /// The reason to skip the validation without it.
  package static let absence = "python3-jsonschema is not installed, so no JSON is validated (make setup)"

  /// The script, to run with ``Program/python``.
  package static let script = ProjectFolder.top.appending("Tests/JSONSchemas/validate.py")

  private let script: FilePath
  private var socket: FileDescriptor?
  private var buffer: [UInt8] = []
  private var process: pid_t?

  /// Creates a validator whose process runs a script; it starts with the first request, and again if it has ended.
  package init(script: FilePath = SchemaValidator.script) { self.script = script }

  deinit {
    try? socket?.close()
    Self.end(process)
  }

  /// Ends the process and reaps it: Swift Testing waits for children of any ID, and hangs at one that has ended.
  private static func end(_ process: pid_t?) {
    guard let process else { return }
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  private struct Request: Encodable {
    let schema: String
    let texts: [String]
  }

  /// Returns a message for each text that is not valid.
  ///
  /// - Parameters:
  ///   - texts: JSON, one value in each.
  ///   - schema: The name of a schema in `Packaging/schemas`.
  package func problems(of texts: [String], schema: String) throws -> [String] {
    guard !texts.isEmpty else { return [] }
    let beginning = ContinuousClock.now
    defer { RunTimes.record(.validation, since: beginning) }
    let request = Array(try JSONEncoder().encode(Request(schema: schema, texts: texts))) + Array("\n".utf8)
    let socket = try self.socket ?? start()
    self.socket = socket
    do {
      return try answer(to: request, over: socket)
    } catch {
      // The next request starts another process.
      self.socket = nil
      buffer = []
      try? socket.close()
      Self.end(process)
      process = nil
      throw InvalidJSON(description: "the validator has ended (\(error)); see its message above")
    }
  }

  /// Sends a request, and returns the decoded answer.
  private func answer(to request: [UInt8], over socket: FileDescriptor) throws -> [String] {
    try Self.send(request, over: socket)
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return try JSONDecoder().decode([String].self, from: Data(buffer[..<end]))
      }
      var part = [UInt8](repeating: 0, count: 1 << 16)
      let count = try part.withUnsafeMutableBytes { try socket.read(into: $0) }
      guard count > 0 else { throw Errno.connectionReset }
      buffer += part.prefix(count)
    }
  }

  /// Writes all bytes; without SIGPIPE, which would end all tests with the validator.
  private static func send(_ bytes: [UInt8], over socket: FileDescriptor) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count >= 0 else { throw Errno(rawValue: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// Starts the process; no other child inherits the socket, or it would outlive the tests.
  private func start() throws -> FileDescriptor {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(rawValue: errno) }
    defer { _ = Glibc.close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    let command = [Program.python.string, script.string, "--serve"]
    var words = command.map { strdup($0) } + [nil]
    defer {
      for word in words { free(word) }
    }
    var pid: pid_t = 0
    let error = posix_spawn(&pid, Program.python.string, &actions, nil, &words, environ)
    guard error == 0 else { throw Errno(rawValue: error) }
    process = pid
    return FileDescriptor(rawValue: ends[0])
  }
}
