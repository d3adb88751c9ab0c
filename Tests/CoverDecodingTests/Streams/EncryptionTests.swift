import CoverDecoding
import Covers
import SystemPackage
import TestSupport
import Testing

/// The clips are encrypted by ffmpeg, or by editing files that it wrote.
@Suite("Encrypted clips")
struct EncryptionTests {
  private static let key = [
    "-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb",
    "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8",
  ]
  private static let fragments = ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// Makes a clip of two seconds, with a key frame each half second, and returns its bytes.
  private func make(_ name: String, _ codec: [String], _ options: [String] = []) async throws -> [UInt8] {
    let source = scratch("source.mkv").string
    if codec != ["copy"] {
      try await ffmpeg(["-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=2", "-g", "5", "-c:v"] + codec + [source])
    }
    try await ffmpeg(["-i", source, "-c", "copy"] + options + [scratch(name).string])
    return try ScratchFolder.read(scratch(name))
  }

  private func ffmpeg(_ arguments: [String]) async throws {
    let result = try await Program.runTool("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments)
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
  }

  private func cover(
    of bytes: [UInt8],
    at time: RequestedTime = .first,
    as name: String = "cover.png"
  ) throws -> Result<CoverFacts, CoverFailure> {
    let clip = try FileDescriptor.open(try scratch.write(bytes, as: "clip"), .readOnly, options: .closeOnExec)
    let output = try scratch.create(name)
    return try clip.closeAfter {
      try output.closeAfter {
        var request = CoverRequest()
        request.time = time
        do throws(CoverFailure) {
          return .success(try CoverExtractor.makeCover(of: clip.rawValue, request: request, into: output.rawValue))
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Expects that the video is reported as encrypted, with the scheme if the container names it.
  private func expectEncrypted(
    _ bytes: [UInt8],
    scheme: String?,
    at time: RequestedTime = .first,
    stage: CoverFailure.Stage = .decode,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let failure = try #require(throws: CoverFailure.self) { try cover(of: bytes, at: time).get() }
    #expect(failure.cause == .encrypted && failure.stage == stage, "\(failure)", sourceLocation: sourceLocation)
    let message = "the video is encrypted" + (scheme.map { " (\($0))" } ?? "")
    #expect(failure.message == message, sourceLocation: sourceLocation)
    #expect(!failure.isIncomplete && !failure.isBreakdown && failure.advice != nil, sourceLocation: sourceLocation)
  }

  @Test(
    "A clip with Common Encryption has no cover, whatever its codec",
    .enabled(if: Scope.isFull),
    arguments: [
      ["libx264", "-pix_fmt", "yuv420p"], ["libx265", "-x265-params", "log-level=none"], ["libvpx-vp9"], ["mpeg4"],
    ]
  )
  func common(_ codec: [String]) async throws {
    let whole = try await make("whole.mp4", codec, Self.key)
    try expectEncrypted(whole, scheme: "cenc")
    try expectEncrypted(whole, scheme: "cenc", at: .seconds(1))
    try expectEncrypted(try await make("parts.mp4", ["copy"], Self.key + Self.fragments), scheme: "cenc")
  }

  @Test("The reported scheme is that of the container", arguments: ["cbcs", "cens", "cbc1"])
  func scheme(_ scheme: String) async throws {
    var boxes = MovieBox.parse(try await make("whole.mp4", ["libx264"], Self.key)[...])
    let path = \[MovieBox].["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"]["encv"]["sinf"]["schm"]
    boxes[keyPath: path].fields.replaceSubrange(4..<8, with: scheme.utf8)
    try expectEncrypted(boxes.bytes, scheme: scheme)
  }

  @Test(
    "Protection that FFmpeg does not report is recognised by the sample entry or the brand",
    .enabled(if: Scope.isFull)
  )
  func otherProtection() async throws {
    let whole = try await make("whole.mp4", ["libx264"], Self.key)
    let stsd = \[MovieBox].["moov"]["trak"]["mdia"]["minf"]["stbl"]["stsd"]
    // PIFF puts the parameters into a box of another type.
    var piff = MovieBox.parse(whole[...])
    piff[keyPath: stsd]["encv"]["sinf"]["schi"]["tenc"].type = "uuid"
    piff[keyPath: stsd]["encv"]["sinf"]["schm"].fields.replaceSubrange(4..<8, with: "piff".utf8)
    piff["ftyp"].fields.replaceSubrange(8..<12, with: "piff".utf8)
    // FFmpeg cannot read this header.
    try expectEncrypted(piff.bytes, scheme: "piff", stage: .open)
    let table = \[MovieBox].["moov"]["trak"]["mdia"]["minf"]["stbl"]
    piff[keyPath: table].children.removeAll { ["senc", "saio", "saiz"].contains($0.type) }
    try expectEncrypted(piff.bytes, scheme: "piff")
    // FairPlay has a separate sample entry.
    var fairPlay = MovieBox.parse(whole[...])
    fairPlay[keyPath: stsd]["encv"]["sinf"]["schm"].fields.replaceSubrange(4..<8, with: "itun".utf8)
    fairPlay[keyPath: stsd]["encv"].type = "drmi"
    try expectEncrypted(fairPlay.bytes, scheme: "itun")
    // FFmpeg ignores the second of two encrypted sample entries.
    var double = MovieBox.parse(whole[...])
    double[keyPath: stsd].children += double[keyPath: stsd].children
    double[keyPath: stsd].fields = bigEndian(0) + bigEndian(2)
    try expectEncrypted(double.bytes, scheme: "cenc")
  }

  @Test(
    "A clip that starts clear has the cover of the original, and none in its encrypted part",
    .enabled(if: Scope.isFull)
  )
  func clearLead() async throws {
    let original = try await make("original.mp4", ["libx264", "-pix_fmt", "yuv420p"], Self.fragments)
    let encrypted = try await make("encrypted.mp4", ["copy"], Self.key + Self.fragments)
    let expected = try await Oracle.cover(of: scratch("original.mp4"))
    for clip in [
      EncryptedMovie.withClearGroup(encrypted, original: original),
      EncryptedMovie.withClearEntry(encrypted, original: original),
    ] {
      #expect(try cover(of: clip).get().actualTime == 0)
      let pixels = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
      #expect(try #require(PixelDifference(pixels, expected)).decibels > 40)
      #expect(try cover(of: clip, at: .seconds(0.4)).get().actualTime == 0.4)
      try expectEncrypted(clip, scheme: "cenc", at: .seconds(0.6))
      try expectEncrypted(clip, scheme: "cenc", at: .seconds(1.5))
    }
  }

  @Test("A sample without an encrypted part counts as clear", .enabled(if: Scope.isFull))
  func clearSamples() async throws {
    let original = try await make("original.mp4", ["libx264", "-pix_fmt", "yuv420p"])
    var boxes = MovieBox.parse(try await make("encrypted.mp4", ["copy"], Self.key)[...])
    // Both files hold the same number of bytes for each sample, in the same order.
    boxes["mdat"].fields = MovieBox.parse(original[...])["mdat"].fields
    try expectEncrypted(boxes.bytes, scheme: "cenc")
    let senc = \[MovieBox].["moov"]["trak"]["mdia"]["minf"]["stbl"]["senc"]
    var position = 8
    let fields = boxes[keyPath: senc].fields
    while position + 10 <= fields.count {
      let parts = fields[position + 8..<position + 10].bigEndian
      position += 10
      for _ in 0..<parts {
        boxes[keyPath: senc].fields.replaceSubrange(position + 2..<position + 6, with: bigEndian(0))
        position += 6
      }
    }
    #expect(try cover(of: boxes.bytes).get().actualTime == 0)
  }

  @Test(
    "An encrypted WebM has a cover only where its frames are clear",
    .enabled(if: Scope.isFull),
    arguments: [16, 0]
  )
  func webM(keyBytes: Int) async throws {
    let original = try await make("original.webm", ["libvpx"])
    try expectEncrypted(EncryptedWebM.make(of: original, clearFrames: 0, keyBytes: keyBytes), scheme: nil)
    guard keyBytes > 0 else { return }
    let clip = EncryptedWebM.make(of: original, clearFrames: 5)
    #expect(try cover(of: clip).get().actualTime == 0)
    let pixels = try await Oracle.pixels(ofPNG: scratch("cover.png"), hasAlpha: false)
    let expected = try await Oracle.cover(of: scratch("original.webm"))
    #expect(try #require(PixelDifference(pixels, expected)).decibels > 40)
    try expectEncrypted(clip, scheme: nil, at: .seconds(1))
  }

  @Test("A clip with Windows Media DRM has no cover", arguments: [false, true])
  func windowsMedia(isExtended: Bool) async throws {
    var bytes = try await make("clip.wmv", ["wmv2"])
    func text(_ text: String) -> [UInt8] { littleEndian(text.utf8.count + 1) + Array(text.utf8) + [0] }
    let simple: [UInt8] = [
      0xFB, 0xB3, 0x11, 0x22, 0x23, 0xBD, 0xD2, 0x11, 0xB4, 0xB7, 0x00, 0xA0, 0xC9, 0x55, 0xFC, 0x6E,
    ]
    let extended: [UInt8] = [
      0x14, 0xE6, 0x8A, 0x29, 0x22, 0x26, 0x17, 0x4C, 0xB9, 0x35, 0xDA, 0xE0, 0x7E, 0xE9, 0x28, 0x9C,
    ]
    let content =
      isExtended
      ? littleEndian(8) + [UInt8](repeating: 5, count: 8)
      : littleEndian(8) + [UInt8](repeating: 5, count: 8) + text("DRM") + text("key") + text("http://example.com")
    let object = (isExtended ? extended : simple) + littleEndian(24 + content.count, bytes: 8) + content
    // The header object: its identifier, size, number of objects and two reserved bytes.
    let size = bytes[16..<24].littleEndian
    let count = bytes[24..<28].littleEndian
    bytes.replaceSubrange(16..<28, with: littleEndian(size + object.count, bytes: 8) + littleEndian(count + 1))
    bytes.insert(contentsOf: object, at: 30)
    try expectEncrypted(bytes, scheme: "Windows Media DRM")
  }

  /// What is scrambled of a transport or program stream: whole packets, or what follows the headers of its PES packets.
  enum Scrambling: CaseIterable { case packets, contents }

  /// Scrambles the video of a stream from a share of its bytes on.
  private func scramble(_ bytes: inout [UInt8], _ kind: Scrambling, isTransport: Bool, from share: Double) {
    func garble(_ range: Range<Int>) {
      for index in range { bytes[index] ^= UInt8(truncatingIfNeeded: index &* 97 | 1) }
    }
    var position = 0
    while position + 188 <= bytes.count {
      guard isTransport else {
        // Packs of 2048 bytes, each with a packet of video or sound.
        let start = (position..<position + 40).first { bytes[$0...].starts(with: [0, 0, 1, 0xE0]) }
        if let start, Double(position) >= share * Double(bytes.count), bytes[start + 6] & 0xC0 == 0x80 {
          bytes[start + 6] |= 0x10
          garble(position + 128..<position + 2048)
        }
        position += 2048
        continue
      }
      let isVideo = bytes[position + 1] & 0x1F == 1 && bytes[position + 2] == 0
      var header = position + 4 + (bytes[position + 3] & 0x20 != 0 ? 1 + Int(bytes[position + 4]) : 0)
      if isVideo && Double(position) >= share * Double(bytes.count) && header < position + 188 {
        switch kind {
        case .packets: bytes[position + 3] |= 0x80
        case .contents where bytes[position + 1] & 0x40 != 0:
          bytes[header + 6] |= 0x20
          header += 9 + Int(bytes[header + 8])
        case .contents: break
        }
        garble(header..<position + 188)
      }
      position += 188
    }
  }

  @Test(
    "A scrambled transport or program stream has a cover only where it is clear",
    .enabled(if: Scope.isFull),
    arguments: ["libx264", "mpeg2video"],
    Scrambling.allCases
  )
  func scrambled(_ codec: String, _ kind: Scrambling) async throws {
    let isTransport = kind == .packets || codec == "libx264"
    let format = isTransport ? ["-f", "mpegts"] : ["-f", "dvd", "-muxrate", "10080000"]
    let original = try await make("original", [codec, "-pix_fmt", "yuv420p", "-b:v", "2M", "-r", "25"], format)
    var whole = original
    scramble(&whole, kind, isTransport: isTransport, from: 0)
    for time in [RequestedTime.first, .seconds(0), .seconds(1), .best, .keyFrame(before: .seconds(1))] {
      try expectEncrypted(whole, scheme: nil, at: time)
    }
    var half = original
    scramble(&half, kind, isTransport: isTransport, from: 0.5)
    #expect(try cover(of: half).get().degradation == nil)
    #expect(try cover(of: half, at: .seconds(0.2)).get().actualTime == 0.2)
    try expectEncrypted(half, scheme: nil, at: .seconds(1.8))
    // The bits of a recording that was decrypted may still mark it as scrambled.
    var marked = original
    for index in marked.indices where isTransport && index % 188 == 3 { marked[index] |= 0x80 }
    #expect(try cover(of: marked).get().degradation == nil)
    #expect(try cover(of: marked, at: .seconds(9)).get().degradation == nil)
  }
}
