import DecoderWire
import Dispatch
import Glibc
import SystemPackage
import Testing

/// A message as a test sends it.
struct Note: Codable, Hashable {
  var text: String
}

/// One end as the wire has it, and the other one bare, so that a test can say anything over it.
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

  /// The other side goes away.
  func hangUp() throws {
    isOpen = false
    try bare.close()
  }

  /// Waits a while for a message that a broken wire would never hand over.
  func receive() throws -> (message: Note, descriptors: [FileDescriptor]) {
    try wire.receive(Note.self, by: .now + .seconds(10))
  }

  /// The error of the next message.
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

  /// Says some bytes over the bare end.
  func say(_ text: String) throws {
    _ = try bare.writeAll(text.utf8)
  }

  /// Says some bytes with descriptors beside them, as many as one likes, as the manual page unix(7) has it.
  func say(_ text: String, passing descriptors: [FileDescriptor]) throws {
    var bytes = Array(text.utf8)
    let payload = descriptors.count * MemoryLayout<Int32>.size
    let headerBytes = MemoryLayout<cmsghdr>.size
    // CMSG_SPACE: what is passed is padded to whole words.
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

/// A socket whose one end a test gives away, to see afterwards whether anybody still has it.
///
/// Counting the process's descriptors would see those of the tests that run beside this one.
final class Tracer {
  private let kept: FileDescriptor
  /// The end to give away.
  let given: FileDescriptor
  private var hasLetGo = false

  init() throws {
    // Closed on exec: another test may start a program just now.
    (kept, given) = try WireSocket.makePair()
  }

  deinit {
    try? kept.close()
    if !hasLetGo { try? given.close() }
  }

  /// The test's own copy of the given end is no more.
  func letGo() throws {
    hasLetGo = true
    try given.close()
  }

  /// Whether nobody has the given end any more, now or in a while.
  ///
  /// A program that another test starts has a copy of everything for a moment.
  func isClosedEverywhere(within milliseconds: Int32 = 5_000) -> Bool {
    var state = pollfd(fd: kept.rawValue, events: 0, revents: 0)
    return poll(&state, 1, milliseconds) == 1 && state.revents & Int16(POLLHUP) != 0
  }

  /// What has been written into the given end.
  func text() throws -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = try bytes.withUnsafeMutableBytes { try kept.read(into: $0) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

/// Something done on a thread of its own: the threads of async code are few, and a wire blocks the one it is used on.
final class Background {
  private let group = DispatchGroup()

  init(_ body: @escaping @Sendable () throws -> Void) {
    // An error shows at the other end of the wire, where what was to come does not.
    DispatchQueue(label: "test").async(group: group) { try? body() }
  }

  /// Waits for its end.
  func wait() {
    group.wait()
  }
}

/// Waits a moment.
func pause(milliseconds: UInt32) {
  usleep(milliseconds * 1_000)
}
