package import SystemPackage

/// The ffmpeg command line, and netpbm, as independent references for pixels.
package enum Oracle {
  /// The error thrown if they make no picture.
  package struct NoPicture: Error, CustomStringConvertible {
    /// The input and the messages of the program.
    package let description: String
  }

  /// The filters that leave the part of a real recording that is shown: ffmpeg shows the blanking lines of D-10 as well.
  private static let shownParts = ["sample.mxf": "crop=iw:576:0:32,setsar=16/15"]

  /// Returns ffmpeg's version of a clip's cover: upright by automatic rotation, with square pixels, at full size.
  ///
  /// `0:V` excludes artwork; `passthrough` keeps ffmpeg from dropping or duplicating the first frame; `file:` keeps it
  /// from taking a colon for a protocol.
  ///
  /// - Parameters:
  ///   - clip: The clip.
  ///   - hasAlpha: Whether to include alpha.
  ///   - frame: The index of the decoded frame, counted from 0.
  ///   - options: Options in front of ffmpeg's input.
  ///   - preparation: A filter for the stored frames, such as a deinterlacer.
  ///   - filter: Further filters, applied once the pixels are square, such as `,scale=80:60`.
  package static func cover(
    of clip: FilePath,
    hasAlpha: Bool = false,
    frame: Int = 0,
    options: [String] = [],
    before preparation: String? = nil,
    filter: String = ""
  ) async throws -> RawPixels {
    let select = frame > 0 ? "select=eq(n\\,\(frame))," : ""
    let filters = [shownParts[clip.lastComponent?.string ?? ""], preparation].compactMap(\.self)
    let prepare = filters.map { $0 + "," }.joined()
    return try await pixels(
      options + ["-i", "file:\(clip.string)", "-map", "0:V:0", "-frames:v", "1", "-fps_mode", "passthrough"]
        + ["-vf", "\(select)\(prepare)scale=round(iw*sar):ih,setsar=1\(filter)"],
      hasAlpha: hasAlpha,
      name: clip.string
    )
  }

  /// Returns the first picture that ffmpeg makes of a clip with the given options.
  package static func pixels(of clip: FilePath, _ options: [String], hasAlpha: Bool = false) async throws -> RawPixels {
    try await pixels(
      ["-i", "file:\(clip.string)"] + options + ["-frames:v", "1", "-fps_mode", "passthrough"],
      hasAlpha: hasAlpha,
      name: clip.string
    )
  }

  /// Returns the pixels of a PNG, decoded by netpbm if they have 8 bits of red, green and blue, and otherwise by ffmpeg.
  ///
  /// For small pictures, ffmpeg takes more than ten times as long, because it has to load its libraries.
  package static func pixels(ofPNG path: FilePath, hasAlpha: Bool) async throws -> RawPixels {
    let result = try await Program.runTool("pngtopam", (hasAlpha ? ["-alphapam"] : []) + [path.string])
    let pixels = hasAlpha ? RawPixels(pam: result.output) : RawPixels(ppm: result.output)
    if let pixels { return pixels }
    return try await pixelsByFFmpeg(ofPNG: path, hasAlpha: hasAlpha)
  }

  /// Returns the pixels of a PNG, decoded by ffmpeg.
  package static func pixelsByFFmpeg(ofPNG path: FilePath, hasAlpha: Bool) async throws -> RawPixels {
    try await pixels(of: path, demuxer: "png_pipe", hasAlpha: hasAlpha)
  }

  /// Returns the pixels of a picture, decoded by ffmpeg with the given demuxer.
  package static func pixels(of path: FilePath, demuxer: String, hasAlpha: Bool) async throws -> RawPixels {
    try await pixels(["-f", demuxer, "-i", "file:\(path.string)"], hasAlpha: hasAlpha, name: path.string)
  }

  private static func pixels(_ arguments: [String], hasAlpha: Bool, name: String) async throws -> RawPixels {
    // PAM stores the size in a short text header, so no second program is needed to find it out.
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
  /// Parses a PAM file (netpbm's portable arbitrary map) with 8 bits and three or four channels per pixel.
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
    self.init(width: width, height: height, channels: channels, exactly: bytes[(start + end.count)...])
  }

  /// Parses a PPM file (netpbm's portable pixmap) with 8 bits per channel.
  fileprivate init?(ppm bytes: [UInt8]) {
    let lines = bytes.prefix(200).split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4, lines[0].elementsEqual("P6".utf8), lines[2].elementsEqual("255".utf8) else { return nil }
    let size = String(decoding: lines[1], as: UTF8.self).split(separator: " ").compactMap { Int($0) }
    guard size.count == 2 else { return nil }
    self.init(width: size[0], height: size[1], channels: 3, exactly: bytes[lines[3].startIndex...])
  }

  private init?(width: Int, height: Int, channels: Int, exactly samples: ArraySlice<UInt8>) {
    guard channels >= 3, samples.count == width * height * channels else { return nil }
    self.init(width: width, height: height, channels: channels, bytes: Array(samples))
  }
}
