import Testing

@testable import KeyValueObserving

@Suite("Queue")
struct QueueTests {
  @Test("Elements are taken in the order they were added, and freed when they are taken")
  func order() {
    final class Element: Sendable {
      let number: Int
      init(_ number: Int) { self.number = number }
    }
    var queue = Queue<Element>()
    var (added, taken) = (0, 0)
    // Two elements are added for each element taken, and later the other way round.
    for step in 0..<400 {
      for _ in 0..<(step < 200 ? 2 : 1) {
        queue.append(Element(added))
        added += 1
      }
      for _ in 0..<(step < 200 ? 1 : 2) {
        weak let first = queue.popFirst()
        #expect(first == nil)
        taken += 1
      }
      #expect(queue.count { $0.number >= taken } == added - taken && queue.isEmpty == (added == taken))
    }
    #expect(queue.isEmpty && queue.popFirst() == nil && taken == 600)
    queue.append(Element(7))
    #expect(queue.popFirst()?.number == 7)
  }

  @Test("Taking an element does not move all others")
  func room() {
    var queue = Queue<Int>()
    for number in 0..<1_000 { queue.append(number) }
    for number in 0..<499 { #expect(queue.popFirst() == number) }
    #expect(queue.elements.count == 1_000)
    for number in 499..<1_000 { #expect(queue.popFirst() == number) }
    #expect(queue.elements.isEmpty && queue.isEmpty)
  }
}
