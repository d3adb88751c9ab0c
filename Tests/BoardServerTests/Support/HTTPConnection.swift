import Glibc
import Synchronization
import SystemPackage

/// A connection to a server that sends whatever bytes a test likes.
///
/// No call blocks a thread: a call that would block is repeated after a moment.
actor HTTPConnection {
  /// A bound on waiting that only a server that hangs reaches.
  static let patience = Duration.seconds(60)

  private let socket: Int32
  private var arrived: [UInt8] = []
  private(set) var isAtEnd = false

  /// Connects to a port of this machine.
  init(port: Int) throws {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw Errno(rawValue: errno) }
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(socket)
  }

  // MARK: - Sending

  /// Sends bytes as they are.
  ///
  /// - Throws: `brokenPipe` or `connectionReset` if the server has closed the connection.
  func send(_ bytes: some Collection<UInt8>) async throws {
    let all = Array(bytes)
    var start = 0
    let deadline = ContinuousClock.now + Self.patience
    while start < all.count {
      let count = all.withUnsafeBytes { buffer in
        Glibc.send(socket, buffer.baseAddress?.advanced(by: start), buffer.count - start, Int32(MSG_NOSIGNAL))
      }
      if count > 0 { start += count } else { try await wait(until: deadline) }
    }
  }

  /// Sends a request, without waiting for the answer.
  func send(_ request: TestRequest) async throws { try await send(request.bytes) }

  /// Sends a request and returns the answer.
  func answer(to request: TestRequest) async throws -> TestResponse {
    // A server may answer and close before it has read everything.
    do { try await send(request) } catch Errno.brokenPipe {} catch Errno.connectionReset {}
    return try await response(hasBody: request.method != "HEAD")
  }

  // MARK: - Receiving

  /// Receives a whole response.
  func response(hasBody: Bool = true) async throws -> TestResponse {
    var response = try await head()
    guard hasBody, response.status != 204 else { return response }
    if response["Transfer-Encoding"] == "chunked" {
      while let chunk = try await chunk() { response.body += chunk }
    } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
      while arrived.count < length { try await receive() }
      response.body = Array(arrived.prefix(length))
      arrived.removeFirst(length)
    }
    return response
  }

  /// Receives the status and the headers of a response.
  func head() async throws -> TestResponse { try TestResponse(head: try await bytes(through: "\r\n\r\n")) }

  /// Receives the next chunk of a chunked body; returns `nil` at its end.
  func chunk() async throws -> [UInt8]? {
    let line = String(decoding: try await bytes(through: "\r\n").dropLast(2), as: UTF8.self)
    guard let count = Int(line, radix: 16) else { throw Errno.badMessage }
    while arrived.count < count + 2 { try await receive() }
    let chunk = Array(arrived.prefix(count))
    arrived.removeFirst(count + 2)
    return count > 0 ? chunk : nil
  }

  /// Waits until the server closes the connection; returns what it sent before.
  func end() async throws -> [UInt8] {
    while !isAtEnd {
      do { try await receive() } catch Errno.connectionReset {}
    }
    return arrived
  }

  private func bytes(through end: String) async throws -> [UInt8] {
    let end = Array(end.utf8)
    while true {
      if let range = arrived.firstRange(of: end) {
        let bytes = Array(arrived[..<range.upperBound])
        arrived.removeFirst(bytes.count)
        return bytes
      }
      try await receive()
    }
  }

  private func receive() async throws {
    guard !isAtEnd else { throw Errno.connectionReset }
    let deadline = ContinuousClock.now + Self.patience
    var part: [UInt8] = Array(repeating: 0, count: 1 << 16)
    while true {
      let count = part.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      if count > 0 {
        arrived += part.prefix(count)
        return
      }
      guard count != 0, errno != ECONNRESET else {
        isAtEnd = true
        return
      }
      try await wait(until: deadline)
    }
  }

  /// Waits a moment after a call that would have blocked.
  private func wait(until deadline: ContinuousClock.Instant) async throws {
    let error = Errno(rawValue: errno)
    guard error == .resourceTemporarilyUnavailable || error == .interrupted else { throw error }
    guard ContinuousClock.now < deadline else { throw Errno.timedOut }
    try await Task.sleep(for: .milliseconds(1))
  }
}
