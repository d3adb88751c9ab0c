import Covers
import DecoderWire
import SystemPackage
import Testing

@Suite("Messages on the wire")
struct WireMessagesTests {
  @Test("Each message is one line of canonical JSON")
  func line() throws {
    let pair = try WirePair()
    try pair.wire.send(Note(text: "a/b\n"))
    #expect(try Self.read(from: pair.bare) == "{\"text\":\"a/b\\n\"}\n")
  }

  @Test("A message is received as it was sent", arguments: ["", "plain", "line\nline", "日本語 🎬", "\u{1B}\0"])
  func message(text: String) throws {
    let (one, other) = try WireSocket.makePair()
    let sender = WireSocket(takingOwnershipOf: one, acceptsDescriptors: true)
    var receiver = WireSocket(takingOwnershipOf: other, acceptsDescriptors: true)
    try sender.send(Note(text: text))
    let (message, descriptors) = try receiver.receive(Note.self, by: .now + .seconds(10))
    #expect(message == Note(text: text))
    #expect(descriptors.isEmpty)
  }

  @Test("Both sides can send in turn")
  func turns() throws {
    let (one, other) = try WireSocket.makePair()
    var parent = WireSocket(takingOwnershipOf: one, acceptsDescriptors: true)
    var decoder = WireSocket(takingOwnershipOf: other, acceptsDescriptors: true)
    let hello = ProgramHello(
      version: "1",
      libraries: ["libavutil": "57"],
      sandbox: SandboxState(holds: ["seccomp"], landlock: nil, missing: [])
    )
    try decoder.send(hello)
    #expect(try parent.receive(ProgramHello.self, by: .now + .seconds(10)).message == hello)
    try parent.send(DecoderRequest(number: 3, deadlineMilliseconds: 4, work: .probe(programme: nil)))
    #expect(try decoder.receive(DecoderRequest.self, by: .now + .seconds(10)).message.number == 3)
  }

  @Test("Two messages that arrive at once are received one after the other")
  func twoAtOnce() throws {
    let pair = try WirePair()
    try pair.say("{\"text\":\"1\"}\n{\"text\":\"2\"}\n{\"te")
    #expect(try pair.receive().message.text == "1")
    #expect(try pair.receive().message.text == "2")
    try pair.say("xt\":\"3\"}\n")
    #expect(try pair.receive().message.text == "3")
  }

  @Test("A message that arrives byte by byte is received in full")
  func byteByByte() throws {
    let pair = try WirePair()
    let bare = pair.bare
    let talking = Background {
      for byte in "{\"text\":\"slow\"}\n".utf8 {
        try bare.writeAll([byte])
        pause(milliseconds: 1)
      }
    }
    #expect(try pair.receive().message.text == "slow")
    talking.wait()
  }

  @Test("A message of one mebibyte with its newline is received in full")
  func long() throws {
    let (one, other) = try WireSocket.makePair()
    var receiver = WireSocket(takingOwnershipOf: other, acceptsDescriptors: true)
    let text = String(repeating: "x", count: (1 << 20) - "{\"text\":\"\"}\n".utf8.count)
    // The socket's buffer is smaller, so sending and receiving must happen at the same time.
    let talking = Background { try WireSocket(takingOwnershipOf: one, acceptsDescriptors: true).send(Note(text: text)) }
    #expect(try receiver.receive(Note.self, by: .now + .seconds(60)).message.text == text)
    talking.wait()
  }

  @Test("A complete message is received after its sender has closed the connection")
  func lastWords() throws {
    let pair = try WirePair()
    try pair.say("{\"text\":\"1\"}\n{\"text\":\"2\"}\n")
    try pair.hangUp()
    #expect(try pair.receive().message.text == "1")
    #expect(try pair.receive().message.text == "2")
    #expect(pair.failure() == .closed)
    #expect(pair.failure() == .closed)
  }

  /// Returns the data received on a bare end.
  private static func read(from descriptor: FileDescriptor) throws -> String {
    var bytes = [UInt8](repeating: 0, count: 1000)
    let count = try bytes.withUnsafeMutableBytes { try descriptor.read(into: $0) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
