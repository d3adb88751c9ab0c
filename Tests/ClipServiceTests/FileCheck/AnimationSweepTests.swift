import ClipService
import Covers
import TestSupport
import Testing

/// Checks every byte of real animations, one after another.
@Suite("Detection of changed animations")
struct AnimationSweepTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let format: AnimationFormat
    let hasAlpha: Bool

    var testDescription: String { "\(format)\(hasAlpha ? " with alpha" : "")" }
    var animation: RealAnimation { get throws { try RealAnimation(format, hasAlpha: hasAlpha) } }
  }

  static let samples = AnimationFormat.allCases.flatMap { format in
    [false, true].map { Sample(format: format, hasAlpha: $0) }
  }

  @Test("An animation of the decoder is accepted", arguments: samples)
  func unchanged(_ sample: Sample) throws {
    let animation = try sample.animation
    #expect(animation.flaw(of: animation.bytes) == nil && animation.check.frames == RealAnimation.frames)
  }

  @Test("Every changed byte that can be verified is detected", .enabled(if: Scope.isFull), arguments: samples)
  func changed(_ sample: Sample) throws {
    let animation = try sample.animation
    let own = DecodersWord.positions(in: animation.bytes, sample.format)
    #expect(animation.bytes.count - own.count > 60)
    for index in animation.bytes.indices where !own.contains(index) {
      for mask: UInt8 in [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF] {
        var bytes = animation.bytes
        bytes[index] ^= mask
        #expect(animation.flaw(of: bytes) != nil, "byte \(index) ^ \(mask)")
      }
    }
  }

  @Test("Every truncation is detected", .enabled(if: Scope.isFull), arguments: samples)
  func truncated(_ sample: Sample) throws {
    let animation = try sample.animation
    for count in animation.bytes.indices {
      #expect(animation.flaw(of: Array(animation.bytes[..<count])) != nil, "\(count) bytes")
    }
  }

  @Test("Every appended byte is detected", arguments: samples)
  func appended(_ sample: Sample) throws {
    let animation = try sample.animation
    for byte in UInt8.min...UInt8.max {
      #expect(animation.flaw(of: animation.bytes + [byte]) == .trailing(1))
      #expect(animation.flaw(of: animation.bytes + [byte, 0]) == .trailing(2))
    }
    #expect(animation.flaw(of: animation.bytes + animation.bytes) == .trailing(animation.bytes.count))
  }

  @Test(
    "Whatever is accepted has the reported frames and duration, however the bytes were changed",
    .enabled(if: Scope.isFull),
    arguments: samples
  )
  func harmless(_ sample: Sample) throws {
    let animation = try sample.animation
    var numbers = SeededNumbers(seed: 11)
    for _ in 0..<5_000 {
      var bytes = animation.bytes
      for _ in 0...Int.random(in: 0...2, using: &numbers) {
        bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      guard animation.flaw(of: bytes) == nil else { continue }
      #expect(animation.check.announcing(frames: RealAnimation.frames + 1).flaw(of: bytes) == .frames(4))
      #expect(DecodersWord.positions(in: bytes, sample.format).allSatisfy { $0 < bytes.count })
    }
  }

  @Test("A reply that does not match the file is detected", arguments: samples)
  func otherReply(_ sample: Sample) throws {
    let animation = try sample.animation
    let check = animation.check
    #expect(check.announcing(frames: 3).flaw(of: animation.bytes) == .frames(4))
    #expect(check.announcing(milliseconds: 210).flaw(of: animation.bytes) == .duration(220))
    for size in [PixelSize(width: 35, height: 21), PixelSize(width: 34, height: 20)] {
      #expect(check.announcing(size).flaw(of: animation.bytes) == .header)
    }
  }

  @Test(
    "Texts other than those that were sent are detected, and so is a file larger than requested",
    arguments: samples
  )
  func otherOrder(_ sample: Sample) throws {
    let animation = try sample.animation
    var texts = RealCover.texts
    texts[1].text += "1"
    #expect(animation.check.announcing(texts: texts).flaw(of: animation.bytes) == .text(.mtime))
    let count = animation.bytes.count
    #expect(animation.check.announcing(requestedBytes: count).flaw(of: animation.bytes) == nil)
    #expect(
      animation.check.announcing(requestedBytes: count - 1).flaw(of: animation.bytes) == .length(count, most: count - 1)
    )
  }

  @Test("A reply that no animation can have is refused before the file is read", arguments: samples)
  func impossibleReply(_ sample: Sample) throws {
    let check = try sample.animation.check
    for side in [Int.min, 0, 65_536, .max] {
      let size = PixelSize(width: side, height: 21)
      #expect(throws: CoverFlaw.size(size)) { try check.announcing(size).validate(byteCount: 100) }
    }
    for frames in [Int.min, 0, AnimationFileCheck.maximumFrames + 1, .max] {
      #expect(throws: CoverFlaw.frames(frames)) { try check.announcing(frames: frames).validate(byteCount: 100) }
    }
    let most = check.maximumBytes
    #expect(throws: Never.self) { try check.validate(byteCount: most) }
    #expect(throws: CoverFlaw.length(most + 1, most: most)) { try check.validate(byteCount: most + 1) }
    let largest = PixelSize(width: sample.format == .gif ? 65_535 : 16_383, height: 16_383)
    #expect(check.announcing(largest, frames: AnimationFileCheck.maximumFrames).maximumBytes > 1 << 40)
  }

  @Test("An animation in the other format is detected", arguments: samples)
  func otherFormat(_ sample: Sample) throws {
    let other = try RealAnimation(sample.format == .gif ? .webp : .gif)
    #expect(try sample.animation.flaw(of: other.bytes) == .otherAnimation(sample.format))
  }
}
