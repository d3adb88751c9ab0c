internal import Glibc
package import SystemPackage

/// A way for one thread to wake another that waits for descriptors.
package final class Wakeup: Sendable {
  /// A descriptor that is readable after a signal, until it is consumed.
  package let descriptor: FileDescriptor
  private let writing: FileDescriptor

  /// - Throws: The system's error.
  package init() throws(Errno) {
    do {
      let pipe = try FileDescriptor.pipe()
      (descriptor, writing) = (pipe.readEnd, pipe.writeEnd)
    } catch {
      throw error as? Errno ?? .ioError
    }
    for end in [descriptor, writing] {
      _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end.rawValue, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    try? descriptor.close()
    try? writing.close()
  }

  /// Wakes the other thread now, or when it waits next.
  package func signal() {
    // If the pipe is full, it is readable already.
    _ = try? writing.writeAll([1])
  }

  /// Waits for a signal and consumes it.
  ///
  /// - Parameters:
  ///   - others: Other descriptors that end the wait when they are readable.
  ///   - timeout: How long to wait; `nil` to wait indefinitely.
  package func wait(or others: [FileDescriptor] = [], timeout: Duration? = nil) {
    var inputs = ([descriptor] + others).map { pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0) }
    _ = poll(&inputs, nfds_t(inputs.count), timeout?.pollMilliseconds ?? -1)
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
      while let count = try? descriptor.read(into: buffer), count == buffer.count {}
    }
  }
}
