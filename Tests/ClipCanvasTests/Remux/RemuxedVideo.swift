import FoundationEssentials
import SystemPackage
import TestSupport

/// What ffmpeg and ffprobe find in a clip or a copy of it.
struct RemuxedVideo {
  /// A decoded frame: its time in seconds and a hash of its pixels.
  struct Frame: Equatable {
    let time: Double
    let hash: String
  }

  let path: FilePath

  /// The hashes of the frames of the first video stream, in presentation order.
  ///
  /// - Parameter limits: Options of ffmpeg for reading the streams.
  func hashes(limits: [String] = []) async throws -> [String] {
    let result = try await Program.runTool(
      "ffmpeg",
      ["-v", "error"] + limits + ["-i", "file:\(path.string)", "-map", "0:V:0", "-fps_mode", "passthrough"]
        + ["-f", "framemd5", "-"]
    )
    return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
      $0.split(separator: ",").last.map { String($0.trimmingPrefix(" ")) }
    }
  }

  /// The frames of the first video stream, in the order of their times.
  ///
  /// - Parameter limits: Options of ffmpeg and ffprobe for reading the streams.
  func frames(limits: [String] = []) async throws -> [Frame] {
    // The hashes come from one command and the times from another, because ffmpeg rounds times to the frame rate.
    let found = try await hashes(limits: limits)
    let words =
      limits + ["-select_streams", "V:0", "-show_entries", "frame=best_effort_timestamp_time", "-of", "csv=p=0"]
    let times = try await probe(words).split(separator: "\n").compactMap {
      Double($0.split(separator: ",").first ?? "")
    }
    guard times.count == found.count else { throw Disagreement(path: path, times: times.count, frames: found.count) }
    return zip(times, found).map { Frame(time: $0, hash: $1) }
  }

  /// The decoding times of the packets of a stream, in the order of the file.
  func decodingTimes(ofStream index: Int) async throws -> [Double] {
    let words = ["-select_streams", "\(index)", "-show_entries", "packet=dts_time", "-of", "csv=p=0"]
    return try await probe(words).split(separator: "\n").compactMap { Double($0.split(separator: ",").first ?? "") }
  }

  /// The duration according to the container, in seconds.
  func duration() async throws -> Double? {
    Double(try await probe(["-show_entries", "format=duration", "-of", "csv=p=0"]).trimmingSuffix("\n"))
  }

  /// The mean luma of each frame with its time.
  func luma() async throws -> [(time: Double, mean: Double)] {
    let filters = "signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-"
    let result = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-copyts", "-i", "file:\(path.string)", "-map", "0:V:0", "-fps_mode", "passthrough"]
        + ["-vf", filters, "-f", "null", "-"]
    )
    // A line with `pts_time:` is followed by one with the mean.
    let numbers = result.text.split(separator: "\n").compactMap { line in
      line.split { $0 == ":" || $0 == "=" }.last.flatMap { Double($0) }
    }
    return stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
  }

  /// A decoded piece of sound: the time of its first sample, and its samples at 48 kHz.
  struct Sound {
    let time: Double
    let samples: ArraySlice<Float>
  }

  /// The decoded pieces of the first audio stream, which must have 48 000 samples a second.
  func sound() async throws -> [Sound] {
    // Without filters, ffmpeg writes the samples of all frames one after another, whatever their times.
    let result = try await Program.runTool(
      "ffmpeg",
      ["-v", "error", "-i", "file:\(path.string)", "-map", "0:a:0", "-ac", "1", "-f", "f32le", "-"]
    )
    var samples = result.output.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 3, by: 4).map { bytes.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }[...]
    let words = ["-select_streams", "a:0", "-show_entries", "frame=best_effort_timestamp_time,nb_samples"]
    return try await probe(words + ["-of", "csv=p=0"]).split(separator: "\n").compactMap { line in
      let values = line.split(separator: ",")
      guard values.count >= 2, let time = Double(values[0]), let count = Int(values[1]) else { return nil }
      defer { samples = samples.dropFirst(count) }
      return Sound(time: time, samples: samples.prefix(count))
    }
  }

  private func probe(_ words: [String]) async throws -> String {
    try await Program.runTool("ffprobe", ["-v", "error"] + words + ["-i", "file:\(path.string)"]).text
  }

  /// ffmpeg and ffprobe found different numbers of frames.
  struct Disagreement: Error {
    let path: FilePath
    let times, frames: Int
  }
}

extension RemuxedVideo {
  /// The start times of flashes, in seconds.
  func flashes() async throws -> [Double] {
    var times: [Double] = []
    var wasBright = false
    for (time, mean) in try await luma() {
      if mean > 128, !wasBright { times.append(time) }
      wasBright = mean > 128
    }
    return times
  }

  /// The start times of beeps, in seconds.
  func beeps() async throws -> [Double] {
    var times: [Double] = []
    var loud = -1.0
    for piece in try await sound() {
      for (index, sample) in piece.samples.enumerated() where abs(sample) > 0.1 {
        let time = piece.time + Double(index) / 48_000
        // A beep lasts 50 ms, so anything after a tenth of a second of silence is the next one.
        if time - loud > 0.1 { times.append(time) }
        loud = time
      }
    }
    return times
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self[...]
  }
}

/// Clips made with ffmpeg for tests of copying.
enum TestClip {
  /// Makes a clip.
  ///
  /// - Parameters:
  ///   - name: The file to create.
  ///   - inputs: Sources of ffmpeg's virtual input device.
  ///   - options: The options of the output.
  static func make(_ name: String, inputs: [String], _ options: [String], in scratch: ScratchFolder) async throws {
    let words = ["-v", "error", "-y"] + inputs.flatMap { ["-f", "lavfi", "-i", $0] } + options + [name]
    let result = try await Program.runTool("ffmpeg", words, in: scratch.path)
    guard result.exitStatus == 0 else { throw Failure(description: "\(words): \(result.errorOutput)") }
  }

  /// Makes a clip with a white frame and a beep of 50 ms every half second.
  static func flashing(
    _ name: String,
    seconds: Double,
    rate: String = "25",
    _ options: [String],
    in scratch: ScratchFolder
  ) async throws {
    let video =
      "color=black:s=64x64:r=\(rate):d=\(seconds),"
      + "geq=lum='if(lt(mod(T+0.25\\,0.5)\\,0.039)\\,235\\,16)':cb=128:cr=128"
    let sound = "aevalsrc='if(lt(mod(t+0.25\\,0.5)\\,0.05)\\,0.8*sin(2*PI*1000*t)\\,0)':s=48000:d=\(seconds)"
    try await make(name, inputs: [video, sound], options, in: scratch)
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
