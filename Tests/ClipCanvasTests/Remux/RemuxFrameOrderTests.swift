import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Copies of AVI, which stores only DTS.
@Suite("clipcanvas remux of AVI with frames out of order")
struct RemuxFrameOrderTests {
  /// An encoder, and the number of frames that a decoder delays its output by.
  struct Encoder: CustomTestStringConvertible {
    let options: [String]
    let delay: Int

    var testDescription: String { options.joined(separator: " ") }
  }

  static let inOrder = Encoder(options: ["-c:v", "libx264", "-bf", "0"], delay: 0)
  static let simple = Encoder(options: ["-c:v", "mpeg4", "-bf", "1", "-q:v", "3"], delay: 1)
  /// With more than one frame in some packets.
  static let packed = Encoder(options: ["-c:v", "libxvid", "-bf", "2", "-q:v", "3"], delay: 1)
  static let pyramid = Encoder(
    options: ["-c:v", "libx264", "-bf", "3", "-g", "20", "-x264-params", "b-pyramid=normal:b-adapt=0"],
    delay: 2
  )
  static let encoders = [
    inOrder, simple, packed, pyramid, Encoder(options: ["-c:v", "mpeg4", "-bf", "2", "-g", "20"], delay: 1),
    Encoder(options: ["-c:v", "libxvid", "-bf", "2", "-flags", "+qpel+global_header", "-gmc", "1"], delay: 1),
    Encoder(
      options: ["-c:v", "libx264", "-bf", "3", "-g", "12", "-x264-params", "open-gop=1:b-adapt=0:b-pyramid=strict"],
      delay: 2
    ),
    Encoder(options: ["-c:v", "libx264", "-bf", "2", "-flags", "+ildct+ilme", "-x264-params", "b-adapt=0"], delay: 2),
  ]

  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Makes a clip of three seconds, and returns its chunks.
  @discardableResult
  private func makeClip(_ name: String, _ encoder: Encoder) async throws -> AVIFile {
    let inputs = ["testsrc2=s=160x120:r=25:d=3", "sine=r=48000:d=3"]
    let options = encoder.options + ["-pix_fmt", "yuv420p", "-c:a", "mp3"]
    try await TestClip.make(name, inputs: inputs, options, in: scratch)
    return try AVIFile(ScratchFolder.read(scratch(name)))
  }

  /// The PTS of so many frames, in ticks.
  ///
  /// After its delay, a decoder shows a frame each time it gets one. Without empty packets, the times are the numbers of
  /// the frames.
  private func times(_ count: Int, ticks: [Int], delay: Int) -> [Int] {
    (0..<count).map { number in
      let index = number + delay
      let shown = index < ticks.count ? ticks[index] : (ticks.last ?? 0) + index - ticks.count + 1
      return shown - delay
    }
  }

  /// Compares the frames of a copy with those of the clip, and their times with the given ones.
  private func expect(_ copy: String, shows clip: String, at times: [Int]) async throws {
    let wanted = try await RemuxedVideo(path: scratch(clip)).hashes()
    let frames = try await RemuxedVideo(path: scratch(copy)).frames()
    #expect(frames.map(\.hash) == wanted, "\(copy): \(frames.count) frames, not \(wanted.count)")
    #expect(times.count == wanted.count)
    for (frame, tick) in zip(frames, times) {
      #expect(abs(frame.time - Double(tick) / 25) < 0.0011, "\(copy): \(frame.time), not \(tick)/25")
    }
  }

  @Test(
    "Each frame is shown at its number divided by the frame rate, or later by the empty packets before it",
    .enabled(if: Scope.isFull),
    arguments: encoders,
    ["mp4", "mov", "mkv"]
  )
  func frames(_ encoder: Encoder, _ ending: String) async throws {
    let file = try await makeClip("a.avi", encoder)
    let result = try await scratch.remux(["a.avi", "-o", "b.\(ending)"])
    try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let count = try await RemuxedVideo(path: scratch("a.avi")).hashes().count
    #expect(count >= 73)
    let times = times(count, ticks: file.ticks, delay: encoder.delay)
    try await expect("b.\(ending)", shows: "a.avi", at: times)
    let copy = RemuxedVideo(path: scratch("b.\(ending)"))
    let decoded = try await copy.decodingTimes(ofStream: 0)
    // ffprobe does not derive those of the first packets of Matroska.
    #expect(decoded.count > count - 3 && zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
    let duration = try #require(try await copy.duration())
    let end = Double(try #require(times.last) + 1) / 25
    #expect(abs(duration - max(end, 3.05)) < 0.045, "\(duration), not \(end)")
  }

  @Test(
    "Sound and picture stay together, in one clip and in three",
    .enabled(if: Scope.isFull),
    arguments: [inOrder, simple, packed, pyramid]
  )
  func sound(_ encoder: Encoder) async throws {
    let options = encoder.options + ["-pix_fmt", "yuv420p", "-c:a", "mp3"]
    try await TestClip.flashing("a.avi", seconds: 3, options, in: scratch)
    func offsets(_ name: String) async throws -> [Double] {
      let video = RemuxedVideo(path: scratch(name))
      let (flashes, beeps) = (try await video.flashes(), try await video.beeps())
      try #require(flashes.count == beeps.count, "\(name): \(flashes) \(beeps)")
      return zip(flashes, beeps).map { $1 - $0 }
    }
    // ffmpeg shows the frames of AVI late by the delay of its decoder.
    let wanted = try await offsets("a.avi").map { $0 + Double(encoder.delay) / 25 }
    #expect(wanted.count == 6)
    for (ending, parts) in [("mp4", 1), ("mkv", 1), ("mov", 3), ("mkv", 3)] {
      let clips = Array(repeating: "a.avi", count: parts)
      let result = try await scratch.remux(clips + ["-o", "b.\(ending)", "--force"])
      try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let found = try await offsets("b.\(ending)")
      #expect(found.count == 6 * parts)
      for (index, offset) in found.enumerated() {
        #expect(abs(offset - wanted[index % wanted.count]) < 0.005, "\(ending): \(offset)")
      }
    }
  }

  @Test(
    "A flash is as close to its beep as when both were encoded",
    .enabled(if: Scope.isFull),
    arguments: [inOrder, simple, pyramid]
  )
  func encodedTogether(_ encoder: Encoder) async throws {
    let options = encoder.options + ["-pix_fmt", "yuv420p", "-c:a", "pcm_s16le"]
    try await TestClip.flashing("a.avi", seconds: 3, options, in: scratch)
    for ending in ["mov", "mkv"] {
      let result = try await scratch.remux(["a.avi", "-o", "b.\(ending)"])
      try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let copy = RemuxedVideo(path: scratch("b.\(ending)"))
      let (flashes, beeps) = (try await copy.flashes(), try await copy.beeps())
      #expect(flashes.count == 6 && beeps.count == 6)
      for (index, (flash, beep)) in zip(flashes, beeps).enumerated() {
        // Beeps begin at 0.25 s, 0.75 s and so on, and flashes with the next frame: at 0.28 s, 0.76 s and so on.
        let wait = index % 2 == 0 ? 0.03 : 0.01
        #expect(abs(flash - beep - wait) < 0.005, "\(ending): \(flash) \(beep)")
      }
    }
  }

  @Test("Joined clips have all frames, at rising times", .enabled(if: Scope.isFull), arguments: [packed, pyramid])
  func joined(_ encoder: Encoder) async throws {
    try await makeClip("a.avi", encoder)
    let one = try await RemuxedVideo(path: scratch("a.avi")).hashes()
    for ending in ["mp4", "mkv"] {
      let result = try await scratch.remux(["a.avi", "a.avi", "a.avi", "-o", "b.\(ending)"])
      try #require(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
      let frames = try await RemuxedVideo(path: scratch("b.\(ending)")).frames()
      #expect(frames.map(\.hash) == one + one + one)
      #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
    }
  }

  @Test(
    "An empty packet shows the frame before it for longer",
    .enabled(if: Scope.isFull),
    arguments: [inOrder, simple, packed, pyramid]
  )
  func emptyPackets(_ encoder: Encoder) async throws {
    var file = try await makeClip("a.avi", encoder)
    for place in [60, 30, 30] {
      file.chunks.insert(.init(name: "00dc", data: []), at: file.videoIndices[place])
    }
    try scratch.write(file.bytes, as: "b.avi")
    #expect(zip(file.ticks, file.ticks.dropFirst()).contains { $1 - $0 == 3 })
    let count = try await RemuxedVideo(path: scratch("b.avi")).hashes().count
    for ending in ["mp4", "mkv"] {
      let result = try await scratch.remux(["b.avi", "-o", "c.\(ending)"])
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
      let times = times(count, ticks: file.ticks, delay: encoder.delay)
      try await expect("c.\(ending)", shows: "b.avi", at: times)
    }
  }

  /// A frame of MPEG-4 that repeats the one before: a P-VOP that is not coded.
  ///
  /// Clips of 25 frames per second have 5 bits for the time.
  private static let repeated: [UInt8] = [0, 0, 1, 0xB6, 0b0101_0000, 0b0100_1111]

  @Test("A frame that is not coded, which repeats the one before, takes up its time", .enabled(if: Scope.isFull))
  func repeatedFrames() async throws {
    var file = try await makeClip("a.avi", Self.simple)
    // Before a reference, so that it is shown between the reference before it and what follows.
    let place = try #require((30...33).first { file.chunks[file.videoIndices[$0]].frameTypes == "P" })
    file.chunks.insert(.init(name: "00dc", data: Self.repeated), at: file.videoIndices[place])
    try scratch.write(file.bytes, as: "b.avi")
    let count = try await RemuxedVideo(path: scratch("b.avi")).hashes().count
    #expect(count == 75)
    for ending in ["mp4", "mkv"] {
      let result = try await scratch.remux(["b.avi", "-o", "c.\(ending)"])
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
      var times = times(count + 1, ticks: file.ticks, delay: 1)
      times.remove(at: place)
      try await expect("c.\(ending)", shows: "b.avi", at: times)
    }
  }

  @Test(
    "A packet that is too short for a frame, as encoders write while they wait, is left out",
    .enabled(if: Scope.isFull)
  )
  func fillers() async throws {
    for encoder in [Self.inOrder, Self.simple, Self.packed, Self.pyramid] {
      var file = try await makeClip("a.avi", encoder)
      let wanted = file.ticks.map { $0 == 0 ? 0 : $0 + 1 }
      file.chunks.insert(.init(name: "00dc", data: [0x7F]), at: file.videoIndices[1])
      try scratch.write(file.bytes, as: "b.avi")
      let result = try await scratch.remux(["b.avi", "-o", "c.mkv", "--force"])
      try #require(result.exitStatus == 0, "\(result.errorOutput)")
      let count = try await RemuxedVideo(path: scratch("a.avi")).hashes().count
      try await expect("c.mkv", shows: "a.avi", at: times(count, ticks: wanted, delay: encoder.delay))
    }
  }

  @Test("The copy of a packed stream has one frame in each packet, and is not marked as packed")
  func unpacked() async throws {
    let file = try await makeClip("a.avi", Self.packed)
    #expect(file.chunks.contains { $0.frameTypes == "PB" })
    let mark = Array("DivX503b1393p".utf8)
    func hasMark(_ name: String) throws -> Bool {
      let bytes = try ScratchFolder.read(scratch(name))
      return bytes.indices.dropLast(mark.count).contains { Array(bytes[$0..<$0 + mark.count]) == mark }
    }
    #expect(try hasMark("a.avi"))
    for ending in ["mp4", "mov", "mkv"] {
      try #require(try await scratch.remux(["a.avi", "-o", "b.\(ending)"]).exitStatus == 0)
      #expect(try !hasMark("b.\(ending)"))
      // Back to AVI, where chunks can be counted.
      let words = ["-v", "warning", "-y", "-i", "b.\(ending)", "-map", "0:v", "-c", "copy", "-bitexact", "c.avi"]
      let result = try await Program.runTool("ffmpeg", words, in: scratch.path)
      #expect(result.exitStatus == 0 && !result.errorOutput.contains("packed"), "\(result.errorOutput)")
      let types = try AVIFile(ScratchFolder.read(scratch("c.avi"))).chunks.map(\.frameTypes)
      #expect(types.allSatisfy { $0.count <= 1 } && types.contains("B"))
    }
  }

  /// Damage that makes the order of frames unclear: what is changed.
  enum Damage: String, CaseIterable {
    case packedTwice, packedWithoutFiller, swapped, repeated, noise
  }

  @Test(
    "A clip whose frames cannot be put in order for certain is refused",
    .enabled(if: Scope.isFull),
    arguments: Damage.allCases
  )
  func unclear(_ damage: Damage) async throws {
    let isPacked = damage == .packedTwice || damage == .packedWithoutFiller
    var file = try await makeClip("a.avi", isPacked ? Self.packed : Self.pyramid)
    let video = file.videoIndices
    let pack = video.first { file.chunks[$0].frameTypes == "PB" }
    switch damage {
    case .packedTwice:
      let pack = try #require(pack)
      file.chunks[video[try #require(video.firstIndex(of: pack)) + 1]] = file.chunks[pack]
    case .packedWithoutFiller:
      let filler = try #require(video.first { file.chunks[$0].data.count == 6 })
      file.chunks.remove(at: filler)
    case .swapped: file.chunks.swapAt(video[24], video[30])
    case .repeated: file.chunks.insert(file.chunks[video[22]], at: video[23])
    case .noise: file.chunks[video[22]].data = Array(repeating: 0x55, count: 400)
    }
    try scratch.write(file.bytes, as: "b.avi")
    let result = try await scratch.remux(["b.avi", "-o", "c.mkv"])
    #expect(result.exitStatus == 1)
    let message = "b.avi: its video has no timestamps, and the order of its frames is not clear; re-encode it first"
    #expect(result.errorOutput.hasPrefix(message), "\(result.errorOutput)")
    #expect(try scratch.names().sorted() == ["a.avi", "b.avi"])
  }

  @Test(
    "Of a clip that is cut off anywhere, everything before the cut is copied",
    .enabled(if: Scope.isFull),
    arguments: [packed, pyramid]
  )
  func cut(_ encoder: Encoder) async throws {
    try await makeClip("a.avi", encoder)
    let whole = try ScratchFolder.read(scratch("a.avi"))
    let wanted = try await RemuxedVideo(path: scratch("a.avi")).hashes()
    var numbers = SeededNumbers(seed: 31)
    for _ in 0..<LongForm.count(short: 4, long: 100, variable: "TORTURE_CUTS") {
      let length = Int.random(in: whole.count / 3..<whole.count, using: &numbers)
      try scratch.write(whole[..<length], as: "cut.avi")
      let result = try await scratch.remux(["cut.avi", "-o", "copy.mkv", "--force"])
      try #require(result.exitStatus == 0, "\(length): \(result.errorOutput)")
      let frames = try await RemuxedVideo(path: scratch("copy.mkv")).hashes()
      let common = zip(frames, wanted).prefix { $0 == $1 }.count
      #expect(frames.count > 15 && common >= frames.count - 4, "\(length): \(common) of \(frames.count) frames")
    }
  }

  @Test(
    "Damaged clips are copied or refused, and never stop the program",
    .enabled(if: Scope.isFull),
    arguments: [simple, packed, pyramid]
  )
  func damaged(_ encoder: Encoder) async throws {
    try await makeClip("a.avi", encoder)
    let whole = try ScratchFolder.read(scratch("a.avi"))
    var numbers = SeededNumbers(seed: 32)
    for _ in 0..<LongForm.count(short: 5, long: 300, variable: "TORTURE_CUTS") {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      try scratch.write(bytes, as: "damaged.avi")
      let result = try await scratch.remux(["--json", "damaged.avi", "-o", "copy.mp4", "--force"])
      #expect(result.exitStatus <= 1, "\(result.errorOutput)")
      let record = try JSONDecoder().decode(RemuxTests.Record.self, from: Data(result.output))
      #expect(record.reason != "decoderDied" && record.reason != "invalidReply", "\(result.text)")
    }
  }
}
