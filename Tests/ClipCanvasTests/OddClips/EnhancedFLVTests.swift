import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// FLV with the codecs of Enhanced RTMP, which FFmpeg reads from 6.1 on, put together by hand.
@Suite("HEVC, AV1 and VP9 in FLV")
struct EnhancedFLVTests {
  struct Codec {
    let name, encoder, code, box: String
  }

  static let codecs = [
    Codec(name: "HEVC", encoder: "libx265", code: "hvc1", box: "hvcC"),
    Codec(name: "AV1", encoder: "libaom-av1", code: "av01", box: "av1C"),
    Codec(name: "VP9", encoder: "libvpx-vp9", code: "vp09", box: "vpcC"),
  ]

  private static func tag(_ data: [UInt8], milliseconds: Int) -> [UInt8] {
    let head = [9] + bigEndian(data.count, bytes: 3) + bigEndian(milliseconds, bytes: 3) + [0, 0, 0, 0]
    return head + data + bigEndian(head.count + data.count, bytes: 4)
  }

  /// Makes an FLV file with the packets of an MP4 file.
  ///
  /// - Parameters:
  ///   - number: The codec number of the older header; `nil` for the extended one.
  ///   - reorders: Whether some frames of HEVC are shown later than they are decoded.
  private func make(
    _ name: String,
    _ codec: Codec,
    number: UInt8? = nil,
    reorders: Bool = false,
    in scratch: ScratchFolder
  ) async throws {
    let coding = ["-c:v", codec.encoder, "-g", "10", "-bf", reorders ? "2" : "0", "-pix_fmt", "yuv420p"]
    let speed = codec.encoder == "libx265" ? ["-tag:v", "hvc1"] : ["-cpu-used", "8", "-deadline", "realtime"]
    try await TestClip.make("a.mp4", inputs: ["testsrc2=s=160x120:r=10:d=1"], coding + speed, in: scratch)
    let movie = Array(try ScratchFolder.read(scratch("a.mp4")))
    let type = Array(codec.box.utf8)
    let place = try #require((4..<movie.count - 4).first { movie[$0..<$0 + 4].elementsEqual(type) })
    let size = movie[place - 4..<place].bigEndian
    let words = ["-v", "error", "-show_entries", "packet=pts_time,dts_time,pos,size,flags", "-of", "csv=p=0", "a.mp4"]
    let list = try await Program.runTool("ffprobe", words, in: scratch.path).text.split(separator: "\n")
    func head(_ isKey: Bool, _ kind: UInt8) -> [UInt8] {
      let frame: UInt8 = isKey ? 1 : 2
      return number.map { [frame << 4 | $0, min(kind, 1), 0, 0, 0] } ?? [0x80 | frame << 4 | kind]
        + Array(codec.code.utf8)
    }
    var file = Array("FLV".utf8) + [1, 1, 0, 0, 0, 9, 0, 0, 0, 0]
    file += Self.tag(head(true, 0) + movie[place + 4..<place - 4 + size], milliseconds: 0)
    for (index, line) in list.enumerated() {
      let values = line.split(separator: ",")
      let (shown, decoded) = (try #require(Double(values[0])), try #require(Double(values[1])))
      let (bytes, position) = (try #require(Int(values[2])), try #require(Int(values[3])))
      let isHEVC = codec.code == "hvc1"
      let delay = isHEVC && reorders ? bigEndian(Int(((shown - decoded) * 1000).rounded()), bytes: 3) : []
      // Frames of HEVC without a composition time are packets of another kind.
      let kind: UInt8 = isHEVC && delay.isEmpty ? 3 : 1
      let data = head(values[4].hasPrefix("K"), kind) + delay + movie[position..<position + bytes]
      file += Self.tag(data, milliseconds: 100 * index)
    }
    try scratch.write(file, as: name)
  }

  /// Whether the installed FFmpeg reads the extended header.
  private static func isRead() async throws -> Bool {
    let text = try await Program.runTool("ffmpeg", ["-version"]).text
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("libavformat") })
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    return (numbers[0], numbers[1]) >= (60, 16)
  }

  @Test("A codec that FFmpeg does not know in FLV is named, with the version that does", arguments: codecs)
  func enhanced(_ codec: Codec) async throws {
    let scratch = try ScratchFolder()
    try await make("a.flv", codec, in: scratch)
    let isRead = try await Self.isRead()
    for command in [["cover", "-o", "c.png"], ["cover", "--at", "50%", "-o", "c.png"], ["sheet"], ["animate"]] {
      let result = try await Program.run("clipcanvas", command + ["--force", "a.flv"], in: scratch.path)
      let message = "a.flv: the installed FFmpeg cannot read \(codec.name) in FLV; use FFmpeg 6.1 or later\n"
      #expect(isRead ? result.exitStatus == 0 : result.errorOutput == message, "\(command): \(result.errorOutput)")
    }
    guard isRead else { return }
    let pixels = try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false)
    let reference = try await Oracle.pixels(of: scratch("a.mp4"), ["-vf", "select='eq(n,5)'"])
    let difference = try #require(PixelDifference(pixels, reference))
    #expect(difference.decibels >= 40, "\(difference)")
  }

  @Test("The duration includes the last frame, also of frames that are shown later than they are decoded")
  func duration() async throws {
    struct Facts: Decodable { let durationSeconds: Double? }
    let scratch = try ScratchFolder()
    let isRead = try await Self.isRead()
    for reorders in [false, true] where isRead || !reorders {
      try await make("a.flv", Self.codecs[0], reorders: reorders, in: scratch)
      let result = try await Program.run("clipcanvas", ["probe", "--json", "a.flv"], in: scratch.path)
      let facts = try JSONDecoder().decode(Facts.self, from: Data(result.output))
      #expect(facts.durationSeconds == 1, "\(reorders): \(facts)")
    }
  }

  @Test("HEVC with the number that some programs give it is named")
  func numbered() async throws {
    let scratch = try ScratchFolder()
    try await make("a.flv", Self.codecs[0], number: 12, in: scratch)
    let result = try await Program.run("clipcanvas", ["cover", "a.flv"], in: scratch.path)
    #expect(result.errorOutput.hasPrefix("a.flv: its video is HEVC with the number 12, which FFmpeg does not read"))
  }
}
