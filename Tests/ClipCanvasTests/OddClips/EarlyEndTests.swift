import FoundationEssentials
import SystemPackage
import TestSupport
import Testing

/// Files that were cut off in the middle of their clip, compared with what ffprobe finds in the whole file.
@Suite("Files that end early")
struct EarlyEndTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private struct Facts: Decodable {
    let durationSeconds, declaredDurationSeconds, actualTime: Double?
    let endedEarly: Bool?
    let warnings: [String]?
  }

  /// A packet of the video: when its frame is shown, and where it is in the file.
  private struct Packet {
    let time: Double
    let position, size: Int
  }

  /// The extensions, ffmpeg's options, and whether the header declares the duration.
  static let clips: [(ending: String, options: [String], declares: Bool)] = [
    ("mp4", ["-c:v", "libx264", "-bf", "2", "-g", "20", "-movflags", "faststart"], true),
    ("mov", ["-c:v", "mpeg4", "-movflags", "faststart"], true),
    ("3gp", ["-c:v", "mpeg4", "-movflags", "faststart"], true),
    ("mp4", ["-c:v", "libx264", "-bf", "0", "-g", "20", "-movflags", "frag_keyframe+empty_moov"], false),
    ("mkv", ["-c:v", "libx264", "-bf", "2", "-g", "20", "-c:a", "aac"], true),
    ("webm", ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"], true),
    ("avi", ["-c:v", "mpeg4", "-c:a", "mp3"], true),
    ("flv", ["-c:v", "flv1", "-c:a", "mp3"], true),
    ("flv", ["-c:v", "libx264", "-bf", "2", "-g", "20", "-c:a", "aac"], true),
  ]

  private func packets(of name: String) async throws -> [Packet] {
    let words = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time,dts_time,pos,size"]
    let list = try await Program.runTool("ffprobe", words + ["-of", "csv=p=0", name], in: scratch.path)
    return list.text.split(separator: "\n").compactMap { line in
      let values = line.split(separator: ",", omittingEmptySubsequences: false)
      guard values.count >= 4, let size = Int(values[2]), let position = Int(values[3]) else { return nil }
      return (Double(values[0]) ?? Double(values[1])).map { Packet(time: $0, position: position, size: size) }
    }
  }

  private func facts(_ command: [String]) async throws -> Facts {
    let result = try await Program.run("clipcanvas", command, in: scratch.path)
    return try JSONDecoder().decode(Facts.self, from: Data(result.output))
  }

  @Test(
    "The duration is that of the whole frames, percentages count from it, and a warning names both ends",
    arguments: Scope.cases(Scope.mixed(clips, [0.35, 0.6, 0.9]), quick: 2)
  )
  func cut(_ clip: (ending: String, options: [String], declares: Bool), _ share: Double) async throws {
    let (name, cut) = ("whole.\(clip.ending)", "cut.\(clip.ending)")
    let inputs = ["testsrc2=s=160x120:r=25:d=4", "sine=r=44100:d=4"]
    let sound = clip.options.contains("-c:a") ? [] : ["-an"]
    try await TestClip.make(name, inputs: inputs, clip.options + sound + ["-pix_fmt", "yuv420p"], in: scratch)
    let all = try await packets(of: name)
    try #require(all.count == 100)
    let last = all[Int(share * 100)]
    let times = all.filter { $0.position < last.position }.map(\.time)
    let first = try #require(times.min())
    let end = try #require(times.max()) - first + 0.04
    try scratch.write(try ScratchFolder.read(scratch(name))[..<(last.position + last.size / 2)], as: cut)

    let probed = try await facts(["probe", "--json", cut])
    #expect(probed.endedEarly == true)
    #expect(abs(try #require(probed.durationSeconds) - end) < 0.0025, "\(probed), not \(end)")
    if clip.declares {
      #expect(abs(try #require(probed.declaredDurationSeconds) - 4) < 0.1, "\(probed)")
    }
    let text = try await Program.run("clipcanvas", ["probe", cut], in: scratch.path).text
    #expect(text.contains("\n  cut off       the file ends at "), "\(text)")
    for at in ["first", "50%", "key:90%", "best"] {
      let cover = try await facts(["cover", "--json", "--at", at, "-o", "c.png", "--force", cut])
      #expect(abs(try #require(cover.durationSeconds) - end) < 0.0025, "\(at): \(cover), not \(end)")
      let warnings = cover.warnings ?? []
      #expect(warnings.count == 1 && warnings[0].hasPrefix("the file ends at "), "\(at): \(warnings)")
      #expect(warnings.allSatisfy { !clip.declares || $0.contains(" s of its header: it was cut off") })
      guard at == "50%" else { continue }
      let wanted = try #require(times.filter { $0 - first <= end / 2 + 0.0005 }.max()) - first
      #expect(abs(try #require(cover.actualTime) - wanted) < 0.0025)
    }
    let sheet = try await facts(["sheet", "--json", "-o", "s.png", cut])
    #expect(sheet.warnings?.contains { $0.hasPrefix("the file ends at ") } == true, "\(sheet)")

    let whole = try await facts(["probe", "--json", name])
    #expect(whole.endedEarly == false && whole.declaredDurationSeconds == nil, "\(whole)")
    #expect(try await facts(["cover", "--json", "-o", "w.png", name]).warnings == [])
  }
}
