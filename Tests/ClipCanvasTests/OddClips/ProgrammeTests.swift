import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Transport streams with several videos: which one is shown, and which one `--programme` selects.
@Suite("Programmes of transport streams")
struct ProgrammeTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private struct Facts: Decodable {
    struct Stream: Decodable {
      let kind: String
      let programmes: [Int]?
    }
    let storedWidth, streamIndex: Int?
    let streams: [Stream]?
    let message: String?
  }

  /// The videos of a transport stream by their widths, those of each programme, which have the numbers 11, 12 and so on,
  /// and the width of the video that is shown by default.
  struct Multiplex {
    let widths: [Int]
    let programmes: [[Int]]
    let shown: Int
  }

  static let multiplexes = [
    Multiplex(widths: [160, 320, 480], programmes: [[160, 320], [480]], shown: 320),
    Multiplex(widths: [480, 160, 320], programmes: [[160, 320], [480]], shown: 320),
    Multiplex(widths: [160, 320], programmes: [[160, 320]], shown: 320),
    Multiplex(widths: [480, 320, 160], programmes: [[160], [320, 480], [320]], shown: 160),
    Multiplex(widths: [320, 160], programmes: [[], [160, 320]], shown: 320),
  ]

  /// Makes a transport stream whose programmes have a sound each.
  private func make(_ name: String, _ multiplex: Multiplex, codec: String) async throws {
    let (widths, count) = (multiplex.widths, multiplex.programmes.count)
    let sounds = (1...count).map { "sine=f=\(220 * $0):r=48000:d=2" }
    let maps = (0..<widths.count + count).flatMap { ["-map", "\($0)"] }
    let programmes = multiplex.programmes.enumerated().flatMap { index, members in
      let streams = members.compactMap { widths.firstIndex(of: $0) } + [widths.count + index]
      return ["-program", "program_num=\(11 + index)" + streams.map { ":st=\($0)" }.joined()]
    }
    try await TestClip.make(
      name,
      inputs: widths.map { "testsrc2=s=\($0)x90:r=25:d=2" } + sounds,
      maps + ["-c:v", codec, "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "mp2"] + programmes,
      in: scratch
    )
  }

  /// The index of the video of a width, according to ffprobe.
  private func index(of width: Int, in name: String) async throws -> Int? {
    let words = ["-v", "error", "-show_entries", "stream=index,width", "-of", "csv=p=0", name]
    let list = try await Program.runTool("ffprobe", words, in: scratch.path).text
    for line in list.split(separator: "\n") {
      let numbers = line.split(separator: ",").compactMap { Int($0) }
      if numbers.count == 2, numbers[1] == width { return numbers[0] }
    }
    return nil
  }

  private func facts(_ arguments: [String]) async throws -> Facts {
    let result = try await Program.run("clipcanvas", arguments, in: scratch.path)
    return try JSONDecoder().decode(Facts.self, from: Data(result.output))
  }

  @Test(
    "The largest video of the first programme is shown, and --programme selects another",
    arguments: Scope.cases(Scope.mixed(["mpeg2video", "libx264", "libx265"], multiplexes), quick: 1)
  )
  func shown(_ codec: String, _ multiplex: Multiplex) async throws {
    try await make("a.ts", multiplex, codec: codec)
    let choices = multiplex.programmes.enumerated().map { (["--programme", "\(11 + $0)"], $1.max()) }
    for (options, width) in [([], multiplex.shown)] + choices {
      for at in ["first", "50%", "key:50%"] {
        let record = try await facts(["cover", "--json", "--at", at, "-o", "c.png"] + options + ["a.ts"])
        #expect(record.storedWidth == width, "\(options) at \(at): \(record)")
        guard let width else {
          #expect(record.message?.hasPrefix("no video stream") == true)
          continue
        }
        let index = try #require(try await index(of: width, in: "a.ts"))
        let pixels = try await Oracle.pixels(ofPNG: scratch("c.png"), hasAlpha: false)
        let time = at == "first" ? [] : ["-vf", "select='eq(n,25)'"]
        let reference = try await Oracle.pixels(of: scratch("a.ts"), time + ["-map", "0:\(index)"])
        let difference = try #require(PixelDifference(pixels, reference))
        #expect(difference.decibels >= 40, "\(options) at \(at): \(difference)")
      }
      let sheet = try await facts(["sheet", "--json", "-o", "s.png"] + options + ["a.ts"])
      let probed = try await facts(["probe", "--json"] + options + ["a.ts"])
      #expect(sheet.storedWidth == width && probed.storedWidth == width, "\(options): \(sheet), \(probed)")
      guard let width else { continue }
      #expect(try await probed.streamIndex == index(of: width, in: "a.ts"))
    }
  }

  @Test("probe lists the programmes of each stream")
  func list() async throws {
    let multiplex = Self.multiplexes[3]
    try await make("a.ts", multiplex, codec: "mpeg2video")
    let streams = try #require(try await facts(["probe", "--json", "a.ts"]).streams)
    #expect(streams.map(\.programmes) == [[11], [11], [12], [12, 13], [12], [13]])
    let text = try await Program.run("clipcanvas", ["probe", "a.ts"], in: scratch.path).text
    #expect(text.contains("320×90, 25 fps, yuv420p, 8 bits, tv, programme 12, programme 13"), "\(text)")
    // A single programme is not worth a word.
    try await make("b.ts", Self.multiplexes[2], codec: "mpeg2video")
    let other = try await Program.run("clipcanvas", ["probe", "b.ts"], in: scratch.path)
    #expect(!other.text.contains("programme"), "\(other.text)")
  }

  @Test("A programme that a clip does not have is an error, and means nothing in other containers")
  func missing() async throws {
    try await make("a.ts", Self.multiplexes[0], codec: "mpeg2video")
    let words = ["cover", "--programme", "7", "-o", "c.png"]
    let result = try await Program.run("clipcanvas", words + ["a.ts"], in: scratch.path)
    #expect(
      result.exitStatus == 1
        && result.errorOutput == "a.ts: there is no programme 7; 'clipcanvas probe' lists the streams\n"
    )
    let clip = ProjectFolder.fixture("h264.mp4").string
    let other = try await Program.run("clipcanvas", words + [clip], in: scratch.path)
    #expect(other.exitStatus == 0, "\(other.errorOutput)")
    let both = try await Program.run("clipcanvas", words + ["--stream", "0", clip], in: scratch.path)
    #expect(both.exitStatus == 64 && both.errorOutput.contains("both select the video"), "\(both.errorOutput)")
  }

  @Test("A copy has all programmes and begins with the video that is shown, or has the selected programme")
  func copies() async throws {
    let multiplex = Self.multiplexes[0]
    try await make("a.ts", multiplex, codec: "libx264")
    let cases: [([String], widths: [Int], sounds: Int)] = [
      ([], [320, 160, 480], 2), (["--programme", "11"], [320, 160], 1), (["--programme", "12"], [480], 1),
    ]
    for ending in ["mkv", "mp4"] {
      for (options, widths, sounds) in cases {
        let result = try await scratch.remux(options + ["--force", "a.ts", "-o", "c.\(ending)"])
        #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(options): \(result.errorOutput)")
        let words = ["-v", "error", "-show_entries", "stream=codec_type,width,nb_read_packets", "-count_packets"]
        let list = try await Program.runTool("ffprobe", words + ["-of", "csv=p=0", "c.\(ending)"], in: scratch.path)
        let lines = list.text.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("video") } == widths.map { "video,\($0),50" }, "\(options): \(lines)")
        #expect(lines.filter { $0.hasPrefix("audio") }.count == sounds, "\(options): \(lines)")
      }
    }
  }

  @Test("A batch makes all its pictures of the selected programme")
  func batch() async throws {
    try await make("a.ts", Self.multiplexes[0], codec: "mpeg2video")
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "b.mp4")
    let words = ["batch", "--programme", "12", "--sheet", "--json", "."]
    let result = try await Program.run("clipcanvas", words, in: scratch.path)
    #expect(result.exitStatus == 0, "\(result.errorOutput)")
    let lines = result.text.split(separator: "\n").compactMap {
      try? JSONDecoder().decode(Facts.self, from: Data($0.utf8))
    }
    #expect(lines.compactMap(\.storedWidth).sorted() == [160, 160, 480, 480], "\(result.text)")
  }
}
