/// Runs a body in the given number of concurrent tasks.
func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count { group.addTask { await body(number) } }
  }
}

/// Blocks the thread until a condition holds, as a handler has to; returns false after the time limit.
func spin(_ limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + limit
  while !isDone() {
    guard ContinuousClock.now < deadline else { return false }
  }
  return true
}

/// Waits until a condition holds, without blocking a thread; returns false after a minute.
func eventually(_ isDone: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while !isDone() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return true
}
