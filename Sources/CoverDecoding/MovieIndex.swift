internal import Glibc

/// A scan of the boxes of an MP4 or MOV file that distinguishes a clip without an index from a damaged one.
///
/// Cameras write the index (`moov`) last, so a clip that is still being recorded or was cut short does not have one.
/// The layout of a box follows ISO/IEC 14496-12, section 4.2.
enum MovieIndex {
  /// The maximum number of top-level boxes read; a fragmented clip has many, but its index precedes them.
  private static let maximumBoxes = 4096

  /// Whether the file consists of a movie's boxes and ends without an index.
  static func isMissing(in descriptor: Int32) -> Bool {
    var position = 0
    var sawMovieBox = false
    for _ in 0..<maximumBoxes {
      guard let box = box(at: position, in: descriptor) else { return sawMovieBox }
      switch box.type {
      case "moov": return false
      case "ftyp", "mdat", "wide", "pnot": sawMovieBox = true
      default: break
      }
      let (next, overflowed) = position.addingReportingOverflow(box.size)
      // A size of 0 means "to the end of the file"; a size smaller than a header is damage.
      guard !overflowed, box.size >= 8 else { return sawMovieBox && box.size == 0 }
      position = next
    }
    return false
  }

  private static func box(at position: Int, in descriptor: Int32) -> (type: String, size: Int)? {
    var header: [UInt8] = Array(repeating: 0, count: 16)
    guard pread(descriptor, &header, 16, position) >= 8 else { return nil }
    let type = String(decoding: header[4..<8], as: UTF8.self)
    let size = number(header[0..<4])
    return (type, size == 1 ? number(header[8..<16]) : size)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    Int(truncatingIfNeeded: bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
  }
}
