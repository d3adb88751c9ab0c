internal import Covers

private typealias Marker = JPEGSegments.Marker

extension CoverFileCheck {
  /// Checks a JPEG file: the JFIF segment, our texts, then tables, frame and scan as written by libavcodec's encoder.
  func validateJPEG(_ bytes: Span<UInt8>) throws(CoverFlaw) {
    guard bytes.starts(with: JPEGSegments.start) else { throw .otherFormat(.jpeg) }
    var segments = JPEGSegments()
    var segment = try next(of: &segments, in: bytes)
    guard segment.marker == Marker.app0 else { throw .unexpected(segment) }
    guard bytes.array(segment.data) == Self.jfif, !hasAlpha else { throw .header }

    segment = try next(of: &segments, in: bytes)
    var found: [[UInt8]] = []
    while segment.marker == Marker.com {
      found.append(bytes.array(segment.data))
      segment = try next(of: &segments, in: bytes)
    }
    try storedTexts.validate(found, separator: JPEGHead.separator)

    var head = JPEGFrameHead()
    while segment.marker != Marker.sos {
      try head.take(segment, of: size, in: bytes)
      segment = try next(of: &segments, in: bytes)
    }
    guard head.isComplete, bytes.array(segment.data) == JPEGFrameHead.scan else { throw .malformed }
    try validateScan(bytes, from: segments.position)
  }

  /// The data of the JFIF segment (ITU-T T.871, section 10): version 1.2, square pixels, no thumbnail.
  private static let jfif: [UInt8] = Array("JFIF".utf8) + [0, 1, 2, 0, 0, 1, 0, 1, 0, 0]

  private func next(of segments: inout JPEGSegments, in bytes: Span<UInt8>) throws(CoverFlaw) -> JPEGSegments.Segment {
    guard let segment = segments.next(in: bytes) else { throw .malformed }
    return segment
  }

  /// Checks the compressed pixels: `FF` must be followed by a zero byte, except in the marker that ends the image and
  /// the file.
  private func validateScan(_ bytes: Span<UInt8>, from start: Int) throws(CoverFlaw) {
    var position = start
    while let escape = bytes.firstIndex(of: 0xFF, in: position..<bytes.count), escape + 1 < bytes.count {
      position = escape + 2
      switch bytes[escape + 1] {
      case 0: continue
      case Marker.eoi where escape == start: throw .noPixels
      case Marker.eoi where position < bytes.count: throw .trailing(bytes.count - position)
      case Marker.eoi: return
      case let marker: throw .unexpected(marker: marker)
      }
    }
    throw .malformed
  }
}

/// The parts of a JPEG file between its texts and its scan: quantisation tables, four Huffman tables and the frame.
private struct JPEGFrameHead {
  /// The data of the scan header: three components; luma uses the first tables and chroma the second.
  static let scan: [UInt8] = [3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0]

  private var quantisers: UInt8 = 0
  private var codes: Set<UInt8> = []
  private var frame: Frame?

  /// Whether the frame and every table used by frame and scan are present.
  var isComplete: Bool { frame.map { quantisers == $0.chromaQuantiser + 1 } == true && codes.count == 4 }

  mutating func take(
    _ segment: JPEGSegments.Segment,
    of size: PixelSize,
    in bytes: Span<UInt8>
  ) throws(CoverFlaw) {
    let data = bytes.array(segment.data)
    switch segment.marker {
    case Marker.dqt: try takeQuantisers(data)
    case Marker.dht: try takeCodes(data)
    case Marker.sof0 where frame == nil:
      frame = Frame.all.first { $0.bytes(of: size) == data }
      if frame == nil { throw .header }
    default: throw .unexpected(segment)
    }
  }

  /// A baseline frame with three components of 8 bits, as written by libavcodec.
  private struct Frame {
    /// The sampling factors of a component, horizontal and vertical.
    let luma, chroma: UInt8
    /// The quantisation table of chroma; 0 if chroma shares the table of luma, as at the highest quality.
    let chromaQuantiser: UInt8

    /// Chroma at full resolution, and at half the resolution in both directions.
    static let all = [(0x12, 0x12), (0x22, 0x11)].flatMap { luma, chroma in
      (0...1).map { Frame(luma: luma, chroma: chroma, chromaQuantiser: $0) }
    }

    /// The data of the frame's segment.
    func bytes(of size: PixelSize) -> [UInt8] {
      let sides = [size.height, size.width].flatMap { side in [8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
      return [8] + sides + [3, 1, luma, 0, 2, chroma, chromaQuantiser, 3, chroma, chromaQuantiser]
    }
  }

  /// Reads quantisation tables: a number, 0 and then 1, and 64 values of 8 bits, none of them 0.
  private mutating func takeQuantisers(_ data: [UInt8]) throws(CoverFlaw) {
    var rest = data[...]
    while let number = rest.popFirst() {
      guard number == quantisers, number <= 1, rest.count >= 64, !rest.prefix(64).contains(0) else {
        throw .malformed
      }
      quantisers += 1
      rest = rest.dropFirst(64)
    }
  }

  /// Reads Huffman tables: a class (DC or AC) and a number (0 or 1), the number of codes of each length from 1 to 16
  /// bits, and the values of the codes.
  private mutating func takeCodes(_ data: [UInt8]) throws(CoverFlaw) {
    var rest = data[...]
    while let number = rest.popFirst() {
      let count = rest.prefix(16).reduce(0) { $0 + Int($1) }
      guard number & ~0x11 == 0, codes.insert(number).inserted, rest.count >= 16 + count, (1...256).contains(count)
      else {
        throw .malformed
      }
      rest = rest.dropFirst(16 + count)
    }
  }
}

extension CoverFlaw {
  fileprivate static func unexpected(_ segment: JPEGSegments.Segment) -> CoverFlaw {
    unexpected(marker: segment.marker)
  }

  fileprivate static func unexpected(marker: UInt8) -> CoverFlaw {
    .unexpected("marker FF\(marker < 16 ? "0" : "")\(String(marker, radix: 16, uppercase: true))")
  }
}
