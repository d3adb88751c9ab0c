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

  /// The first presented frame of a clip by ffmpeg: upright by its automatic rotation, square pixels, full size.
  ///
  /// `0:V` leaves artwork out; `passthrough` keeps ffmpeg from dropping or doubling the first frame; `file:` stops it
  /// from reading a colon as a protocol.
  ///
  /// - Parameter scale: The size of the cover, where it is not the full one.
  public static func firstFrame(
    of clip: FilePath,
    hasAlpha: Bool = false,
    scale: String = "scale=iw*sar:ih,setsar=1"
  ) async throws -> RawPixels {
    try await pixels(
      ["-i", "file:\(clip.string)", "-map", "0:V:0", "-frames:v", "1", "-fps_mode", "passthrough", "-vf", scale],
      hasAlpha: hasAlpha,
      name: clip.string
    )
  }

  /// The pixels of a PNG by ffmpeg's own decoder.
  public static func pixels(ofPNG path: FilePath, hasAlpha: Bool) async throws -> RawPixels {
    try await pixels(["-f", "png_pipe", "-i", "file:\(path.string)"], hasAlpha: hasAlpha, name: path.string)
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

#if canImport(Glibc)
internal import Glibc
#else
internal import Musl
#endif

extension Double {
  fileprivate var logarithm10: Double { log10(self) }
}
