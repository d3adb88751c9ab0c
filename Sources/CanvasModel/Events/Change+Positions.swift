// A history stores a changed order as the positions of the canvases that moved: two orders of 10 000 canvases for every
// move would be far larger than the board.

extension Change {
  /// Returns the changes of position that lead from one order of canvases to another: as few as possible.
  ///
  /// An added canvas has no old position, and a removed canvas has no new one. Canvases that keep their
  /// order relative to each other are not mentioned, even if their index differs.
  ///
  /// - Parameters:
  ///   - old: The order before.
  ///   - new: The order after.
  ///   - moved: The canvases that are reported as moved if that is sufficient. After two neighbours were swapped, for
  ///     example, either of them may have been moved.
  package static func positions(
    from old: [CanvasID],
    to new: [CanvasID],
    moved: Set<CanvasID> = []
  ) -> [Change] {
    let before = Dictionary(old.enumerated().map { ($1, $0) }) { first, _ in first }
    let kept = new.indices.filter { before[new[$0]] != nil }
    let unmoved = staying(kept, places: kept.compactMap { before[new[$0]] }, isMoved: { moved.contains(new[$0]) })
    var changes: [Change] = []
    for (index, id) in new.enumerated() where !unmoved.contains(index) {
      let place = before[id].map { Value.position($0) } ?? .none
      changes.append(Change(canvas: id, key: .position, old: place, new: .position(index)))
    }
    let present = Set(new)
    for (index, id) in old.enumerated() where !present.contains(id) {
      changes.append(Change(canvas: id, key: .position, old: .position(index), new: .none))
    }
    return changes
  }

  /// Returns the new indices of canvases that keep their order relative to each other.
  ///
  /// Every other canvas has another index than before, because a change has different values.
  private static func staying(_ kept: [Int], places: [Int], isMoved: (Int) -> Bool) -> Set<Int> {
    func isValid(_ staying: [(index: Int, place: Int)]) -> Bool {
      let indices = Set(staying.map(\.index))
      return zip(staying, staying.dropFirst()).allSatisfy { $0.place < $1.place }
        && zip(kept, places).allSatisfy { $0 != $1 || indices.contains($0) }
    }
    let all = zip(kept, places).map { (index: $0, place: $1) }
    let longest = longestIncreasing(places)
    let candidates = [all.filter { !isMoved($0.index) }, longest.map { all[$0] }]
    // As many as in the longest sequence, if possible; canvases that keep their index keep their order in any case.
    let best = candidates.first { $0.count >= longest.count && isValid($0) } ?? candidates.last(where: isValid)
    return Set((best ?? all.filter { $0.index == $0.place }).map(\.index))
  }

  /// Returns an order of canvases after changes of position that belong together.
  static func order(_ order: [CanvasID], after changes: [Change]) -> [CanvasID] {
    let moved = Set(changes.compactMap(\.canvas))
    var order = order.filter { !moved.contains($0) }
    let placed = changes.compactMap { change -> (index: Int, id: CanvasID)? in
      guard case .position(let index) = change.new, let id = change.canvas else { return nil }
      return (index, id)
    }
    guard let first = placed.map(\.index).min() else { return order }
    // All insertions in one pass: each canvas stands at its new index in the result.
    var rest = order[min(max(0, first), order.count)...]
    order.removeSubrange(rest.indices)
    for (index, id) in placed.sorted(by: { $0.index < $1.index }) {
      let count = min(max(0, index - order.count), rest.count)
      order += rest.prefix(count)
      rest = rest.dropFirst(count)
      order.append(id)
    }
    return order + rest
  }

  /// Returns the indices of a longest increasing subsequence of distinct numbers.
  private static func longestIncreasing(_ numbers: [Int]) -> [Int] {
    // `ends[n]` is the index of the smallest number that ends a subsequence of length n + 1.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var result: [Int] = []
    var index = ends.last
    while let present = index {
      result.append(present)
      index = previous[present]
    }
    return result.reversed()
  }
}

extension [Change] {
  /// The changes with a changed order as positions, as a history stores them.
  ///
  /// - Parameter moved: The canvases that are reported as moved if that is sufficient.
  package func withPositions(moved: Set<CanvasID> = []) -> [Change] {
    flatMap { change -> [Change] in
      guard case .canvases(let old) = change.old, case .canvases(let new) = change.new else { return [change] }
      return Change.positions(from: old, to: new, moved: moved)
    }
  }
}
