/// Runs a body on as many tasks at once.
func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count { group.addTask { await body(number) } }
  }
}

/// Waits on its thread, as a handler has to; false when it took longer.
func spin(_ limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + limit
  while !isDone() {
    guard ContinuousClock.now < deadline else { return false }
  }
  return true
}

/// Waits without a thread; false when it took longer than a generous minute.
func eventually(_ isDone: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while !isDone() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return true
}
