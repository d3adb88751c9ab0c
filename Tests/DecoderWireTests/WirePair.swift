import DecoderWire
import Dispatch
import Glibc
import SystemPackage
import Testing

/// A message for tests.
struct Note: Codable, Hashable {
  var text: String
}

/// A socket whose other end is a bare descriptor, so that a test can send any bytes.
final class WirePair {
  var wire: WireSocket
  let bare: FileDescriptor
  private(set) var isOpen = true

  init() throws {
    let (ours, theirs) = try WireSocket.makePair()
    wire = WireSocket(takingOwnershipOf: ours, acceptsDescriptors: true)
    bare = theirs
  }

  deinit {
    if isOpen { try? bare.close() }
  }

  /// Closes the other side.
  func hangUp() throws {
    isOpen = false
    try bare.close()
  }

  /// Receives a message, with a deadline in case the wire is broken.
  func receive() throws -> (message: Note, descriptors: [FileDescriptor]) {
    try wire.receive(Note.self, by: .now + .seconds(10))
  }

  /// Returns the error from receiving the next message.
  func failure(by deadline: ContinuousClock.Instant = .now + .seconds(10)) -> WireError? {
    do {
      let (message, descriptors) = try wire.receive(Note.self, by: deadline)
      for descriptor in descriptors { try? descriptor.close() }
      Issue.record("a message came: \(message)")
      return nil
    } catch {
      return error
    }
  }

  /// Sends bytes over the bare end.
  func say(_ text: String) throws {
    _ = try bare.writeAll(text.utf8)
  }

  /// Sends bytes over the bare end with any number of descriptors, as described in unix(7).
  func say(_ text: String, passing descriptors: [FileDescriptor]) throws {
    var bytes = Array(text.utf8)
    let payload = descriptors.count * MemoryLayout<Int32>.size
    let headerBytes = MemoryLayout<cmsghdr>.size
    // CMSG_SPACE: the payload is padded to whole words.
    var control = [UInt8](repeating: 0, count: headerBytes + (payload + 7) / 8 * 8)
    control.withUnsafeMutableBytes { control in
      var header = cmsghdr()
      header.cmsg_len = numericCast(headerBytes + payload)
      header.cmsg_level = SOL_SOCKET
      header.cmsg_type = 1  // SCM_RIGHTS
      control.storeBytes(of: header, as: cmsghdr.self)
      for (index, descriptor) in descriptors.enumerated() {
        control.storeBytes(of: descriptor.rawValue, toByteOffset: headerBytes + index * 4, as: Int32.self)
      }
    }
    let sent = bytes.withUnsafeMutableBytes { bytes in
      control.withUnsafeMutableBytes { control in
        var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = control.baseAddress
          message.msg_controllen = numericCast(control.count)
          return sendmsg(bare.rawValue, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
    try #require(sent == bytes.count)
  }
}

/// A socket; a test gives away one end, to check later whether any process still has it open.
///
/// Counting the descriptors of the process would include those of tests running in parallel.
final class Tracer {
  private let kept: FileDescriptor
  /// The end to give away.
  let given: FileDescriptor
  private var hasLetGo = false

  init() throws {
    // Closed on exec, because another test may start a program at the same time.
    (kept, given) = try WireSocket.makePair()
  }

  deinit {
    try? kept.close()
    if !hasLetGo { try? given.close() }
  }

  /// Closes the test's own copy of the given end.
  func letGo() throws {
    hasLetGo = true
    try given.close()
  }

  /// Whether every copy of the given end is closed, waiting for that if necessary.
  ///
  /// A program started by another test has a copy of every descriptor for a moment.
  func isClosedEverywhere(within milliseconds: Int32 = 5_000) -> Bool {
    var state = pollfd(fd: kept.rawValue, events: 0, revents: 0)
    return poll(&state, 1, milliseconds) == 1 && state.revents & Int16(POLLHUP) != 0
  }

  /// Returns the text written to the given end.
  func text() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = try bytes.withUnsafeMutableBytes { try kept.read(into: $0) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

/// Work on a separate thread, because a wire blocks its thread and few threads run async code.
final class Background {
  private let group = DispatchGroup()

  init(_ body: @escaping @Sendable () throws -> Void) {
    // An error is noticed at the other end of the wire, where the expected data is missing.
    DispatchQueue(label: "test").async(group: group) { try? body() }
  }

  /// Waits for the work to end.
  func wait() {
    group.wait()
  }
}

/// Sleeps for the given time.
func pause(milliseconds: UInt32) {
  usleep(milliseconds * 1_000)
}
