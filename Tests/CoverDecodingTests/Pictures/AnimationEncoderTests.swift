import CoverDecoding
import Covers
import Pictures
import TestSupport
import Testing

@Suite("Encoding animations")
struct AnimationEncoderTests {
  @Test("The same pictures result in the same bytes", arguments: AnimationFormat.allCases)
  func repeatable(_ format: AnimationFormat) throws {
    let pictures = AnimatedPictures.square(6, width: 65, height: 33)
    #expect(try pictures.encoded(format) == pictures.encoded(format))
  }

  @Test("A lower quality makes a smaller file", .enabled(if: Scope.isFull), arguments: AnimationFormat.allCases)
  func quality(_ format: AnimationFormat) throws {
    let pictures = AnimatedPictures(6, width: 96, height: 64) { number, x, y in
      [UInt8(x * 2), UInt8(y * 3), UInt8((x * y + number * 11 + x * x % 23) % 256)]
    }
    let sizes = try [100, 60, 30, 1].map { try pictures.encoded(format, quality: $0).bytes.count }
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 > $1 }, "\(sizes)")
  }

  @Test("Pictures that do not belong in an animation are refused", arguments: AnimationFormat.allCases)
  func otherPictures(_ format: AnimationFormat) throws {
    var encoder = try AnimationEncoder(format: format, size: PixelSize(width: 4, height: 3), quality: 75)
    for (picture, milliseconds) in [(Shape(5, 3, .rgb), 10), (Shape(4, 2, .rgba), 10), (Shape(4, 3, .rgb16), 10)]
      + [0, -1, 65_536, .max].map({ (Shape(4, 3, .rgb), $0) })
    {
      let flaw = #expect(throws: CoverFailure.self) {
        try encoder.add(
          Picture(width: picture.width, height: picture.height, layout: picture.layout),
          milliseconds: milliseconds
        )
      }
      #expect(flaw?.stage == .encode && flaw?.cause == .misuse)
    }
    // It can still be used.
    try encoder.add(Picture(width: 4, height: 3, layout: .rgba), milliseconds: 10)
    #expect(try encoder.finish().frames == 1)
  }

  @Test("An animation needs a picture, a size and a quality", arguments: AnimationFormat.allCases)
  func nothing(_ format: AnimationFormat) throws {
    func failure(_ width: Int, _ height: Int, quality: Int) -> CoverFailure.Cause? {
      do throws(CoverFailure) {
        _ = try AnimationEncoder(format: format, size: PixelSize(width: width, height: height), quality: quality)
          .finish()
        return nil
      } catch {
        return error.cause
      }
    }
    #expect(failure(4, 3, quality: 75) == .misuse)
    #expect(failure(0, 3, quality: 75) == .misuse && failure(4, -1, quality: 75) == .misuse)
    #expect(failure(4, 3, quality: 0) == .misuse && failure(4, 3, quality: 101) == .misuse)
    #expect(failure(65_536, 1, quality: 75) == .tooLarge && failure(1, .max, quality: 75) == .tooLarge)
    #expect(failure(16_384, 1, quality: 75) == (format == .webp ? .tooLarge : .misuse))
  }

  private struct Shape {
    let (width, height, layout): (Int, Int, Picture.Layout)

    init(_ width: Int, _ height: Int, _ layout: Picture.Layout) {
      (self.width, self.height, self.layout) = (width, height, layout)
    }
  }
}
