internal import Glibc
public import SystemPackage

/// Pixels in memory, 8 bits a channel, row after row without gaps.
public struct RawPixels: Sendable {
  /// Pixels from left to right.
  public let width: Int
  /// Pixels from top to bottom.
  public let height: Int
  /// 3 or 4.
  public let channels: Int
  /// Row after row.
  public let bytes: [UInt8]

  /// Makes one of its parts.
  public init(width: Int, height: Int, channels: Int, bytes: [UInt8]) {
    self.width = width
    self.height = height
    self.channels = channels
    self.bytes = bytes
  }
}

/// The ffmpeg command line as an independent judge of pixels.
public enum Oracle {
  /// Thrown when ffmpeg itself gives no picture.
  public struct NoPicture: Error, CustomStringConvertible {
    /// As a person types it.
    public let description: String
  }

  /// The picture that a clip's cover must be, by ffmpeg: upright by its automatic rotation, square pixels, full size.
  ///
  /// `0:V` leaves artwork out; `passthrough` keeps ffmpeg from dropping or doubling the first frame; `file:` stops it
  /// from reading a colon as a protocol.
  ///
  /// - Parameters:
  ///   - clip: Any file.
  ///   - hasAlpha: Whether to give alpha too.
  ///   - frame: Which of the decoded frames, counted from 0.
  ///   - options: What ffmpeg needs in front of its input.
  ///   - preparation: A filter for the frames as they are stored, such as a deinterlacer.
  ///   - filter: What comes after the squaring of pixels, such as `,scale=80:60`.
  public static func cover(
    of clip: FilePath,
    hasAlpha: Bool = false,
    frame: Int = 0,
    options: [String] = [],
    before preparation: String? = nil,
    filter: String = ""
  ) async throws -> RawPixels {
    let select = frame > 0 ? "select=eq(n\\,\(frame))," : ""
    let prepare = preparation.map { $0 + "," } ?? ""
    return try await pixels(
      options + ["-i", "file:\(clip.string)", "-map", "0:V:0", "-frames:v", "1", "-fps_mode", "passthrough"]
        + ["-vf", "\(select)\(prepare)scale=iw*sar:ih,setsar=1\(filter)"],
      hasAlpha: hasAlpha,
      name: clip.string
    )
  }

  /// What ffmpeg makes of a clip with any options, as RGB.
  public static func pixels(of clip: FilePath, _ options: [String], hasAlpha: Bool = false) async throws -> RawPixels {
    try await pixels(
      ["-i", "file:\(clip.string)"] + options + ["-frames:v", "1", "-fps_mode", "passthrough"],
      hasAlpha: hasAlpha,
      name: clip.string
    )
  }

  /// The pixels of a PNG by ffmpeg's own decoder.
  public static func pixels(ofPNG path: FilePath, hasAlpha: Bool) async throws -> RawPixels {
    try await pixels(of: path, demuxer: "png_pipe", hasAlpha: hasAlpha)
  }

  /// The pixels of a picture by ffmpeg's own decoder, read as what `demuxer` reads.
  public static func pixels(of path: FilePath, demuxer: String, hasAlpha: Bool) async throws -> RawPixels {
    try await pixels(["-f", demuxer, "-i", "file:\(path.string)"], hasAlpha: hasAlpha, name: path.string)
  }

  private static func pixels(_ arguments: [String], hasAlpha: Bool, name: String) async throws -> RawPixels {
    // PAM carries its size in a short text head, so no second program needs to be asked for it.
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error"] + arguments
        + ["-pix_fmt", hasAlpha ? "rgba" : "rgb24", "-c:v", "pam", "-f", "image2pipe", "-"]
    )
    guard let pixels = RawPixels(pam: result.output) else {
      throw NoPicture(description: "\(name): \(result.errorOutput)")
    }
    return pixels
  }
}

extension RawPixels {
  /// Reads a PAM (netpbm's portable arbitrary map) of 8 bits a channel.
  fileprivate init?(pam bytes: [UInt8]) {
    let end = Array("ENDHDR\n".utf8)
    guard bytes.starts(with: Array("P7\n".utf8)),
      let start = bytes.indices.first(where: { $0 < 200 && bytes[$0...].starts(with: end) })
    else { return nil }
    var fields: [String: Int] = [:]
    for line in String(decoding: bytes[..<start], as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2 { fields[String(words[0])] = Int(words[1]) }
    }
    guard let width = fields["WIDTH"], let height = fields["HEIGHT"], let channels = fields["DEPTH"] else { return nil }
    let pixels = Array(bytes[(start + end.count)...])
    guard pixels.count == width * height * channels else { return nil }
    self.init(width: width, height: height, channels: channels, bytes: pixels)
  }
}

extension RawPixels {
  /// The red, green and blue 5 % inside the top left, top right, bottom left and bottom right corner.
  public var corners: [[Int]] {
    let (x, y) = (width / 20, height / 20)
    return [(x, y), (width - 1 - x, y), (x, height - 1 - y), (width - 1 - x, height - 1 - y)].map { x, y in
      let start = (y * width + x) * channels
      return bytes[start..<start + 3].map { Int($0) }
    }
  }

  /// Whether the corners have these colours, each channel within 12 of 255.
  public func hasCorners(_ colours: [String]) -> Bool {
    let wanted = colours.map { colour in
      let number = Int(colour, radix: 16) ?? -1
      return [number >> 16 & 255, number >> 8 & 255, number & 255]
    }
    return zip(corners, wanted).allSatisfy { one, other in zip(one, other).allSatisfy { abs($0 - $1) <= 12 } }
  }
}

/// How far two pictures of the same size are apart.
public struct PixelDifference: Sendable, CustomStringConvertible {
  /// Mean of the absolute differences of all channels, 0…255.
  public let meanAbsolute: Double
  /// Peak signal-to-noise ratio in decibels; infinite when the pictures are the same.
  public let decibels: Double
  /// The largest difference of one channel.
  public let largest: Int

  /// `nil` when the sizes differ.
  public init?(_ one: RawPixels, _ other: RawPixels) {
    guard one.width == other.width, one.height == other.height, one.bytes.count == other.bytes.count,
      !one.bytes.isEmpty
    else { return nil }
    var (sum, squares, largest) = (0, 0, 0)
    one.bytes.withUnsafeBufferPointer { one in
      other.bytes.withUnsafeBufferPointer { other in
        for index in one.indices {
          let difference = abs(Int(one[index]) - Int(other[index]))
          sum += difference
          squares += difference * difference
          largest = max(largest, difference)
        }
      }
    }
    meanAbsolute = Double(sum) / Double(one.bytes.count)
    let mean = Double(squares) / Double(one.bytes.count)
    decibels = mean == 0 ? .infinity : 10 * (255 * 255 / mean).logarithm10
    self.largest = largest
  }

  /// As a person types it.
  public var description: String { "mean \(meanAbsolute), \(decibels) dB, largest \(largest)" }
}

extension Double {
  fileprivate var logarithm10: Double { log10(self) }
}
