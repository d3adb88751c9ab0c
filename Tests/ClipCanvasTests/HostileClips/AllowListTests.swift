import SystemPackage
import TestSupport
import Testing

/// The codecs that libavcodec is asked to open by any code in the decoder process.
///
/// `Tests/CodecWatch` replaces `avcodec_open2` to record them.
@Suite("The decoder opens only codecs on the allow list")
struct AllowListTests {
  /// An independent copy of the allow list.
  private static let allowed = Set(
    """
    h264 hevc mpeg1video mpeg2video mpegvideo mpeg4 h261 h263 h263i flv msmpeg4v1 msmpeg4v2 msmpeg4 wmv1 wmv2 wmv3 vc1 \
    rv10 rv20 rv30 rv40 vp3 theora vp6 vp6a vp6f vp8 vp9 libvpx libvpx-vp9 libdav1d libaom-av1 av1 mjpeg mjpegb jpeg2000 \
    libopenjpeg png apng gif webp webp_anim bmp tiff prores dnxhd cfhd dvvideo svq1 svq3 cinepak indeo3 qtrle rpza dirac \
    rawvideo v210 ffv1 ffvhuff huffyuv utvideo flashsv flashsv2 cavs camtasia tscc2 g2m vmnc msvideo1 msrle fraps aic \
    hap hqx notchlc speedhq mss2
    """.split(separator: " ").map(String.init)
  )

  /// Runs the commands that decode on the clips, and returns one line for each call that opened a codec.
  private func opened(_ clips: [FilePath], in scratch: ScratchFolder) async throws -> [String] {
    let decoder = try TestDecoder.watched(in: scratch)
    let paths = clips.map(\.string)
    for command in [
      ["cover", "--force", "-o", "covers/"], ["cover", "--force", "--at", "50%", "-o", "covers/"], ["probe"],
    ] {
      _ = try await Program.run(
        "clipcanvas",
        command + ["--timeout", "60"] + paths,
        in: scratch.path,
        environment: ["CLIPCANVAS_DECODER": decoder.string]
      )
    }
    let lines = String(decoding: try ScratchFolder.read(scratch("decoder.opened")), as: UTF8.self)
    return lines.split(separator: "\n").map(String.init)
  }

  private func expectAllowed(_ lines: [String]) {
    let names = Set(lines.compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(names.subtracting(Self.allowed) == [])
    #expect(!names.isEmpty, "the watch sees something")
  }

  @Test("Fixtures open only codecs on the list", .enabled(if: Scope.isFull))
  func fixtures() async throws {
    let scratch = try ScratchFolder()
    expectAllowed(try await opened(FixtureManifest.shared.fixtures.map(\.path), in: scratch))
  }

  // 64 Mi pixels. In other containers libavformat may find a stream only after the header.
  @Test(
    "Codecs are opened with the pixel limit if the container's header lists the streams",
    .enabled(if: Scope.isFull)
  )
  func pixelLimit() async throws {
    let scratch = try ScratchFolder()
    let clips = FixtureManifest.shared.fixtures.filter {
      ["mp4", "mov", "mkv", "webm", "avi"].contains($0.path.extension)
    }
    let lines = try await opened(clips.map(\.path), in: scratch)
    #expect(lines.filter { $0.contains(" opened ") && !$0.hasSuffix(" 67108864") } == [])
  }

  @Test(
    "Real recordings open only codecs on the list",
    .enabled(if: Scope.isFull),
    .enabled(if: SharedClips.areHere, "\(SharedClips.absence)")
  )
  func recordings() async throws {
    let scratch = try ScratchFolder()
    let clips = SharedClips.valid + SharedClips.awkward + SharedClips.hostile
    expectAllowed(try await opened(clips.map(SharedClips.path), in: scratch))
  }

  // libavformat reads on to find the shape of the picture, and would decode the same frame for that.
  @Test(
    "The decoder of a clip in MXF is opened once for a cover",
    arguments: [["libx264", "-bf", "2"], ["mpeg2video"], ["dnxhd", "-profile:v", "dnxhr_sq", "-pix_fmt", "yuv422p"]]
  )
  func once(_ encoder: [String]) async throws {
    let scratch = try ScratchFolder()
    let made = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x240:d=0.4", "-pix_fmt", "yuv420p", "-c:v"] + encoder
        + [scratch("a.mxf").string]
    )
    try #require(made.exitStatus == 0, "\(made.errorOutput)")
    let decoder = try TestDecoder.watched(in: scratch)
    let result = try await Program.run(
      "clipcanvas",
      ["cover", "a.mxf"],
      in: scratch.path,
      environment: ["CLIPCANVAS_DECODER": decoder.string]
    )
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    let lines = String(decoding: try ScratchFolder.read(scratch("decoder.opened")), as: UTF8.self)
    #expect(lines.split(separator: "\n").count { $0.contains(" opened ") } == 1, "\(lines)")
  }

  /// Codecs that are not on the list, alone and next to a stream that may be decoded, in containers that list their
  /// streams in the header and in containers that do not.
  private static let foreign = [
    ["-c:v", "magicyuv", "a.avi"], ["-c:v", "magicyuv", "a.mkv"], ["-c:v", "magicyuv", "a.mov"],
    ["-c:v", "magicyuv", "a.nut"],
    ["-c:v", "zmbv", "a.avi"], ["-c:v", "snow", "-strict", "-2", "a.avi"], ["-c:v", "asv1", "a.avi"],
    ["-c:v", "jpegls", "a.avi"], ["-c:v", "zlib", "a.avi"], ["-c:v", "ljpeg", "-strict", "-1", "a.avi"],
    ["-c:v", "mpeg2video", "-c:a", "mp2", "a.mpg"], ["-c:v", "flv1", "-c:a", "adpcm_swf", "-ar", "22050", "a.flv"],
    ["-c:v", "mpeg4", "-c:a", "ac3", "a.ts"], ["-c:v", "libx264", "-c:a", "flac", "a.mkv"],
  ]

  @Test(
    "Video codecs off the list and audio codecs are not opened, whatever the container",
    .enabled(if: Scope.isFull),
    arguments: foreign
  )
  func foreignCodecs(_ options: [String]) async throws {
    let scratch = try ScratchFolder()
    let source = ["-f", "lavfi", "-i", "testsrc2=s=160x120:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4"]
    let name = try #require(options.last)
    let result = try await Program.runTool(
      "ffmpeg",
      ["-v", "error"] + source + options.dropLast() + [scratch(name).string]
    )
    if result.errorOutput.contains("Unknown encoder") { return }
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    let listed = try ScratchFolder.read(ProjectFolder.fixture("h264.mp4"))
    try scratch.write(listed, as: "listed.mp4")
    expectAllowed(try await opened([scratch(name), scratch("listed.mp4")], in: scratch))
  }
}
