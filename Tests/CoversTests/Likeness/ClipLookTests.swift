import Covers
import Testing

@Suite("What is compared of clips")
struct ClipLookTests {
  private static func look(_ hashes: [UInt64?], variances: [Double] = []) -> ClipLook {
    var tiles = CoverFacts.Tiles(size: PixelSize(width: 1, height: 1), times: hashes.indices.map { Double($0) })
    tiles.looks = hashes.enumerated().map { number, bits in
      bits.map {
        FrameLook(hash: PerceptualHash(bits: $0), lumaVariance: number < variances.count ? variances[number] : 1000)
      }
    }
    return ClipLook(tiles, durationSeconds: Double(hashes.count))
  }

  private let other: UInt64 = 0xFFFF_FFFF

  @Test("A quarter of the frames may differ")
  func shares() {
    let whole = Self.look([0, 0, 0, 0])
    #expect(whole.isLike(Self.look([0, 0, 0, 0]), within: 0))
    #expect(whole.isLike(Self.look([0, other, 0, 0]), within: 10))
    #expect(!whole.isLike(Self.look([0, other, 0, other]), within: 10))
    #expect(!whole.isLike(Self.look([0, nil, 0, other]), within: 10))
    #expect(!whole.isLike(Self.look([0, nil, nil, other]), within: 10))
    #expect(whole.isLike(Self.look([0, nil, nil, 0]), within: 10))
    #expect(whole.isLike(ClipLook(first: FrameLook(hash: PerceptualHash(bits: 0), lumaVariance: 99)), within: 0))
  }

  @Test("The mean distance of the other frames counts")
  func mean() {
    let (one, two) = (Self.look([0, 0, 0, 0]), Self.look([0b111, 0b1, 0b11, other]))
    #expect(one.isLike(two, within: 2) && !one.isLike(two, within: 1))
    #expect(!one.isLike(Self.look([0b111, nil, 0b111, 0]), within: 1))
    #expect(one.isLike(Self.look([0b111, nil, 0b111, 0]), within: 2))
  }

  @Test("Frames are alike up to the distance")
  func distance() {
    let (one, two) = (Self.look([0, 0, 0, 0]), Self.look([0b111, 0b111, 0b111, 0b111]))
    #expect(!one.isLike(two, within: 2) && one.isLike(two, within: 3))
  }

  @Test("Clips with other aspect ratios are not alike; a copy may have square pixels, and a ratio may be unknown")
  func aspectRatios() {
    func look(_ width: Int, _ height: Int) -> ClipLook {
      var look = Self.look([1, 2, 3, 4])
      look.noteAspectRatio(of: PixelSize(width: width, height: height))
      return look
    }
    let wide = look(1920, 1080)
    for (width, height) in [(64, 36), (1366, 768), (62, 36), (720, 576), (1920, 800), (0, 1080), (16, 0)] {
      #expect(wide.isLike(look(width, height), within: 0) && look(width, height).isLike(wide, within: 0))
    }
    for (width, height) in [(1080, 1920), (1080, 1080), (1920, 700), (1, 4000), (4000, 1)] {
      #expect(!wide.isLike(look(width, height), within: 15) && !look(width, height).isLike(wide, within: 15))
    }
    #expect(wide.isLike(Self.look([1, 2, 3, 4]), within: 0))
  }

  @Test("Plain frames do not count, but differ from others")
  func plain() {
    let black = Self.look([0, 0, 0, 0], variances: [0, 0, 0, 0])
    #expect(!black.isLike(black, within: 10) && !black.isRecognisable)
    let fade = Self.look([0, 7, 8, 9], variances: [0, 1000, 1000, 1000])
    #expect(fade.isRecognisable && fade.isLike(Self.look([other, 7, 8, 9], variances: [3, 900, 900, 900]), within: 0))
    #expect(
      !Self.look([0, 7], variances: [1000, 0]).isLike(Self.look([0, other], variances: [1000, 900]), within: 6)
    )
    let (dark, dim) = ([0.0, 0, 900, 900], [1.0, 2, 900, 900])
    #expect(
      Self.look([0, 0, 8, 9], variances: dark).isLike(Self.look([other, other, 8, 9], variances: dim), within: 0)
    )
    #expect(!Self.look([5], variances: [0]).isLike(Self.look([5], variances: [900]), within: 10))
    #expect(!ClipLook(first: nil).isLike(ClipLook(first: nil), within: 10))
  }

  @Test("A frame that is shown at several positions has one tile")
  func repeated() {
    func frames(_ times: [Double?], _ hashes: [UInt64?], duration: Double?) -> [UInt64?] {
      var tiles = CoverFacts.Tiles(size: PixelSize(width: 1, height: 1), times: times)
      tiles.looks = hashes.map { $0.map { FrameLook(hash: PerceptualHash(bits: $0), lumaVariance: 100) } }
      return ClipLook(tiles, durationSeconds: duration).frames.map { $0?.hash.bits }
    }
    #expect(frames([0, 1, 2, 3], [1, 2, 3, 4], duration: 4) == [1, 2, 3, 4])
    #expect(frames([0, nil, 2, 3], [1, nil, 3, 4], duration: 4) == [1, nil, 3, 4])
    #expect(frames([0], [1], duration: 4) == [1, 1, 1, 1])
    #expect(frames([0, 2], [1, 2], duration: 4) == [1, 1, 2, 2])
    #expect(frames([0, 1.999, 3], [1, 2, 3], duration: 4) == [1, 1, 2, 3])
    // The time of a tile is rounded: 0.333 s is that of a third of a second.
    #expect(frames([0, 0.334], [1, 2], duration: 1.333) == [1, 2, 2, 2])
    #expect(frames([0], [1], duration: nil) == [1, nil, nil, nil])
  }
}
