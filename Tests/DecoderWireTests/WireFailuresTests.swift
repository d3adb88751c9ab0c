import DecoderWire
import Glibc
import SystemPackage
import Testing

@Suite("what can go wrong on the wire")
struct WireFailuresTests {
  @Test("a side that hung up is told as closed, also in the midst of a line", arguments: ["", "{\"text\":"])
  func closedWhileReceiving(said: String) throws {
    let pair = try WirePair()
    try pair.say(said)
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }

  @Test("sending to a side that hung up is told as closed and ends no process")
  func closedWhileSending() throws {
    let pair = try WirePair()
    try pair.hangUp()
    for _ in 0..<2 {
      #expect(throws: WireError.closed) { try pair.wire.send(Note(text: "x")) }
    }
  }

  @Test("a side that hung up before it read everything is told as closed")
  func reset() throws {
    let pair = try WirePair()
    try pair.wire.send(Note(text: "never read"))
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }

  @Test("a deadline passes when nothing comes, and the time until then is waited", arguments: ["", "{\"text\":"])
  func deadline(said: String) throws {
    let pair = try WirePair()
    try pair.say(said)
    let start = ContinuousClock.now
    #expect(pair.failure(by: start + .milliseconds(50)) == .timedOut)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
  }

  @Test("a deadline that has passed long ago does not wait")
  func pastDeadline() throws {
    let pair = try WirePair()
    #expect(pair.failure(by: .now - .seconds(3600)) == .timedOut)
  }

  @Test("a deadline holds for a message as a whole, not for each of its bytes")
  func drip() throws {
    let pair = try WirePair()
    let bare = pair.bare
    let talking = Background {
      for _ in 0..<60 {
        try bare.writeAll("x".utf8)
        pause(milliseconds: 5)
      }
    }
    defer { talking.wait() }
    #expect(pair.failure(by: .now + .milliseconds(100)) == .timedOut)
  }

  @Test("a signal that interrupts waiting does not end it")
  func interrupted() throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    try #require(sigaction(SIGUSR1, &action, nil) == 0)
    // The threads that tests run on block signals.
    var (signals, blocked) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGUSR1)
    try #require(pthread_sigmask(SIG_UNBLOCK, &signals, &blocked) == 0)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    let pair = try WirePair()
    let (bare, receiver) = (pair.bare, pthread_self())
    let talking = Background {
      for _ in 0..<50 {
        pthread_kill(receiver, SIGUSR1)
        pause(milliseconds: 1)
      }
      try bare.writeAll("{\"text\":\"x\"}\n".utf8)
    }
    #expect(try pair.receive().message.text == "x")
    talking.wait()
  }

  @Test("a message can still be received after a deadline has passed in its midst")
  func afterDeadline() throws {
    let pair = try WirePair()
    try pair.say("{\"te")
    #expect(pair.failure(by: .now + .milliseconds(1)) == .timedOut)
    try pair.say("xt\":\"late\"}\n")
    #expect(try pair.receive().message.text == "late")
  }

  @Test("a message that is there is received with a deadline years ahead")
  func farDeadline() throws {
    let pair = try WirePair()
    try pair.say("{\"text\":\"x\"}\n")
    let (message, _) = try pair.wire.receive(Note.self, by: .now + .seconds(1_000_000_000))
    #expect(message.text == "x")
  }

  @Test(
    "a line that is no message is nonsense",
    arguments: [
      "\n", "nonsense\n", "{}\n", "{\"text\":1}\n", "{\"text\":\"x\"\n", "{\"text\":\"x\"}}\n", "[]\n", "null\n",
      "\u{0}\n", String(repeating: "[", count: 100_000) + "\n",
    ]
  )
  func nonsense(line: String) throws {
    let pair = try WirePair()
    try pair.say(line)
    #expect(pair.failure() == .nonsense("a line that is no Note"))
    try pair.say("{\"text\":\"after\"}\n")
    #expect(try pair.receive().message.text == "after")
  }

  @Test("a line that does not end is nonsense after a mebibyte, without waiting for more of it")
  func endlessLine() throws {
    let pair = try WirePair()
    let bare = pair.bare
    let talking = Background {
      // 1 MiB and no more: the wire must not wait for what would come then.
      for _ in 0..<64 { try bare.writeAll(repeatElement(UInt8(ascii: "x"), count: 16 * 1024)) }
    }
    #expect(pair.failure(by: .now + .seconds(60)) == .nonsense("a line that does not end"))
    talking.wait()
  }

  @Test("a message that JSON cannot hold is not sent")
  func unsendable() throws {
    let pair = try WirePair()
    #expect(throws: WireError.self) { try pair.wire.send([Double.nan]) }
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }
}
