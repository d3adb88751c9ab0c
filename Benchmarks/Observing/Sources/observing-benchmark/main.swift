import CAllocations
import Glibc
import KeyValueObserving
import Synchronization

// Measures the time and the allocations of a write, compared with a bare stored property and one behind a lock.

struct Counter: Sendable, Equatable {
  var count = 0
}

final class Bare {
  var counter = Counter()
}

final class Locked: Sendable {
  let counter = Mutex(Counter())
}

/// The least that a write through a key path does if an observer could ask for the key: a lock, a test, and the write.
@dynamicMemberLookup
final class LockedByKey: Sendable {
  struct State {
    var counter = Counter()
    var isObserved = false
  }

  let state = Mutex(State())

  subscript<Value: Sendable>(dynamicMember keyPath: any WritableKeyPath<Counter, Value> & Sendable) -> Value {
    get { state.withLock { $0.counter[keyPath: keyPath] } }
    set {
      let isObserved = state.withLock { state in
        state.counter[keyPath: keyPath] = newValue
        return state.isObserved
      }
      if isObserved { notify(keyPath) }
    }
  }

  @inline(never)
  func notify(_ keyPath: any AnyKeyPath & Sendable) { print("\(keyPath) was written") }
}

let writes = 1_000_000
let rounds = 9

@inline(never)
func write(_ bare: Bare, times: Int) {
  for number in 0..<times { bare.counter.count = number }
}

@inline(never)
func write(_ locked: Locked, times: Int) {
  for number in 0..<times { locked.counter.withLock { $0.count = number } }
}

@inline(never)
func write(_ locked: LockedByKey, times: Int) {
  for number in 0..<times { locked.count = number }
}

@inline(never)
func write(_ observed: Observed<Counter>, times: Int) {
  for number in 0..<times { observed.count = number }
}

@inline(never)
func writeInPlace(_ observed: Observed<Counter>, times: Int) {
  for _ in 0..<times { observed.count += 1 }
}

@inline(never)
func mutate(_ observed: Observed<Counter>, times: Int) {
  for number in 0..<times { observed.mutate { $0.count = number } }
}

struct Cost {
  let nanoseconds: Double
  let allocations: Double
}

/// Returns the best of several rounds, because other load on the machine can only add to the time.
func measure(_ name: String, times: Int, _ body: (Int) -> Void) -> Cost {
  body(times / 10)
  let before = callocations_count()
  body(times)
  let allocations = Double(callocations_count() - before) / Double(times)
  var best = Double.infinity
  for _ in 0..<rounds {
    let components = ContinuousClock().measure { body(times) }.components
    let nanoseconds = Double(components.attoseconds) / 1e9 + Double(components.seconds) * 1e9
    best = min(best, nanoseconds / Double(times))
  }
  print("| \(name) | \(rounded(best)) | \(rounded(allocations)) |")
  return Cost(nanoseconds: best, allocations: allocations)
}

func rounded(_ number: Double) -> Double { (number * 10).rounded() / 10 }

print("| a write | ns | allocations |")
print("|---|---|---|")
let bare = Bare()
let locked = Locked()
let lockedByKey = LockedByKey()
let observed = Observed(Counter())
_ = measure("a bare property", times: writes * 10) { write(bare, times: $0) }
let behindLock = measure("behind a Mutex", times: writes) { write(locked, times: $0) }
let leastByKey = measure("behind a Mutex, through a key path", times: writes) { write(lockedByKey, times: $0) }
let plain = measure("unobserved", times: writes) { write(observed, times: $0) }

let inPlace = measure("unobserved, in place", times: writes) { writeInPlace(observed, times: $0) }
let mutated = measure("unobserved, by mutate", times: writes) { mutate(observed, times: $0) }

let sum = Atomic<Int>(0)
let handler: @Sendable (ObservedChange<Counter, Int>) -> Void = { change in
  sum.wrappingAdd(change.new ?? 0, ordering: .relaxed)
}
var observations = [observed.observe(\.count, handler: handler)]
let once = measure("observed once", times: writes / 10) { write(observed, times: $0) }
for _ in 1..<10 { observations.append(observed.observe(\.count, handler: handler)) }
_ = measure("observed ten times", times: writes / 10) { write(observed, times: $0) }
observations = []
let again = measure("unobserved again", times: writes) { write(observed, times: $0) }
print()
for (name, cost) in [
  ("behind a Mutex, through a key path", leastByKey), ("unobserved", plain), ("unobserved, in place", inPlace),
  ("unobserved, by mutate", mutated), ("unobserved again", again),
] {
  print("\(name) / behind a Mutex: \(rounded(cost.nanoseconds / behindLock.nanoseconds))")
}
// Allocation counts are the same on every machine and are checked; times are not, so they are only printed.
guard [plain, inPlace, mutated, again].allSatisfy({ $0.allocations == 0 }) else {
  print("an unobserved write allocates")
  exit(1)
}
// The list of the registrations that a write concerns; the library would allocate more if it were not specialised.
guard once.allocations <= 1 else {
  print("an observed write allocates more than once")
  exit(1)
}
