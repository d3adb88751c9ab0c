import Dispatch
import Glibc
import Synchronization
import SystemPackage

/// A TCP port on the loopback interface that counts connections and closes them.
final class LoopbackListener: Sendable {
  /// The port number.
  let port: UInt16
  private let descriptor: Int32
  private let count = Atomic(0)
  private let isStopping = Atomic(false)
  private let accepting = DispatchGroup()

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, size) = (descriptor, length)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        guard bind(descriptor, pointer, size) == 0, listen(descriptor, 16) == 0 else { return Int32(-1) }
        return getsockname(descriptor, pointer, &length)
      }
    }
    guard result == 0 else { throw Errno(rawValue: errno) }
    port = UInt16(bigEndian: address.sin_port)
    DispatchQueue(label: "clipcanvas.listener").async(group: accepting) { self.accept() }
  }

  /// Stops listening and returns the number of connections.
  func stop() async -> Int {
    isStopping.store(true, ordering: .relaxed)
    await withCheckedContinuation { continuation in
      accepting.notify(queue: .global()) { continuation.resume() }
    }
    return count.load(ordering: .relaxed)
  }

  /// Accepts connections until `isStopping` is set and none is pending.
  private func accept() {
    while true {
      let isLast = isStopping.load(ordering: .relaxed)
      var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard Glibc.poll(&poll, 1, 10) > 0 else {
        if isLast { break }
        continue
      }
      let visitor = Glibc.accept(descriptor, nil, nil)
      guard visitor >= 0 else { continue }
      count.add(1, ordering: .relaxed)
      close(visitor)
    }
    close(descriptor)
  }
}
