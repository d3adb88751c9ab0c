import Covers
import TestSupport
import Testing

@Suite("Groups of clips that look alike")
struct LikenessGroupsTests {
  /// Random numbers that are the same in every run.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  private static func look(_ hashes: [UInt64?], plain: Set<Int> = []) -> ClipLook {
    var tiles = CoverFacts.Tiles(size: PixelSize(width: 1, height: 1), times: hashes.map { _ in 0 })
    tiles.looks = hashes.enumerated().map { number, bits in
      bits.map { FrameLook(hash: PerceptualHash(bits: $0), lumaVariance: plain.contains(number) ? 1 : 1000) }
    }
    return ClipLook(tiles, durationSeconds: nil)
  }

  /// Returns random clips; many are copies of others, with some other bits.
  private static func clips(_ count: Int, from random: inout Random) -> [ClipLook] {
    var hashes: [[UInt64?]] = []
    return (0..<count).map { _ in
      var frames: [UInt64?] = (0..<4).map { _ in random.next() }
      if let copied = hashes.randomElement(using: &random), Bool.random(using: &random) {
        frames = copied.map { bits in
          bits.map { bits in
            (0..<Int.random(in: 0...18, using: &random)).reduce(bits) { bits, _ in
              bits ^ 1 << UInt64.random(in: 0..<64, using: &random)
            }
          }
        }
      }
      if Int.random(in: 0..<5, using: &random) == 0 { frames[Int.random(in: 0..<4, using: &random)] = nil }
      if Int.random(in: 0..<5, using: &random) == 0 { frames = [frames[0], nil, nil, nil] }
      hashes.append(frames)
      return look(
        frames,
        plain: Int.random(in: 0..<4, using: &random) == 0 ? [Int.random(in: 0..<4, using: &random)] : []
      )
    }
  }

  /// The groups by comparing each clip with each other one.
  private static func reference(_ clips: [ClipLook], known: [[Int]], distance: Int) -> [[Int]] {
    var groups = clips.indices.map { $0 }
    func join(_ one: Int, _ two: Int) {
      let (from, to) = (max(groups[one], groups[two]), min(groups[one], groups[two]))
      for clip in groups.indices where groups[clip] == from { groups[clip] = to }
    }
    for group in known { for clip in group { join(group[0], clip) } }
    for one in clips.indices {
      for two in clips.indices where one < two && clips[one].isLike(clips[two], within: distance) { join(one, two) }
    }
    return Dictionary(grouping: clips.indices) { groups[$0] }.values.filter { $0.count > 1 }.sorted { $0[0] < $1[0] }
  }

  @Test(
    "They are those found by comparing every pair, for every distance",
    arguments: Scope.cases(LikenessGroups.distances, quick: 5)
  )
  func everyPair(distance: Int) {
    for seed in 0..<UInt64(8) {
      var random = Random(state: seed)
      let clips = Self.clips(120, from: &random)
      let known = seed.isMultiple(of: 2) ? [] : [[3, 50, 90], [7, 8]]
      let groups = LikenessGroups.groups(of: clips, joining: known, distance: distance)
      #expect(groups == Self.reference(clips, known: known, distance: distance), "seed \(seed)")
      #expect(!groups.isEmpty)
    }
  }

  @Test("Hashes at exactly the distance are found, whatever bits differ", arguments: LikenessGroups.distances)
  func exactDistance(distance: Int) {
    var random = Random(state: 1)
    // Few at once, since two random hashes may differ in only 16 bits.
    for _ in 0..<10 {
      var (near, far): ([ClipLook], [ClipLook]) = ([], [])
      for _ in 0..<20 {
        let hash = random.next()
        let places = Array(0..<64).shuffled(using: &random)
        func changed(_ count: Int) -> UInt64 { places.prefix(count).reduce(hash) { $0 ^ 1 << UInt64($1) } }
        near += [Self.look([hash]), Self.look([changed(distance)])]
        far += [Self.look([hash]), Self.look([changed(distance + 1)])]
      }
      #expect(LikenessGroups.groups(of: near, distance: distance) == (0..<20).map { [2 * $0, 2 * $0 + 1] })
      #expect(LikenessGroups.groups(of: far, distance: distance) == [])
    }
  }

  @Test("Nothing, one clip, and clips without known frames have no groups")
  func none() {
    #expect(LikenessGroups.groups(of: [], distance: 10) == [])
    #expect(LikenessGroups.groups(of: [Self.look([1])], distance: 10) == [])
    #expect(LikenessGroups.groups(of: [.unknown, .unknown, Self.look([1], plain: [0])], distance: 10) == [])
    #expect(LikenessGroups.groups(of: [.unknown, .unknown], joining: [[0, 1]], distance: 10) == [[0, 1]])
  }

  @Test("A clip that is like two others joins them")
  func chain() {
    let clips = [0, 0xFFFF_0000, 0x3FF, 0xF_FFFF, 0xFFFF].map { Self.look([UInt64($0)]) }
    #expect(LikenessGroups.groups(of: clips, distance: 10) == [[0, 2, 3, 4]])
  }
}
