import Dispatch
import Glibc

/// Runs a body in the given number of concurrent tasks, each on its own thread: bodies wait for each other, and other
/// tests may use all threads that tasks share.
func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) async {
  await withTaskGroup { group in
    for number in 0..<count {
      group.addTask(executorPreference: ThreadExecutor()) { await body(number) }
    }
  }
}

/// The number of repetitions: all, or a tenth of them in the quick tests of `make test`.
///
/// These tests are also a package of their own, without the other tests' `Scope`.
func repetitions(_ count: Int) -> Int {
  getenv("CLIPCANVAS_TEST_SCOPE").map { String(cString: $0) } == "quick" ? count / 10 : count
}

/// Only a deadlock takes this long, even with ThreadSanitizer and beside other checks.
private let deadlockLimit = Duration.seconds(300)

/// Blocks the thread until a condition holds, as a handler has to; returns false after the time limit.
func spin(_ limit: Duration = deadlockLimit, until isDone: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + limit
  while !isDone() {
    guard ContinuousClock.now < deadline else { return false }
    sched_yield()
  }
  return true
}

/// Waits until a condition holds, without blocking a thread; returns false after five minutes.
func eventually(isolation: isolated (any Actor)? = #isolation, _ isDone: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + deadlockLimit
  while !isDone() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(1))
  }
  return true
}

/// Runs bodies on separate threads, and returns false if one of them does not end within five minutes.
///
/// A body that waits for ever keeps its thread, but no thread that tests share.
func allEnd(_ bodies: (@Sendable () -> Void)...) async -> Bool {
  let ended = Record<Int>()
  for (number, body) in bodies.enumerated() {
    DispatchQueue(label: "body \(number)").async {
      body()
      ended.append(number)
    }
  }
  return await eventually { ended.all.count == bodies.count }
}
