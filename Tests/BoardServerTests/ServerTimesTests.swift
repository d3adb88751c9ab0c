import Testing

@testable import BoardServer

@Suite("The intervals of a board server")
struct ServerTimesTests {
  @Test("A recording is interrupted after six seconds without a sign, and an upload is kept for a quarter of an hour")
  func usual() {
    let times = ServerTimes()
    #expect(times.lease == .seconds(6) && times.leaseCheck == .milliseconds(500) && times.standstill == .seconds(2))
    #expect(times.firstPause == .seconds(1) && times.longestPause == .seconds(60))
    #expect(times.readableCheck == .seconds(1) && times.polling == .milliseconds(200))
    #expect(times.clipPatience == .seconds(900) && times.refusedBody == .seconds(5))
  }
}
