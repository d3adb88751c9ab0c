/// The matrix in the track header of a movie (ISO/IEC 14496-12, section 8.3.2), as nine numbers in fixed point.
package enum TrackMatrix {
  /// The error thrown if a movie has no track.
  private struct NoTrack: Error {}

  /// The matrix of a picture that is stored upright.
  package static let identity: [UInt32] = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]

  /// Returns the matrix of a picture that is shown turned clockwise by 90°.
  ///
  /// - Parameter height: The stored height, in pixels.
  package static func turned(height: UInt32) -> [UInt32] {
    [0, 1 << 16, 0, .max << 16, 0, 0, height << 16, 0, 1 << 30]
  }

  /// Replaces the matrix of the first track.
  package static func replace(with matrix: [UInt32], in movie: inout [UInt8]) throws {
    guard let type = movie.firstRange(of: Array("tkhd".utf8)) else { throw NoTrack() }
    let start = type.upperBound + 40
    let bytes = matrix.flatMap { number in withUnsafeBytes(of: number.bigEndian, Array.init) }
    movie.replaceSubrange(start..<start + bytes.count, with: bytes)
  }
}
