import Glibc
import SystemPackage
import TestSupport

/// A board in its own folder whose clips are made with ffmpeg, exported by the real programs.
struct ExportBoard {
  let scratch: ScratchFolder

  struct NotDone: Error {
    let arguments: [String]
    let result: ProgramResult
  }

  init(_ options: String...) async throws {
    scratch = try ScratchFolder()
    try await done(["new"] + options)
  }

  func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("clipcanvas", ["board"] + arguments, in: scratch.path, environment: ["CLIPCANVAS_BOARD": ""])
  }

  /// Runs a command that must exit with status 0.
  @discardableResult
  func done(_ arguments: [String]) async throws -> String {
    let result = try await run(arguments)
    guard result.exitStatus == 0 else { throw NotDone(arguments: arguments, result: result) }
    return result.text
  }

  /// Runs ffmpeg and returns its standard output.
  @discardableResult
  func ffmpeg(_ arguments: [String]) async throws -> [UInt8] {
    let result = try await Program.runTool("ffmpeg", ["-v", "error", "-y"] + arguments, in: scratch.path)
    guard result.exitStatus == 0 else { throw NotDone(arguments: arguments, result: result) }
    return result.output
  }

  /// Makes a clip of BT.709 and imports it.
  ///
  /// - Parameters:
  ///   - name: The name of the file.
  ///   - canvas: The canvas.
  ///   - video: The source of the frames, as ffmpeg's lavfi has it.
  ///   - sound: The source of the sound.
  ///   - options: Further options of ffmpeg.
  func bring(
    _ name: String,
    to canvas: String,
    video: String,
    sound: String? = nil,
    options: [String] = []
  ) async throws {
    let colour = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"]
    try await ffmpeg(
      ["-f", "lavfi", "-i", video] + (sound.map { ["-f", "lavfi", "-i", $0] } ?? [])
        + ["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "10"] + colour + options + [name]
    )
    try await done(["clip", "import", canvas, name])
  }

  /// Exports a video in the highest quality, which must succeed without a message.
  func export(_ options: [String], as name: String = "out.mp4") async throws {
    let arguments = ["export", "--quality", "100", "-o", name] + options
    let result = try await run(arguments)
    guard result.exitStatus == 0, result.errorOutput.isEmpty else {
      throw NotDone(arguments: arguments, result: result)
    }
  }

  /// Decodes a file with ffmpeg, through a filter that results in frames of the given size.
  func frames(of name: String, width: Int, height: Int, filter: String = "null") async throws -> [Planes] {
    let bytes = try await ffmpeg(
      ["-i", name, "-an", "-vf", filter, "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", "-"]
    )
    let size = width * height * 3 / 2
    return stride(from: 0, to: bytes.count - size + 1, by: size).map { start in
      Planes(width: width, height: height, bytes: Array(bytes[start..<start + size]))
    }
  }

  /// Decodes the first channel of a file's sound at 48 kHz.
  func samples(of name: String, channel: Int = 0) async throws -> [Float] {
    let bytes = try await ffmpeg(["-i", name, "-vn", "-ac", "2", "-ar", "48000", "-f", "f32le", "-"])
    return bytes.withUnsafeBytes { raw in
      stride(from: 4 * channel, to: raw.count - 3, by: 8).map { raw.loadUnaligned(fromByteOffset: $0, as: Float.self) }
    }
  }
}

/// A frame in 4:2:0.
struct Planes {
  let width: Int
  let height: Int
  var bytes: [UInt8]

  /// The planes: the position of the first sample, and the size in relation to luma.
  private var parts: [(start: Int, width: Int, divisor: Int)] {
    let luma = width * height
    return [(0, width, 1), (luma, width / 2, 2), (luma + luma / 4, width / 2, 2)]
  }

  /// Draws a frame with its top left corner at an even position.
  mutating func draw(_ other: Planes, x: Int, y: Int) {
    for (part, source) in zip(parts, other.parts) {
      for row in 0..<other.height / part.divisor {
        let start = part.start + (y / part.divisor + row) * part.width + x / part.divisor
        let from = source.start + row * source.width
        bytes.replaceSubrange(start..<start + source.width, with: other.bytes[from..<from + source.width])
      }
    }
  }

  /// Returns a part whose corner and size are even.
  func part(x: Int, y: Int, width: Int, height: Int) -> Planes {
    var result: [UInt8] = []
    for part in parts {
      for row in 0..<height / part.divisor {
        let start = part.start + (y / part.divisor + row) * part.width + x / part.divisor
        result += bytes[start..<start + width / part.divisor]
      }
    }
    return Planes(width: width, height: height, bytes: result)
  }

  /// Returns the peak signal-to-noise ratio to another frame, in decibels; 99 if they are equal.
  func quality(comparedWith other: Planes) -> Double {
    guard bytes.count == other.bytes.count else { return 0 }
    let sum = bytes.withUnsafeBufferPointer { one in
      other.bytes.withUnsafeBufferPointer { two in
        var sum = 0
        for index in 0..<one.count {
          let difference = Int(one[index]) - Int(two[index])
          sum += difference * difference
        }
        return sum
      }
    }
    return sum == 0 ? 99 : 10 * log10(255 * 255 * Double(bytes.count) / Double(sum))
  }

  /// The mean of luma.
  var brightness: Double {
    let luma = bytes.prefix(width * height)
    return Double(luma.reduce(0) { $0 + Int($1) }) / Double(luma.count)
  }
}
