/// Measures the milliseconds between laps.
struct StopWatch {
  private var last = ContinuousClock.now

  mutating func lap() -> Double {
    let now = ContinuousClock.now
    defer { last = now }
    return (now - last) / .milliseconds(1)
  }
}
