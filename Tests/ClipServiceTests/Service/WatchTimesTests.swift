import Testing

@testable import ClipService

@Suite("The intervals of a watch")
struct WatchTimesTests {
  @Test("A file is complete after two seconds without a change, and what failed is tried again after five")
  func usual() {
    let times = WatchTimes()
    #expect(times.quiet == .seconds(2) && times.growingCheck == .milliseconds(500))
    #expect(times.rootCheck == .seconds(5) && times.missingRootCheck == .seconds(1))
    #expect(times.search == .seconds(10) && times.lingering == .seconds(1))
    #expect(times.firstRetry == .seconds(5) && times.longestRetry == .seconds(600))
  }

  @Test("Shorter intervals are shorter by the same factor")
  func shorter() {
    let (usual, shorter) = (WatchTimes(), WatchTimes() / 10)
    let all: [KeyPath<WatchTimes, Duration>] = [
      \.quiet, \.growingCheck, \.rootCheck, \.missingRootCheck, \.search, \.lingering, \.firstRetry, \.longestRetry,
    ]
    #expect(all.count == Mirror(reflecting: usual).children.count)
    for time in all { #expect(shorter[keyPath: time] * 10 == usual[keyPath: time]) }
  }
}
