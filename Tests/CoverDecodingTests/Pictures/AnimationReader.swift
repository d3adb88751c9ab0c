import SystemPackage
import TestSupport

/// An animation as Pillow reads it, which shares no code with this project.
struct ReadAnimation {
  let format: String
  let width: Int
  let height: Int
  /// How many times it is shown; 0 for ever.
  let loops: Int
  /// The duration of each frame in milliseconds.
  let durations: [Int]
  /// The whole picture after each frame, with alpha.
  let pictures: [RawPixels]

  /// Whether Pillow can be used.
  @Sendable static func isThere() async -> Bool {
    let test = "from PIL import features; assert features.check('webp_anim')"
    return (try? await Program.runTool("python3", ["-c", test]).exitStatus) == 0
  }

  private static let script = """
    import sys
    from PIL import Image
    image = Image.open(sys.argv[1])
    durations, pictures = [], []
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        durations.append(image.info["duration"])
        pictures.append(image.convert("RGBA").tobytes())
    print(image.format, image.width, image.height, image.info["loop"], *durations, flush=True)
    sys.stdout.buffer.write(b"".join(pictures))
    """

  /// Reads an animation.
  init(_ bytes: [UInt8]) async throws {
    let scratch = try ScratchFolder()
    let file = try scratch.write(bytes, as: "animation")
    let result = try await Program.runTool("python3", ["-c", Self.script, file.string])
    guard result.exitStatus == 0, let end = result.output.firstIndex(of: UInt8(ascii: "\n")) else {
      throw Unreadable(description: result.errorOutput)
    }
    let words = String(decoding: result.output[..<end], as: UTF8.self).split(separator: " ")
    let numbers = words.dropFirst().compactMap { Int($0) }
    (format, width, height, loops) = (String(words[0]), numbers[0], numbers[1], numbers[2])
    durations = Array(numbers[3...])
    let (size, pixels) = (4 * numbers[0] * numbers[1], result.output[(end + 1)...])
    pictures = durations.indices.map { index in
      let start = pixels.startIndex + index * size
      return RawPixels(width: numbers[0], height: numbers[1], channels: 4, bytes: Array(pixels[start..<start + size]))
    }
  }

  /// The error thrown if Pillow cannot read the file.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }
}
