import CoverDecoding
import Covers
import Pictures
import SystemPackage
import TestSupport
import Testing

@Suite("Animations, read by Pillow", .enabled("Pillow with animated WebP is missing", ReadAnimation.isThere))
struct AnimationTests {
  static let sizes = [(1, 1), (3, 5), (33, 17), (4096, 16), (320, 180)].map { PixelSize(width: $0, height: $1) }

  @Test(
    "Frames, durations and loops are those asked for",
    .enabled(if: Scope.isFull),
    arguments: AnimationFormat.allCases,
    sizes
  )
  func frames(_ format: AnimationFormat, _ size: PixelSize) async throws {
    // Each picture differs from the one before, even if it has only one pixel.
    let pictures = AnimatedPictures(4, width: size.width, height: size.height) { number, x, y in
      [UInt8(number * 60), UInt8(x * 255 / size.width), UInt8(y * 255 / size.height)]
    }
    let durations = [100, 40, 1000, 70]
    let encoded = try pictures.encoded(format) { durations[$0] }
    let read = try await ReadAnimation(encoded.bytes)
    #expect(read.format == (format == .gif ? "GIF" : "WEBP") && read.width == size.width && read.height == size.height)
    #expect(read.loops == 0 && read.durations == durations)
    #expect(encoded.frames == 4 && encoded.milliseconds == 1210)
  }

  @Test("Every duration in a WebP is exact", .enabled(if: Scope.isFull), arguments: [1, 33, 100, 65_535])
  func exactDurations(_ milliseconds: Int) async throws {
    let encoded = try AnimatedPictures.square(5, width: 32, height: 16).encoded(.webp) { _ in milliseconds }
    let read = try await ReadAnimation(encoded.bytes)
    #expect(read.durations == Array(repeating: milliseconds, count: 5))
    #expect(encoded.milliseconds == 5 * milliseconds)
  }

  @Test("Rounding the delays of a GIF does not add up", .enabled(if: Scope.isFull))
  func roundedDelays() async throws {
    let encoded = try AnimatedPictures.square(30, width: 32, height: 16).encoded(.gif) { _ in 33 }
    let read = try await ReadAnimation(encoded.bytes)
    #expect(read.durations.count == 30 && Set(read.durations) == [30, 40])
    #expect(read.durations.reduce(0, +) == 990 && encoded.milliseconds == 990)
  }

  @Test("A GIF has no frames that browsers would slow down, and lasts as long as asked for", .enabled(if: Scope.isFull))
  func shortDelays() async throws {
    let encoded = try AnimatedPictures.square(300, width: 32, height: 16).encoded(.gif) { _ in 1 }
    let read = try await ReadAnimation(encoded.bytes)
    #expect(read.durations == Array(repeating: 20, count: 15))
    #expect(encoded.frames == 15 && encoded.milliseconds == 300)
  }

  @Test("Of pictures too short for a GIF, the one shown longest is taken", .enabled(if: Scope.isFull))
  func longestPicture() async throws {
    let pictures = AnimatedPictures(3, width: 4, height: 4) { number, _, _ in [UInt8(number * 100), 0, 0] }
    let read = try await ReadAnimation(try pictures.encoded(.gif) { [5, 500, 5][$0] }.bytes)
    // The last one takes no separate frame either.
    #expect(read.durations == [510] && read.pictures.map { $0.pixel(0, 0)[0] } == [100])
  }

  @Test("An animation of one picture keeps its duration", arguments: AnimationFormat.allCases)
  func onePicture(_ format: AnimationFormat) async throws {
    let encoded = try AnimatedPictures.square(1, width: 33, height: 17).encoded(format) { _ in 250 }
    let read = try await ReadAnimation(encoded.bytes)
    #expect(read.durations == [250] && read.loops == 0 && encoded.frames == 1 && encoded.milliseconds == 250)
  }

  @Test(
    "Pictures that look the same may share a frame, and take their whole time",
    .enabled(if: Scope.isFull),
    arguments: AnimationFormat.allCases
  )
  func equalPictures(_ format: AnimationFormat) async throws {
    let pictures = AnimatedPictures(20, width: 20, height: 10) { _, x, _ in [UInt8(x * 10), 0, 0] }
    let encoded = try pictures.encoded(format)
    let read = try await ReadAnimation(encoded.bytes)
    #expect(read.durations.count == encoded.frames && read.durations.reduce(0, +) == 2000)
    #expect(encoded.milliseconds == 2000)
  }

  @Test("300 frames are 300 frames", .enabled(if: Scope.isFull), arguments: AnimationFormat.allCases)
  func manyFrames(_ format: AnimationFormat) async throws {
    let pictures = AnimatedPictures.square(300, width: 64, height: 32)
    let read = try await ReadAnimation(try pictures.encoded(format) { _ in 40 }.bytes)
    #expect(read.durations == Array(repeating: 40, count: 300))
    #expect(try #require(pictures.decibels(of: read.pictures)) > 28)
  }

  @Test(
    "Frames look like their pictures",
    .enabled(if: Scope.isFull),
    arguments: AnimationFormat.allCases,
    [50, 75, 100]
  )
  func closeness(_ format: AnimationFormat, _ quality: Int) async throws {
    let pictures = AnimatedPictures.square(12, width: 160, height: 90)
    let read = try await ReadAnimation(try pictures.encoded(format, quality: quality).bytes)
    let decibels = try #require(pictures.decibels(of: read.pictures))
    #expect(decibels > (quality == 50 ? 27 : 32), "\(decibels) dB")
  }

  @Test("A GIF keeps every pixel of pictures that have few colours")
  func fewColours() async throws {
    let pictures = AnimatedPictures(3, width: 32, height: 32) { number, x, y in
      [UInt8((x / 4 + number) % 8 * 36), UInt8(y / 8 * 85), 100]
    }
    let read = try await ReadAnimation(try pictures.encoded(.gif, quality: 100).bytes)
    #expect(try #require(pictures.decibels(of: read.pictures)) == .infinity)
  }

  @Test(
    "What does not move in a GIF has the same colour in every frame, also after something has passed over it",
    .enabled(if: Scope.isFull)
  )
  func noFlicker() async throws {
    let pictures = AnimatedPictures.square(20, width: 160, height: 90)
    let encoded = try pictures.encoded(.gif)
    let read = try await ReadAnimation(encoded.bytes)
    let (ground, shown) = (try #require(pictures.pictures.first).bytes, try #require(read.pictures.first).opaque.bytes)
    for (picture, frame) in zip(pictures.pictures, read.pictures) {
      let frame = frame.opaque.bytes
      let changed = shown.indices.filter { index in
        let pixel = index / 3 * 3..<index / 3 * 3 + 3
        return picture.bytes[pixel] == ground[pixel] && frame[index] != shown[index]
      }
      #expect(changed.isEmpty)
    }
    let single = try AnimatedPictures.square(1, width: 160, height: 90).encoded(.gif)
    #expect(encoded.bytes.count < 6 * single.bytes.count, "\(encoded.bytes.count), one frame \(single.bytes.count)")
  }

  @Test("A WebP keeps transparency, a GIF is drawn over black", .enabled(if: Scope.isFull))
  func transparency() async throws {
    // Opaque frames between transparent ones, with pixels that stay the same.
    let pictures = AnimatedPictures(6, width: 40, height: 30, hasAlpha: true) { number, x, y in
      let isOpaque = number % 2 == 1 || (5..<20 + number).contains(x)
      return [200, 40, UInt8(y * 8), isOpaque ? 255 : y < 15 ? 0 : 128]
    }
    let webP = try await ReadAnimation(try pictures.encoded(.webp, quality: 100).bytes)
    let gif = try await ReadAnimation(try pictures.encoded(.gif, quality: 100).bytes)
    for (number, picture) in pictures.pictures.enumerated() {
      for (x, y) in [(2, 2), (2, 28), (10, 2), (10, 28), (38, 28)] {
        let pixel = picture.pixel(x, y)
        #expect(abs(webP.pictures[number].pixel(x, y)[3] - pixel[3]) <= 2, "frame \(number), \(x), \(y)")
        let expected = pixel[..<3].map { ($0 * pixel[3] + 127) / 255 }
        let difference = zip(gif.pictures[number].pixel(x, y), expected).map { abs($0 - $1) }
        #expect(difference.allSatisfy { $0 <= 6 }, "frame \(number), \(x), \(y): \(difference)")
      }
    }
  }

  @Test("ffmpeg reads the same frames and duration from a GIF", .enabled(if: Scope.isFull))
  func ffmpeg() async throws {
    let scratch = try ScratchFolder()
    let encoded = try AnimatedPictures.square(30, width: 33, height: 17).encoded(.gif) { _ in 33 }
    let file = try scratch.write(encoded.bytes, as: "a.gif")
    let words = ["-v", "error", "-count_frames", "-of", "csv=p=0", "-show_entries"]
    let entries = "stream=width,height,duration,nb_read_frames"
    let result = try await Program.runTool("ffprobe", words + [entries, file.string])
    #expect(result.text == "33,17,0.990000,30\n" && result.errorOutput.isEmpty)
  }
}
