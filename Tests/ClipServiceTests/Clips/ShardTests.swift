import ClipService
import SystemPackage
import TestSupport
import Testing

@Suite("Shards")
struct ShardTests {
  private func index(_ path: FilePath, of count: Int) -> Int? {
    (1...count).first { Shard($0, of: count)?.holds(path) == true }
  }

  // Computed once by the Python script in `python()`. A different value would break shards that machines with two
  // versions share.
  @Test(
    "The shard of a path is the same in every version",
    arguments: [
      ("a.mp4", [2, 1, 4, 6, 4, 212]), ("one/a.mp4", [1, 2, 2, 3, 7, 85]), ("", [1, 3, 3, 2, 3, 39]),
      ("ü/\u{1F3AC}.webm", [2, 2, 2, 2, 2, 210]), ("clips/2026/11/21/clip 13:19:57.webm", [1, 1, 2, 7, 7, 147]),
    ]
  )
  func frozen(path: String, shares: [Int]) {
    #expect([2, 3, 5, 7, 10, 256].map { index(FilePath(path), of: $0) } == shares)
  }

  @Test(
    "The hash is FNV-1a with MurmurHash3's finalizer, as computed in Python for any bytes",
    .enabled(if: Scope.isFull)
  )
  func python() async throws {
    let script = """
      import sys
      M = (1 << 64) - 1
      for line in sys.argv[1:]:
        x = 0xcbf29ce484222325
        for c in bytes.fromhex(line): x = ((x ^ c) * 0x100000001b3) & M
        x = ((x ^ (x >> 33)) * 0xff51afd7ed558ccd) & M
        x = ((x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53) & M
        print((x ^ (x >> 33)) % 6 + 1)
      """
    var numbers = SeededNumbers(seed: 12)
    let names = (0..<500).map { number in
      (0...number % 40).map { _ in UInt8.random(in: 1...255, using: &numbers) }.filter { $0 != UInt8(ascii: "/") }
        + [UInt8(ascii: "a")]
    }
    let hex = names.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    let python = try await Program.runTool("python3", ["-c", script] + hex)
    let shares = names.map { name in
      index(FilePath(platformString: (name + [0]).map { CChar(bitPattern: $0) }), of: 6)
    }
    #expect(shares == python.text.split(separator: "\n").map { Int($0) })
  }

  @Test(
    "Shards do not overlap, cover all clips and have similar sizes",
    .enabled(if: Scope.isFull),
    arguments: [1, 2, 3, 8, 100]
  )
  func partition(_ count: Int) throws {
    let shards = try (1...count).map { try #require(Shard($0, of: count)) }
    var held = Array(repeating: 0, count: count)
    for number in 0..<5000 {
      let path = FilePath("2026/clip-\(number).mp4")
      let holders = shards.indices.filter { shards[$0].holds(path) }
      try #require(holders.count == 1, "\(path)")
      held[holders[0]] += 1
    }
    // The tolerance is six standard deviations of the binomial distribution.
    let mean = 5000 / Double(count)
    #expect(held.allSatisfy { abs(Double($0) - mean) <= 6 * mean.squareRoot() + 1 }, "\(held)")
  }

  @Test("An invalid shard is rejected", arguments: [(0, 1), (2, 1), (1, 0), (-1, 3), (1, -1), (0, 0), (.min, .max)])
  func none(index: Int, count: Int) {
    #expect(Shard(index, of: count) == nil)
  }
}
