import ClipService
import Covers
import TestSupport
import Testing

@Suite("Rejected animations in WebP")
struct AnimatedWebPFlawTests {
  private let animation: RealAnimation
  private let parts: WebPParts

  init() throws {
    animation = try RealAnimation(.webp, hasAlpha: true)
    parts = WebPParts(animation.bytes)
    try #require(parts.bytes == animation.bytes && parts.chunks.map(\.name) == ["VP8X"] + texts + ["ANIM"] + frames)
  }

  private let texts = RealAnimation.texts.map { _ in "tEXt" }
  /// The index of the chunk about the whole animation; the frames follow it.
  private let animated = 1 + RealAnimation.texts.count
  private let frames = Array(repeating: "ANMF", count: RealAnimation.frames)

  private func flaw(_ change: (inout [WebPParts.Chunk]) -> Void) -> CoverFlaw? {
    animation.flaw(of: parts.changed(change))
  }

  @Test(
    "A chunk that does not belong in an animation is rejected anywhere",
    arguments: ["ICCP", "EXIF", "XMP ", "VP8 "]
  )
  func foreignChunk(_ name: String) {
    for place in 0...parts.chunks.count {
      let expected: CoverFlaw =
        (1..<animated - 1).contains(place)
        ? .text(RealAnimation.texts[place - 1].keyword) : .unexpected("chunk \(name)")
      #expect(flaw { $0.insert(.init(name: name, data: [1, 2]), at: place) } == expected)
    }
  }

  @Test("A missing chunk is rejected")
  func missingChunk() {
    #expect(flaw { $0.remove(at: 0) } == .unexpected("chunk tEXt"))
    #expect(flaw { $0.remove(at: animated) } == .unexpected("chunk ANMF"))
    #expect(flaw { $0.removeLast() } == .frames(3))
    #expect(flaw { $0.removeSubrange((animated + 1)...) } == .header)
  }

  @Test("An animation that ends after some loops is rejected")
  func loops() {
    #expect(flaw { $0[animated].data[4] = 1 } == .header)
    #expect(flaw { $0[animated].data += [0] } == .header)
  }

  @Test("Frames outside the picture, of another size than their pixels, or with reserved bits are rejected")
  func places() {
    for (index, value) in [(0, 1), (3, 1), (5, 255), (6, 30), (9, 19), (15, 4), (15, 128)] as [(Int, UInt8)] {
      #expect(flaw { $0[animated + 1].data[index] = value } == .header, "byte \(index)")
    }
  }

  @Test("Durations other than those reported are rejected, a frame without any too")
  func durations() {
    #expect(flaw { $0[animated + 1].data[12] += 1 } == .duration(221))
    #expect(flaw { ($0[animated + 1].data[12], $0[animated + 2].data[12]) = (0, 90) } == .duration(220))
    #expect(
      flaw {
        ($0[animated + 1].data[12], $0[animated + 2].data[12]) = ($0[animated + 2].data[12], $0[animated + 1].data[12])
      } == nil
    )
  }

  @Test("A frame without pixels, or with more chunks than its pixels, is rejected")
  func pixels() {
    #expect(flaw { $0[animated + 1].data.removeSubrange(16...) } == .noPixels)
    #expect(flaw { $0[animated + 1].data += Array("junk".utf8) + [0, 0, 0, 0] } == .unexpected("chunk in a frame"))
    #expect(
      flaw { $0[animated + 1].data.replaceSubrange(16..<20, with: Array("XYZW".utf8)) } == .unexpected("chunk XYZW")
    )
  }

  @Test("The flags must declare whether there is transparency")
  func flags() {
    for flags: UInt8 in [0x00, 0x02, 0x10, 0x13, 0x1A, 0x32] {
      #expect(flaw { $0[0].data[0] = flags } == .header, "\(flags)")
    }
  }

  @Test("Lossless frames are accepted if their header is right")
  func lossless() {
    // A signature, sides less one in 14 bits each, whether there is transparency, and a version in 3 bits.
    func pixels(width: Int, height: Int, alpha: Int, version: Int = 0, signature: UInt8 = 0x2F) -> [UInt8] {
      let fields = littleEndian((width - 1) | (height - 1) << 14 | alpha << 28 | version << 29)
      return WebPParts.Chunk(name: "VP8L", data: [signature] + fields + [1, 2, 3]).bytes
    }
    func flaw(_ pixels: [UInt8]) -> CoverFlaw? {
      self.flaw {
        $0[animated + 1].data =
          Array($0[animated + 1].data[..<6]) + [33, 0, 0, 20, 0, 0] + $0[animated + 1].data[12..<16] + pixels
      }
    }
    #expect(flaw(pixels(width: 34, height: 21, alpha: 1)) == nil)
    // The flags announce transparency, and no other frame is transparent.
    #expect(flaw(pixels(width: 34, height: 21, alpha: 0)) == .header)
    #expect(flaw(pixels(width: 33, height: 21, alpha: 1)) == .header)
    #expect(flaw(pixels(width: 34, height: 22, alpha: 1)) == .header)
    #expect(flaw(pixels(width: 34, height: 21, alpha: 1, version: 1)) == .header)
    #expect(flaw(pixels(width: 34, height: 21, alpha: 1, signature: 0x2E)) == .header)
  }
}

@Suite("Rejected animations in GIF")
struct GIFFlawTests {
  private let animation: RealAnimation
  /// The position of the first frame.
  private let frame: Int
  /// The position of the first text.
  private let texts = 13 + 3 * 256 + 19

  init() throws {
    animation = try RealAnimation(.gif)
    // A comment has two bytes in front, and a block with its length and an empty one.
    frame = texts + RealAnimation.texts.reduce(0) { $0 + 5 + "\($1.keyword.rawValue)\($1.text)".utf8.count }
    try #require(animation.bytes[frame] == 0x21 && animation.bytes[frame + 1] == 0xF9)
  }

  private func flaw(_ change: (inout [UInt8]) -> Void) -> CoverFlaw? {
    var bytes = animation.bytes
    change(&bytes)
    return animation.flaw(of: bytes)
  }

  @Test("The older version, other sides, no table of colours and other shapes of pixels are rejected")
  func header() {
    #expect(flaw { $0[4] = UInt8(ascii: "7") } == .otherAnimation(.gif))
    for index in [6, 7, 8, 9, 12] { #expect(flaw { $0[index] += 1 } == .header, "byte \(index)") }
    #expect(flaw { $0[10] &= 0x7F } == .header)
    #expect(flaw { $0[10] |= 0x08 } == .header)
  }

  @Test("An animation that ends after some loops, or does not declare them, is rejected")
  func loops() {
    #expect(flaw { $0[texts - 3] = 1 } == .header)
    #expect(flaw { $0.removeSubrange(texts - 19..<texts) } == .header)
  }

  @Test("Other extensions than comments are rejected", arguments: [0x01, 0xFF] as [UInt8])
  func extensions(_ label: UInt8) {
    #expect(
      flaw { $0.insert(contentsOf: [0x21, label, 4, 1, 2, 3, 4, 0], at: frame) } == .unexpected("extension \(label)")
    )
  }

  @Test("Comments must be the texts, each once, in order and in as few blocks as possible")
  func comments() {
    let comment: [UInt8] = [0x21, 0xFE, 4, 1, 2, 3, 4, 0]
    #expect(flaw { $0.insert(contentsOf: comment, at: frame) } == .unexpectedText)
    #expect(flaw { $0.insert(contentsOf: comment, at: texts) } == .text(.uri))
    #expect(flaw { $0.removeSubrange(texts..<frame) } == .text(.uri))
    let first = Int(animation.bytes[texts + 2])
    let divided = [0x21, 0xFE, 1, animation.bytes[texts + 3], UInt8(first - 1)]
    #expect(flaw { $0.replaceSubrange(texts..<texts + 4, with: divided) } == .malformed)
    #expect(flaw { $0.removeSubrange((texts + 5)...) } == .malformed)
  }

  @Test("Frames outside the picture, without size, or with flags that are not written are rejected")
  func places() {
    let picture = frame + 8
    for (index, value) in [(1, 1), (3, 1), (5, 0), (7, 0), (6, 1), (8, 1)] as [(Int, UInt8)] {
      #expect(flaw { $0[picture + index] = value } == .header, "byte \(index)")
    }
    for flag: UInt8 in [0x40, 0x20, 0x10, 0x08] {
      #expect(flaw { $0[picture + 9] |= flag } == .header, "\(flag)")
    }
    for flag: UInt8 in [0x80, 0x40, 0x20, 0x10, 0x02] {
      #expect(flaw { $0[frame + 3] |= flag } == .header, "\(flag)")
    }
  }

  @Test("Durations other than those reported are rejected, a frame without any too")
  func durations() {
    #expect(flaw { $0[frame + 4] += 1 } == .duration(230))
    #expect(flaw { $0[frame + 4] = 0 } == .duration(180))
  }

  @Test("A picture without a control block in front of it, or without pixels, is rejected")
  func pixels() {
    #expect(flaw { $0.removeSubrange(frame..<frame + 8) } == .unexpected("block 44"))
    let codes =
      frame + 8 + 10 + (animation.bytes[frame + 17] & 0x80 == 0 ? 0 : 3 << (Int(animation.bytes[frame + 17] & 7) + 1))
    for size: UInt8 in [0, 1, 9, 255] { #expect(flaw { $0[codes] = size } == .header, "\(size)") }
    #expect(flaw { $0[codes + 1] = 0 } == .noPixels)
  }

  @Test("A file without frames is rejected")
  func noFrames() {
    #expect(flaw { $0.replaceSubrange(frame..., with: [0x3B]) } == .frames(0))
  }
}
