import ClipService
import CoverDecoding
import Covers
import Pictures
import Testing

/// An animation made by the decoder's own code, with the check that the parent applies to it.
struct RealAnimation {
  let bytes: [UInt8]
  let check: AnimationFileCheck

  /// The texts that the decoder adds.
  static let ownTexts = [
    CoverText(.mimeType, "video/mp4"), CoverText(.software, "ClipCanvas \(ClipCanvasVersion.current)"),
    CoverText(.movieLength, "3"),
  ]
  static let texts = RealCover.texts + ownTexts

  static let size = PixelSize(width: 34, height: 21)
  static let frames = 4

  /// Makes an animation of a dot that moves; `hasAlpha` makes a corner transparent.
  init(_ format: AnimationFormat, hasAlpha: Bool = false) throws {
    var encoder = try AnimationEncoder(format: format, size: Self.size, quality: 60)
    for number in 0..<Self.frames {
      try encoder.add(Self.picture(number, hasAlpha: hasAlpha), milliseconds: 40 + 10 * number)
    }
    let encoded = try encoder.finish()
    let withTexts =
      format == .gif
      ? GIFHead.adding(Self.texts, to: encoded.bytes)
      : WebPHead.adding(Self.texts, to: encoded.bytes, size: Self.size)
    bytes = try #require(withTexts)
    check = AnimationFileCheck(
      format: format,
      size: Self.size,
      frames: encoded.frames,
      milliseconds: encoded.milliseconds,
      texts: RealCover.texts,
      facts: nil
    )
  }

  private static func picture(_ number: Int, hasAlpha: Bool) -> Picture {
    let layout = hasAlpha ? Picture.Layout.rgba : .rgb
    var picture = Picture(width: size.width, height: size.height, layout: layout)
    picture.withMutableBytes { bytes in
      for index in 0..<size.width * size.height {
        let (x, y) = (index % size.width, index / size.width)
        let isInside = abs(x - 8 - 5 * number) < 4 && abs(y - 10) < 4
        let pixel: [UInt8] = isInside ? [250, 40, 60] : [UInt8(x * 4), UInt8(y * 6), 120]
        for channel in 0..<3 { bytes[index * layout.channels + channel] = pixel[channel] }
        if hasAlpha { bytes[index * 4 + 3] = x < 4 && y < 9 ? 0 : 255 }
      }
    }
    return picture
  }

  /// Returns the flaw that the check finds in other bytes presented as this animation.
  func flaw(of bytes: [UInt8]) -> CoverFlaw? { check.flaw(of: bytes) }
}

extension AnimationFileCheck {
  /// Returns the same check for a different reply of the decoder.
  func announcing(
    _ size: PixelSize? = nil,
    frames: Int? = nil,
    milliseconds: Int? = nil,
    texts: [CoverText] = RealCover.texts,
    requestedBytes: Int? = nil
  ) -> AnimationFileCheck {
    AnimationFileCheck(
      format: format,
      size: size ?? self.size,
      frames: frames ?? self.frames,
      milliseconds: milliseconds ?? self.milliseconds,
      texts: texts,
      facts: nil,
      requestedBytes: requestedBytes
    )
  }
}

/// The positions in an animation, worked out from the specifications, whose bytes cannot be verified without decoding:
/// pixels, colours, where and how a frame is drawn, and facts of the clip that only the decoder has read.
enum DecodersWord {
  static func positions(in bytes: [UInt8], _ format: AnimationFormat) -> Set<Int> {
    (format == .gif ? gif(bytes) : webP(bytes)).union(texts(bytes))
  }

  private static func texts(_ bytes: [UInt8]) -> Set<Int> {
    RealAnimation.ownTexts.filter { $0.keyword != .software }.reduce(into: []) { own, text in
      let keyword = Array(text.keyword.rawValue.utf8)
      guard let found = bytes.firstRange(of: keyword) else { return }
      own.formUnion(found.upperBound + 1..<found.upperBound + 1 + text.text.utf8.count)
    }
  }

  private static func webP(_ bytes: [UInt8]) -> Set<Int> {
    var (position, own) = (12, Set<Int>())
    while position < bytes.count {
      let name = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let length = number(bytes, position + 4, 4)
      let data = position + 8
      // Lengthened by one, the chunk includes its padding as data.
      if length % 2 == 1 { own.insert(position + 4) }
      switch name {
      case "ANMF":
        own.formUnion(data..<data + 6)
        own.insert(data + 15)
        // The chunks in the frame come next.
        position = data + 16
        continue
      case "ALPH": own.formUnion(data..<data + length)
      case "VP8 ":
        own.formUnion(data..<data + 3)
        own.formUnion(data + 10..<data + length)
      case "VP8L":
        own.formUnion(data + 5..<data + length)
      default: break
      }
      position = data + length + length % 2
    }
    return own
  }

  private static func gif(_ bytes: [UInt8]) -> Set<Int> {
    // The resolution of colours, and the index of the background.
    var own: Set<Int> = [10, 11]
    var position = 13 + (3 << (Int(bytes[10] & 7) + 1))
    own.formUnion(13..<position)
    position += 19
    while bytes[position] == 0x21, bytes[position + 1] == 0xFE {
      position += 2
      while bytes[position] != 0 { position += 1 + Int(bytes[position]) }
      position += 1
    }
    while bytes[position] == 0x21 {
      own.formUnion([position + 3, position + 6])
      position += 8
      own.formUnion(position + 1..<position + 9)
      let flags = bytes[position + 9]
      let table = flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1)
      let start = position + 10
      position = start + table + 1
      while bytes[position] != 0 { position += 1 + Int(bytes[position]) }
      own.formUnion(start..<position)
      position += 1
    }
    return own
  }

  static func number(_ bytes: [UInt8], _ index: Int, _ count: Int) -> Int {
    bytes[index..<index + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
