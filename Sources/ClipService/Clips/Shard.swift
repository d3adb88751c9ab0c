internal import Files
package import SystemPackage

/// A part of the clips, for several runs that divide the clips among themselves.
///
/// The shard of a clip depends only on the bytes of its path in the named folder. The shards of one `count` therefore
/// never overlap and together contain every clip, on every machine.
package struct Shard: Hashable, Sendable {
  /// The number of the shard, from 1 to `count`.
  package let index: Int
  /// The number of shards.
  package let count: Int

  /// Creates a shard; fails unless 1 ≤ `index` ≤ `count`.
  package init?(_ index: Int, of count: Int) {
    guard count >= 1, (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether a clip belongs to this shard.
  ///
  /// - Parameter path: The path of the clip in the named folder.
  package func holds(_ path: FilePath) -> Bool {
    Self.hash(path.bytes) % UInt64(count) == UInt64(index - 1)
  }

  /// The 64-bit FNV-1a hash, followed by the finalizer of MurmurHash3, because the low bits of FNV-1a alone do not mix
  /// well.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
