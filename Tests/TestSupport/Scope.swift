internal import Glibc

/// Which tests run: all, or only those that answer in minutes.
///
/// `make test` runs the quick ones, `make test SCOPE=full` and `make check` all. `swift test` runs all, so that a
/// filter finds each test. A test that takes long has the trait `.enabled(if: Scope.isFull)`; a test with many cases
/// chooses some of them with ``cases(_:quick:)``, ``pairs(_:_:)`` or ``mixed(_:_:)``.
package enum Scope {
  /// Whether all tests run.
  package static let isFull = getenv("CLIPCANVAS_TEST_SCOPE").map { String(cString: $0) } != "quick"

  /// Returns the arguments of a test: all, or the given number of them, spread evenly, with the first and the last.
  package static func cases<Value>(_ all: some Collection<Value>, quick count: Int) -> [Value] {
    let all = Array(all)
    guard !isFull, all.count > count else { return all }
    return spread(all, count)
  }

  /// Returns the arguments of a test with two parameters: all pairs, or as few as contain each value.
  package static func pairs<One, Other>(
    _ ones: some Collection<One>,
    _ others: some Collection<Other>
  ) -> [(One, Other)] {
    let (ones, others) = (Array(ones), Array(others))
    guard isFull else { return fewest(ones, others) }
    return ones.flatMap { one in others.map { (one, $0) } }
  }

  /// Returns the arguments of a test whose two parameters do not depend on each other: as few pairs as contain each value,
  /// and all pairs in the long form.
  package static func mixed<One, Other>(
    _ ones: some Collection<One>,
    _ others: some Collection<Other>
  ) -> [(One, Other)] {
    LongForm.isWanted ? pairs(ones, others) : fewest(Array(ones), Array(others))
  }

  static func spread<Value>(_ all: [Value], _ count: Int) -> [Value] {
    guard count > 1 else { return Array(all.prefix(count)) }
    return (0..<count).map { all[$0 * (all.count - 1) / (count - 1)] }
  }

  static func fewest<One, Other>(_ ones: [One], _ others: [Other]) -> [(One, Other)] {
    guard !ones.isEmpty, !others.isEmpty else { return [] }
    return (0..<max(ones.count, others.count)).map { (ones[$0 % ones.count], others[$0 % others.count]) }
  }
}
