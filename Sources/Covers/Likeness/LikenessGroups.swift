/// The search for groups of clips that look alike.
///
/// A hash is divided into four bands of 16 bits, and each band has a radius. The sum of the radii, each plus 1, is the
/// distance plus 1. So two hashes within the distance are within the radius of at least one band: only hashes in
/// neighbouring buckets of a band are compared, and none that are near enough are missed.
package struct LikenessGroups {
  /// The distances of hashes that can be searched for.
  ///
  /// About one in a thousand pairs of unrelated hashes differs in fewer than 20 bits.
  package static let distances = 0...15
  /// The usual distance.
  package static let usualDistance = 6

  private let looks: [ClipLook]
  private let distance: Int
  private var sets: DisjointSets

  /// The least number of entries of a large bucket, where it pays to know which are in one group.
  private static let largeBucket = 16
  private static let bandBits = 16
  private static let bandCount = 4

  /// Returns the groups of clips that look alike, each with at least two; both are in the order of the clips.
  ///
  /// Groups are joined by a clip that is like one of each.
  ///
  /// - Parameters:
  ///   - looks: The clips.
  ///   - known: Groups that are known otherwise, such as clips with the same content.
  ///   - distance: The largest mean distance of the hashes of frames of two clips that look alike, within ``distances``.
  package static func groups(of looks: [ClipLook], joining known: [[Int]] = [], distance: Int) -> [[Int]] {
    precondition(distances.contains(distance))
    var search = Self(looks, distance: distance)
    for group in known {
      for other in group.dropFirst() { search.sets.join(group[0], other) }
    }
    search.run()
    return search.sets.groups
  }

  private init(_ looks: [ClipLook], distance: Int) {
    (self.looks, self.distance) = (looks, distance)
    sets = DisjointSets(count: looks.count)
  }

  private mutating func run() {
    // Clips with equal looks are alike, and only the first one is compared with others.
    var first: [ClipLook: Int] = [:]
    var different: [Int] = []
    for (clip, look) in looks.enumerated() where look.isRecognisable {
      if let other = first[look] {
        sets.join(other, clip)
      } else {
        first[look] = clip
        different.append(clip)
      }
    }
    for position in ClipLook.positions.indices {
      // Many clips may begin with the same frame. They are compared once, and not in each band.
      var clips: [PerceptualHash: [Int]] = [:]
      for clip in different {
        guard let frame = looks[clip].frames[position], !frame.isPlain else { continue }
        clips[frame.hash, default: []].append(clip)
      }
      let entries = clips.map { hash, same in
        for (index, clip) in same.enumerated() { join(clip, withThoseLikeItAmong: same[(index + 1)...]) }
        return Entry(hash: hash, clips: same, isOneGroup: same.allSatisfy { sets.areJoined($0, same[0]) })
      }
      for band in 0..<Self.bandCount { compare(entries, inBand: band) }
    }
  }

  private mutating func join(_ clip: Int, withThoseLikeItAmong others: ArraySlice<Int>) {
    for other in others where !sets.areJoined(clip, other) && looks[clip].isLike(looks[other], within: distance) {
      sets.join(clip, other)
    }
  }

  /// The clips with the same hash of a frame.
  private struct Entry {
    let hash: PerceptualHash
    let clips: [Int]
    /// Whether all of them are in one group.
    let isOneGroup: Bool
  }

  /// Compares the entries that are near each other in a band of their hashes.
  private mutating func compare(_ entries: [Entry], inBand band: Int) {
    let radius = (distance + 1 + band) / Self.bandCount - 1
    guard radius >= 0, entries.count > 1 else { return }
    let shift = UInt64(band * Self.bandBits)
    func bucket(_ entry: Entry) -> Int { Int(UInt16(truncatingIfNeeded: entry.hash.bits >> shift)) }
    // The entries of bucket b are sorted[starts[b]..<starts[b + 1]].
    var starts = [Int](repeating: 0, count: 1 << Self.bandBits + 1)
    for entry in entries { starts[bucket(entry) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var (ends, sorted) = (starts, entries)
    for entry in entries {
      sorted[ends[bucket(entry)]] = entry
      ends[bucket(entry)] += 1
    }
    let masks = Self.masks(ofAtMost: radius)
    // So many entries at the start of a large bucket are known to be in one group, and need not be compared with others
    // in it.
    var joined = [Int](repeating: 0, count: 1 << Self.bandBits)
    for entry in entries {
      for mask in masks {
        let near = bucket(entry) ^ mask
        let (start, end) = (starts[near], starts[near + 1])
        guard end - start >= Self.largeBucket else {
          for index in start..<end { compare(entry, with: sorted[index]) }
          continue
        }
        for index in (start + (areOneGroup(entry, sorted[start]) ? joined[near] : 0))..<end {
          compare(entry, with: sorted[index])
          guard index >= start + joined[near], areOneGroup(sorted[index], sorted[start]) else { continue }
          sorted.swapAt(index, start + joined[near])
          joined[near] += 1
        }
      }
    }
  }

  private mutating func compare(_ entry: Entry, with other: Entry) {
    guard other.hash.bits > entry.hash.bits, entry.hash.distance(to: other.hash) <= distance else { return }
    for clip in entry.clips { join(clip, withThoseLikeItAmong: other.clips[...]) }
  }

  private mutating func areOneGroup(_ one: Entry, _ two: Entry) -> Bool {
    one.isOneGroup && two.isOneGroup && sets.areJoined(one.clips[0], two.clips[0])
  }

  /// Returns all numbers of a band's bits that have at most the given number of ones.
  private static func masks(ofAtMost ones: Int) -> [Int] {
    guard ones > 0 else { return [0] }
    let fewer = masks(ofAtMost: ones - 1)
    let most = fewer.filter { $0.nonzeroBitCount == ones - 1 }
    // Ones are added above the highest one, so each number is made once.
    return fewer
      + most.flatMap { mask in
        ((mask == 0 ? 0 : Int.bitWidth - mask.leadingZeroBitCount)..<bandBits).map { mask | 1 << $0 }
      }
  }
}

/// Sets of numbers, each in one of them.
private struct DisjointSets {
  /// A smaller number in the same set; the smallest one has itself.
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  private mutating func smallest(with member: Int) -> Int {
    var member = member
    while parents[member] != member {
      parents[member] = parents[parents[member]]
      member = parents[member]
    }
    return member
  }

  mutating func areJoined(_ one: Int, _ two: Int) -> Bool { smallest(with: one) == smallest(with: two) }

  mutating func join(_ one: Int, _ two: Int) {
    let (one, two) = (smallest(with: one), smallest(with: two))
    parents[max(one, two)] = min(one, two)
  }

  /// The sets with at least two members, by their smallest ones.
  var groups: [[Int]] {
    mutating get {
      var members: [Int: [Int]] = [:]
      for member in parents.indices { members[smallest(with: member), default: []].append(member) }
      return members.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
    }
  }
}
