/// A queue that appends an element at the end, or removes one from the front, in constant time.
@usableFromInline
struct Queue<Element> {
  @usableFromInline var elements: [Element?] = []
  /// The index of the first element; those before it have been taken.
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { head == elements.count }

  @inlinable
  mutating func append(_ element: Element) { elements.append(element) }

  /// Removes and returns the first element.
  @inlinable
  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let first = elements[head].take()
    head += 1
    // Moves the others only when they are not more than those that have been taken.
    if head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }

  /// Returns how many elements satisfy a condition.
  func count(where condition: (Element) -> Bool) -> Int { elements[head...].count { $0.map(condition) ?? false } }
}

extension Queue: Sendable where Element: Sendable {}
