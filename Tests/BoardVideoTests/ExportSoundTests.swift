import TestSupport
import Testing

@Suite("Sound of an exported board")
struct ExportSoundTests {
  /// The first time when a third of the highest level is reached.
  private func beep(in samples: [Float]) -> Double {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    return Double(samples.firstIndex { abs($0) >= peak / 3 } ?? 0) / 48_000
  }

  /// The codecs, containers, rates and channels of 16 clips.
  private static let kinds = [
    ("mp4", "aac", "48000", "stereo"), ("mp4", "aac", "44100", "mono"), ("mkv", "libopus", "48000", "stereo"),
    ("mkv", "flac", "44100", "stereo"), ("mov", "pcm_s16le", "8000", "mono"), ("ts", "aac", "48000", "stereo"),
    ("ts", "ac3", "48000", "5.1"), ("mkv", "libmp3lame", "44100", "stereo"), ("mp4", "libmp3lame", "22050", "mono"),
    ("mkv", "libvorbis", "44100", "stereo"), ("mov", "aac", "32000", "5.1"), ("mkv", "eac3", "48000", "stereo"),
    ("flv", "aac", "44100", "stereo"), ("mkv", "pcm_s24le", "96000", "stereo"), ("mov", "pcm_f32le", "48000", "5.1"),
    ("mkv", "libopus", "48000", "mono"),
  ]

  @Test("Flash and beep agree within 20 ms in each of 16 canvases", .enabled(if: Scope.isFull))
  func together() async throws {
    let board = try await ExportBoard("--grid", "4x4")
    for (index, kind) in Self.kinds.enumerated() {
      // On a frame of the video, so that both begin at the same time.
      let time = Double(6 + 3 * index) / 30
      try await board.bring(
        "\(index).\(kind.0)",
        to: "c\(index + 1)",
        video: "color=black:size=160x90:rate=30:duration=2.5,"
          + "drawbox=enable='between(t,\(time - 0.001),\(time + 0.099))':color=white:t=fill",
        sound: "aevalsrc='between(t,\(time),\(time + 0.1))*sin(2000*PI*t)/2':s=\(kind.2):d=2.5,"
          + "pan=\(kind.3)|\(kind.3 == "5.1" ? "FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0" : kind.3 == "mono" ? "c0=c0" : "c0=c0|c1=c0")",
        options: ["-c:a", kind.1]
      )
    }
    let muted = Self.kinds.indices.map { $0 }
    for index in Self.kinds.indices {
      let mutes = muted.filter { $0 != index }.flatMap { ["--mute", "c\($0 + 1)"] }
      try await board.export(["--size", "320x180", "--force"] + mutes)
      let (x, y) = (index % 4 * 80 + 10, index / 4 * 45 + 10)
      let frames = try await board.frames(of: "out.mp4", width: 320, height: 180)
      let flash = frames.firstIndex { $0.part(x: x, y: y, width: 50, height: 25).brightness > 120 }
      let difference = beep(in: try await board.samples(of: "out.mp4")) - Double(flash ?? -30) / 30
      #expect(abs(difference) <= 0.02, "canvas \(index + 1): \(difference) s")
    }
  }

  @Test("A clip is heard from the side that --pan names, with the same power", .enabled(if: Scope.isFull))
  func pan() async throws {
    let board = try await ExportBoard("--grid", "1x1")
    let tone = "aevalsrc='sin(2000*PI*t)/4|sin(2000*PI*t)/4':s=48000:d=1"
    try await board.bring("a.mp4", to: "c1", video: "color=red:size=160x90:rate=30:duration=1", sound: tone)
    func levels(_ position: String) async throws -> [Float] {
      try await board.export(["--size", "160x90", "--force", "--pan", "c1=\(position)"])
      var levels: [Float] = []
      for channel in 0..<2 {
        let samples = try await board.samples(of: "out.mp4", channel: channel)[12_000..<36_000]
        levels.append((samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot())
      }
      return levels
    }
    let level = Float(0.25) / Float(2).squareRoot()
    for (position, left, right) in [
      ("0", Float(1), Float(1)), ("-1", 1.414, 0), ("1", 0, 1.414), ("0.5", 0.707, 1.225),
    ] {
      let found = try await levels(position)
      #expect(abs(found[0] - left * level) < 0.01 && abs(found[1] - right * level) < 0.01, "at \(position): \(found)")
    }
  }

  @Test("A video of clips without sound, or with muted clips only, has no sound track")
  func silence() async throws {
    let board = try await ExportBoard("--grid", "2x1")
    try await board.bring("a.mp4", to: "c1", video: "color=red:size=160x90:rate=30:duration=0.2")
    try await board.export(["--size", "320x90"])
    func streams() async throws -> Int {
      let arguments = ["-v", "error", "-show_entries", "stream=index", "-of", "csv=p=0", "out.mp4"]
      return try await Program.runTool("ffprobe", arguments, in: board.scratch.path).text.split(separator: "\n").count
    }
    #expect(try await streams() == 1)
    let tone = "sine=frequency=440:duration=0.2"
    try await board.bring("b.mp4", to: "c2", video: "color=blue:size=160x90:rate=30:duration=0.2", sound: tone)
    try await board.export(["--size", "320x90", "--force"])
    #expect(try await streams() == 2)
    try await board.export(["--size", "320x90", "--force", "--mute", "c2"])
    #expect(try await streams() == 1)
  }

  @Test(
    "Sound that ends long before or after the picture leaves silence, and is not kept in memory",
    .enabled(if: Scope.isFull)
  )
  func unequalLengths() async throws {
    let board = try await ExportBoard("--grid", "2x1")
    let tone = "aevalsrc='sin(2000*PI*t)/4':s=48000:d="
    try await board.bring("a.mp4", to: "c1", video: "color=red:size=160x90:rate=30:duration=20", sound: tone + "1")
    // 230 MB, once it is decoded.
    let long = ["-ar", "8000", "-c:a", "pcm_s16le"]
    let video = "color=blue:size=160x90:rate=30:duration=1"
    try await board.bring("b.mov", to: "c2", video: video, sound: tone + "600", options: long)
    let output = try ScratchFolder()
    let program = try RunningProgram(
      "clipcanvas",
      ["board", "export", "-o", "out.mp4", "--size", "320x90", "--pan", "c1=-1", "--pan", "c2=1"],
      scratch: output,
      in: board.scratch.path,
      environment: ["CLIPCANVAS_BOARD": ""]
    )
    let result = try await program.end()
    #expect(result.exitStatus == 0 && result.errorOutput.isEmpty, "\(result.errorOutput)")
    let peak = program.peakOfChildren.resident
    #expect(peak > 0 && peak < 160 << 20, "\(peak >> 20) MiB")
    #expect(try await board.frames(of: "out.mp4", width: 320, height: 90).count == 600)
    for channel in 0..<2 {
      let samples = try await board.samples(of: "out.mp4", channel: channel)
      #expect(abs(samples.count - 20 * 48_000) <= 2048, "\(samples.count)")
      #expect(samples[4800..<43_200].contains { abs($0) > 0.15 })
      #expect(samples[52_800...].allSatisfy { abs($0) < 0.001 })
    }
  }

  @Test("Loud clips together do not exceed full scale", .enabled(if: Scope.isFull))
  func limiter() async throws {
    let board = try await ExportBoard("--grid", "2x2")
    for index in 1...4 {
      let tone = "aevalsrc='sin(2000*PI*t)':s=48000:d=\(index)"
      let video = "color=red:size=160x90:rate=30:duration=\(index)"
      try await board.bring("\(index).mp4", to: "c\(index)", video: video, sound: tone)
    }
    try await board.export(["--size", "320x180"])
    let samples = try await board.samples(of: "out.mp4")
    #expect(samples.allSatisfy { abs($0) <= 1 })
    #expect(samples.prefix(48_000).contains { abs($0) > 0.8 })
  }
}
