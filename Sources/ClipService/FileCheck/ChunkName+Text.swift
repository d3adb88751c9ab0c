internal import Covers
internal import Files

extension ChunkName {
  /// The name as text that is safe to show: a damaged file can hold any four bytes.
  var displayText: String {
    DisplayText.of([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) })
  }
}
