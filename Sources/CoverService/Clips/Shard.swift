internal import Files
public import SystemPackage

/// A share of the clips, for several runs that divide them among themselves.
///
/// Which clip is in which share hangs on the bytes of its relative path alone, so the shares of one `count` never overlap
/// and together hold every clip, on every machine.
public struct Shard: Hashable, Sendable {
  /// From 1 to `count`.
  public let index: Int
  /// How many shares there are.
  public let count: Int

  /// Fails unless 1 ≤ `index` ≤ `count`.
  public init?(_ index: Int, of count: Int) {
    guard count >= 1, (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether a clip is in this share.
  public func holds(_ relativePath: FilePath) -> Bool {
    Self.hash(relativePath.bytes) % UInt64(count) == UInt64(index - 1)
  }

  /// FNV-1a of 64 bits, whose low bits alone would not mix well; so the finalizer of MurmurHash3 comes after.
  private static func hash(_ bytes: [UInt8]) -> UInt64 {
    var hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    hash = (hash ^ hash >> 33) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ hash >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return hash ^ hash >> 33
  }
}
