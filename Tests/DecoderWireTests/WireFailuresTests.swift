import DecoderWire
import Glibc
import SystemPackage
import Testing

@Suite("Failures on the wire")
struct WireFailuresTests {
  @Test("A closed connection is reported as closed, even in the middle of a line", arguments: ["", "{\"text\":"])
  func closedWhileReceiving(said: String) throws {
    let pair = try WirePair()
    try pair.say(said)
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }

  @Test("Sending on a closed connection is reported as closed and does not end the process")
  func closedWhileSending() throws {
    let pair = try WirePair()
    try pair.hangUp()
    for _ in 0..<2 {
      #expect(throws: WireError.closed) { try pair.wire.send(Note(text: "x")) }
    }
  }

  @Test("A connection closed by a side that has not read everything is reported as closed")
  func reset() throws {
    let pair = try WirePair()
    try pair.wire.send(Note(text: "never read"))
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }

  @Test("Receiving waits until the deadline when nothing arrives", arguments: ["", "{\"text\":"])
  func deadline(said: String) throws {
    let pair = try WirePair()
    try pair.say(said)
    let start = ContinuousClock.now
    #expect(pair.failure(by: start + .milliseconds(50)) == .timedOut)
    #expect(ContinuousClock.now - start >= .milliseconds(50))
  }

  @Test("Receiving does not wait when the deadline has passed")
  func pastDeadline() throws {
    let pair = try WirePair()
    #expect(pair.failure(by: .now - .seconds(3600)) == .timedOut)
  }

  @Test("What has arrived is received even if the deadline has passed, because this thread may have run too late")
  func arrivedInTime() throws {
    let pair = try WirePair()
    try pair.say("{\"text\":\"here\"}\n")
    #expect(try pair.wire.receive(Note.self, by: .now - .seconds(1)).message.text == "here")
  }

  @Test("A deadline applies to a whole message rather than to each byte")
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

  // The wait takes no processor time however loaded the machine is; polling would take all of the fifth of a second.
  @Test("Waiting for a message without a deadline takes hardly any processor time")
  func idle() throws {
    let pair = try WirePair()
    let bare = pair.bare
    let talking = Background {
      pause(milliseconds: 200)
      try bare.writeAll("{\"text\":\"x\"}\n".utf8)
    }
    let start = try Self.threadTime()
    #expect(try pair.wire.receive(Note.self).message.text == "x")
    #expect(try Self.threadTime() - start < .milliseconds(50))
    talking.wait()
  }

  /// Returns the processor time used by the current thread.
  private static func threadTime() throws -> Duration {
    var time = timespec()
    try #require(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  @Test("A signal that interrupts waiting does not end it")
  func interrupted() throws {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    try #require(sigaction(SIGUSR1, &action, nil) == 0)
    // Signals are blocked in the threads that run tests.
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

  @Test("A message can still be received after a deadline has passed in the middle of it")
  func afterDeadline() throws {
    let pair = try WirePair()
    try pair.say("{\"te")
    #expect(pair.failure(by: .now + .milliseconds(1)) == .timedOut)
    try pair.say("xt\":\"late\"}\n")
    #expect(try pair.receive().message.text == "late")
  }

  @Test("A waiting message is received even if the deadline is years ahead")
  func farDeadline() throws {
    let pair = try WirePair()
    try pair.say("{\"text\":\"x\"}\n")
    let (message, _) = try pair.wire.receive(Note.self, by: .now + .seconds(1_000_000_000))
    #expect(message.text == "x")
  }

  @Test(
    "A line that is not a message is reported as an invalid message",
    arguments: [
      "\n", "nonsense\n", "{}\n", "{\"text\":1}\n", "{\"text\":\"x\"\n", "{\"text\":\"x\"}}\n", "[]\n", "null\n",
      "\u{0}\n", String(repeating: "[", count: 100_000) + "\n",
    ]
  )
  func nonsense(line: String) throws {
    let pair = try WirePair()
    try pair.say(line)
    #expect(pair.failure() == .invalidMessage("a line that is not a Note"))
    try pair.say("{\"text\":\"after\"}\n")
    #expect(try pair.receive().message.text == "after")
  }

  @Test("A line without end is reported as an invalid message after one mebibyte, without waiting for more")
  func endlessLine() throws {
    let pair = try WirePair()
    let bare = pair.bare
    let talking = Background {
      // Exactly 1 MiB: the wire must not wait for more.
      for _ in 0..<64 { try bare.writeAll(repeatElement(UInt8(ascii: "x"), count: 16 * 1024)) }
    }
    #expect(pair.failure(by: .now + .seconds(60)) == .invalidMessage("a line that does not end"))
    talking.wait()
  }

  @Test("A message that JSON cannot represent is not sent")
  func unsendable() throws {
    let pair = try WirePair()
    #expect(throws: WireError.self) { try pair.wire.send([Double.nan]) }
    try pair.hangUp()
    #expect(pair.failure() == .closed)
  }
}
