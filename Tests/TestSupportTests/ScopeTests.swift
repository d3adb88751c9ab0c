import Testing

@testable import TestSupport

@Suite("Scope")
struct ScopeTests {
  @Test("Some of the cases are spread evenly, with the first and the last")
  func spread() {
    #expect(Scope.spread(Array(0...10), 3) == [0, 5, 10])
    #expect(Scope.spread(Array(0...10), 1) == [0])
    #expect(Scope.spread(["a", "b"], 2) == ["a", "b"])
  }

  @Test("The fewest pairs contain each value of both")
  func fewest() {
    let pairs = Scope.fewest([1, 2, 3], ["a", "b"])
    #expect(pairs.map(\.0) == [1, 2, 3])
    #expect(pairs.map(\.1) == ["a", "b", "a"])
    #expect(Scope.fewest([1], ["a", "b"]).map(\.1) == ["a", "b"])
    #expect(Scope.fewest([Int](), ["a"]).isEmpty)
  }
}
