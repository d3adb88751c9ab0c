internal import CLinux
internal import Covers
internal import Glibc
package import SystemPackage

/// The reason why a line could not be sent or received.
package enum WireError: Error, Hashable, Sendable {
  /// The other side closed its end or died.
  case closed
  /// Nothing was received before the deadline.
  case timedOut
  /// The received data is not a message of this protocol; the text describes the problem.
  case invalidMessage(String)
  /// A system call failed.
  case system(Errno)
}

/// One end of the socket between `clipcanvas` and a decoder: lines of JSON, with file descriptors attached.
///
/// Calls block. A socket may be used by one thread at a time.
package struct WireSocket: ~Copyable {
  /// The maximum length of a line; a compromised decoder must not be able to fill the parent's memory.
  private static let longestLine = 1 << 20

  private let descriptor: FileDescriptor
  /// Whether the other side may send descriptors.
  private let acceptsDescriptors: Bool
  private var buffer: [UInt8] = []
  /// The received descriptors, each with the position of its line in the buffer.
  private var received: [(lineStart: Int, descriptor: FileDescriptor)] = []

  /// Creates a socket from one end of a connected pair.
  ///
  /// - Parameters:
  ///   - descriptor: The end of the pair; it is closed when the socket is destroyed.
  ///   - acceptsDescriptors: Whether the other side may send descriptors, as a parent does. If it may not, they are
  ///     closed unused and the data sent with them is reported as an invalid message.
  package init(takingOwnershipOf descriptor: FileDescriptor, acceptsDescriptors: Bool) {
    self.descriptor = descriptor
    self.acceptsDescriptors = acceptsDescriptors
  }

  deinit {
    for leftOver in received {
      try? leftOver.descriptor.close()
    }
    try? descriptor.close()
  }

  /// Creates two connected ends: one to keep, and one to pass to a child process.
  package static func makePair() throws(WireError) -> (ours: FileDescriptor, theirs: FileDescriptor) {
    var pair: [Int32] = [-1, -1]
    guard clinux_socket_pair(&pair) == 0 else { throw .system(Errno(rawValue: errno)) }
    return (FileDescriptor(rawValue: pair[0]), FileDescriptor(rawValue: pair[1]))
  }

  /// Sends one message with descriptors; the descriptors are not closed.
  package borrowing func send(
    _ message: some Encodable,
    descriptors: [FileDescriptor] = []
  ) throws(WireError) {
    guard var line = try? CanonicalJSON.line(message) else { throw .invalidMessage("a message that JSON cannot hold") }
    line.append(UInt8(ascii: "\n"))
    var rest = line[...]
    var passing = descriptors.map(\.rawValue)
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { bytes in
        bytes.baseAddress.map { clinux_send(descriptor.rawValue, $0, bytes.count, passing, passing.count) } ?? 0
      }
      guard sent >= 0 else {
        throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(Errno(rawValue: errno))
      }
      rest = rest.dropFirst(sent)
      passing = []
    }
  }

  /// Receives one message.
  ///
  /// The descriptors received with the message belong to the caller.
  ///
  /// - Parameters:
  ///   - type: The type of the message.
  ///   - deadline: When to give up; `nil` waits indefinitely.
  package mutating func receive<Message: Decodable>(
    _ type: Message.Type,
    by deadline: ContinuousClock.Instant? = nil
  ) throws(WireError) -> (message: Message, descriptors: [FileDescriptor]) {
    let (line, descriptors) = try receiveLine(by: deadline)
    do {
      return (try CanonicalJSON.decode(Message.self, from: line), descriptors)
    } catch {
      for descriptor in descriptors {
        try? descriptor.close()
      }
      throw .invalidMessage("a line that is not a \(Message.self)")
    }
  }

  /// Whether the other side is connected and has sent nothing that is still unread.
  package var isQuiet: Bool {
    var poll = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
    return buffer.isEmpty && Glibc.poll(&poll, 1, 0) == 0
  }

  private mutating func receiveLine(
    by deadline: ContinuousClock.Instant?
  ) throws(WireError) -> (line: ArraySlice<UInt8>, descriptors: [FileDescriptor]) {
    var searched = 0
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer[..<end]
        let descriptors = received.filter { $0.lineStart <= end }.map(\.descriptor)
        buffer = Array(buffer[(end + 1)...])
        received = received.filter { $0.lineStart > end }.map { ($0.lineStart - end - 1, $0.descriptor) }
        return (line, descriptors)
      }
      searched = buffer.count
      guard buffer.count < Self.longestLine else { throw .invalidMessage("a line that does not end") }
      try wait(until: deadline)
      try fill()
    }
  }

  private borrowing func wait(until deadline: ContinuousClock.Instant?) throws(WireError) {
    while true {
      let left = deadline.map { ($0 - .now) / .milliseconds(1) }
      // What has arrived counts even if this thread did not run before the deadline.
      let timeout = left.map { Int32(max(0, min($0.rounded(.up), 1e9))) } ?? -1
      var poll = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
      let ready = Glibc.poll(&poll, 1, timeout)
      if ready > 0 { return }
      if ready < 0 && errno != EINTR { throw .system(Errno(rawValue: errno)) }
      if let left, left <= 0 { throw .timedOut }
    }
  }

  private mutating func fill() throws(WireError) {
    var bytes: [UInt8] = Array(repeating: 0, count: 16 * 1024)
    var passed: [Int32] = Array(repeating: -1, count: Int(CLINUX_MOST_DESCRIPTORS))
    var passedCount = 0
    let count =
      acceptsDescriptors
      ? clinux_receive(descriptor.rawValue, &bytes, bytes.count, &passed, &passedCount)
      : clinux_receive(descriptor.rawValue, &bytes, bytes.count, nil, &passedCount)
    guard count >= 0 else {
      switch errno {
      case ECONNRESET: throw .closed
      case EMSGSIZE where !acceptsDescriptors: throw .invalidMessage("unexpected descriptors")
      default: throw .system(Errno(rawValue: errno))
      }
    }
    guard count > 0 else { throw .closed }
    buffer += bytes.prefix(count)
    // The kernel may deliver bytes of earlier lines before those that descriptors were sent with, but none of a later
    // send after them. Descriptors are sent with the first byte of a line, so they belong to the last line that has
    // begun.
    let lineStart = buffer.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    received += passed.prefix(passedCount).map { (lineStart, FileDescriptor(rawValue: $0)) }
  }
}
