import DecoderWire
import Glibc
import SystemPackage
import Testing

@Suite("Descriptors on the wire")
struct WireDescriptorsTests {
  @Test("Descriptors are received in order, as copies that refer to the same files", arguments: 0...4)
  func order(count: Int) throws {
    let (one, other) = try WireSocket.makePair()
    let sender = WireSocket(takingOwnershipOf: one, acceptsDescriptors: true)
    var receiver = WireSocket(takingOwnershipOf: other, acceptsDescriptors: true)
    let tracers = try (0..<count).map { _ in try Tracer() }

    try sender.send(Note(text: "take"), descriptors: tracers.map(\.given))
    let (message, copies) = try receiver.receive(Note.self, by: .now + .seconds(10))
    defer { for copy in copies { try? copy.close() } }
    #expect(message.text == "take")
    #expect(try copies.map(Self.identity) == tracers.map { try Self.identity($0.given) })
    #expect(Set(copies.map(\.rawValue)).isDisjoint(with: tracers.map(\.given.rawValue)))
    #expect(copies.allSatisfy { fcntl($0.rawValue, F_GETFD) & FD_CLOEXEC != 0 })
  }

  @Test("The sender keeps its descriptors open, and may close them after sending")
  func ownership() throws {
    let (one, other) = try WireSocket.makePair()
    let sender = WireSocket(takingOwnershipOf: one, acceptsDescriptors: true)
    var receiver = WireSocket(takingOwnershipOf: other, acceptsDescriptors: true)
    let tracer = try Tracer()
    try sender.send(Note(text: "take"), descriptors: [tracer.given])
    try tracer.given.writeAll("still open,".utf8)
    try tracer.letGo()

    let copy = try #require(try receiver.receive(Note.self, by: .now + .seconds(10)).descriptors.first)
    try copy.writeAll("also there".utf8)
    #expect(try tracer.text() == "still open,also there")
    #expect(!tracer.isClosedEverywhere(within: 0))
    try copy.close()
    #expect(tracer.isClosedEverywhere())
  }

  @Test("Descriptors belong to their message even if several messages arrive at once", arguments: [0, 1, 2])
  func ofTheirMessage(with: Int) throws {
    let (one, other) = try WireSocket.makePair()
    let sender = WireSocket(takingOwnershipOf: one, acceptsDescriptors: true)
    var receiver = WireSocket(takingOwnershipOf: other, acceptsDescriptors: true)
    let tracer = try Tracer()
    for number in 0..<3 {
      try sender.send(Note(text: "\(number)"), descriptors: number == with ? [tracer.given] : [])
    }
    for number in 0..<3 {
      let (message, copies) = try receiver.receive(Note.self, by: .now + .seconds(10))
      #expect(message.text == "\(number)")
      #expect(try copies.map(Self.identity) == (number == with ? [Self.identity(tracer.given)] : []))
      for copy in copies { try copy.close() }
    }
  }

  @Test("Descriptors belong to the message whose first byte they were sent with")
  func beforeTheRest() throws {
    let pair = try WirePair()
    let tracer = try Tracer()
    try pair.say("{\"te", passing: [tracer.given])
    #expect(pair.failure(by: .now + .milliseconds(1)) == .timedOut)
    try pair.say("xt\":\"x\"}\n")
    let copies = try pair.receive().descriptors
    #expect(try copies.map(Self.identity) == [Self.identity(tracer.given)])
    for copy in copies { try copy.close() }
  }

  @Test("Sending more than four descriptors fails")
  func tooManySent() throws {
    let pair = try WirePair()
    let tracers = try (0..<5).map { _ in try Tracer() }
    #expect(throws: WireError.system(.invalidArgument)) {
      try pair.wire.send(Note(text: "x"), descriptors: tracers.map(\.given))
    }
    #expect(throws: WireError.system(.badFileDescriptor)) {
      try pair.wire.send(Note(text: "x"), descriptors: [FileDescriptor(rawValue: -1)])
    }
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }

  @Test("Receiving more than four descriptors fails, and all of them are closed", arguments: [5, 6, 40])
  func tooManyReceived(count: Int) throws {
    let pair = try WirePair()
    let tracer = try Tracer()
    try pair.say("{\"text\":\"x\"}\n", passing: Array(repeating: tracer.given, count: count))
    #expect(pair.failure() == .system(Errno(rawValue: EMSGSIZE)))
    try tracer.letGo()
    #expect(tracer.isClosedEverywhere())
  }

  @Test("Descriptors of an invalid message are closed")
  func nonsense() throws {
    let pair = try WirePair()
    let tracer = try Tracer()
    try pair.say("nonsense\n", passing: [tracer.given, tracer.given])
    try tracer.letGo()
    #expect(!tracer.isClosedEverywhere(within: 0))
    #expect(pair.failure() == .invalidMessage("a line that is not a Note"))
    #expect(tracer.isClosedEverywhere())
  }

  @Test("Descriptors of an empty line are closed and not returned with the next message")
  func emptyLine() throws {
    let pair = try WirePair()
    let tracer = try Tracer()
    try pair.say("\n", passing: [tracer.given])
    #expect(pair.failure() == .invalidMessage("a line that is not a Note"))
    try pair.say("{\"text\":\"x\"}\n")
    #expect(try pair.receive().descriptors.isEmpty)
    try tracer.letGo()
    #expect(tracer.isClosedEverywhere())
  }

  @Test("Descriptors that were not received are closed with the socket", arguments: [true, false])
  func leftOver(seen: Bool) throws {
    let tracer = try Tracer()
    do {
      let pair = try WirePair()
      try pair.say("half a line", passing: [tracer.given])
      if seen { #expect(pair.failure(by: .now + .milliseconds(10)) == .timedOut) }
      try tracer.letGo()
      #expect(!tracer.isClosedEverywhere(within: 0))
    }
    #expect(tracer.isClosedEverywhere())
  }

  @Test("The socket is closed on exec, and when its owner is destroyed")
  func socket() throws {
    let (ours, theirs) = try WireSocket.makePair()
    defer { try? theirs.close() }
    #expect(fcntl(ours.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    #expect(fcntl(theirs.rawValue, F_GETFD) & FD_CLOEXEC != 0)
    do {
      let wire = WireSocket(takingOwnershipOf: ours, acceptsDescriptors: true)
      try wire.send(Note(text: "x"))
    }
    var state = pollfd(fd: theirs.rawValue, events: 0, revents: 0)
    #expect(poll(&state, 1, 5_000) == 1 && state.revents & Int16(POLLHUP) != 0)
  }

  /// The identity of a file: its device and inode.
  private static func identity(_ descriptor: FileDescriptor) throws -> [UInt] {
    var status = stat()
    guard fstat(descriptor.rawValue, &status) == 0 else { throw Errno(rawValue: errno) }
    return [UInt(status.st_dev), UInt(status.st_ino)]
  }
}
