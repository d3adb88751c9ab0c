import ClipCovers
import SystemPackage
import TestSupport
import Testing

@Suite("Covers for Swift programs")
struct GeneratorTests {
  private let scratch: ScratchFolder
  private let pool = DecoderPool(decoder: ProjectFolder.program("clipcanvas-decoder").string)

  init() throws {
    scratch = try ScratchFolder()
  }

  private var generator: CoverGenerator { CoverGenerator(pool: pool) }

  private func counting(_ name: String, frames: Int = 40) async throws -> ClipSource {
    let clip = scratch(name)
    let result = try await Program.runTool(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=10:d=\(Double(frames) / 10)"]
        + ["-c:v", "libx264", "-g", "10", "-bf", "2", "-pix_fmt", "yuv420p", clip.string]
    )
    try #require(result.exitStatus == 0, "\(result.errorOutput)")
    return .file(clip.string)
  }

  @Test(
    "The pixels are those of ffmpeg, upright and with square pixels",
    arguments: ["bt709.mp4", "anamorphic.mp4", "b-frames-3.mp4", "artwork-first.mp4", "1080p.mp4", "av1.mp4"]
  )
  func pixels(_ name: String) async throws {
    let clip = ProjectFolder.fixture(name)
    let ours = try await generator.pixels(of: .file(clip.string))
    let theirs = try await Oracle.cover(of: clip, hasAlpha: true)
    #expect(ours.size == PictureSize(width: theirs.width, height: theirs.height))
    let pixels = RawPixels(width: ours.size.width, height: ours.size.height, channels: 4, bytes: ours.rgba)
    let difference = try #require(PixelDifference(pixels, theirs))
    #expect(difference.meanAbsolute < 1.5, "\(difference)")
  }

  @Test("An image has its size, its time and the facts of its clip")
  func image() async throws {
    let clip = try await counting("clip.mp4")
    let image = try await CoverGenerator(maximumSize: .init(width: 80, height: 80), pool: pool)
      .image(of: clip, at: .seconds(1.25))
    #expect(image.size == PictureSize(width: 80, height: 60))
    #expect(image.actualTime == 1.2)
    #expect(image.clipDuration == 4)
    #expect(image.codec == "h264" && image.mediaType == "image/png" && !image.hasTransparency && !image.isDegraded)
    let file = try scratch.write(image.data, as: "image.png")
    let picture = try await Oracle.pixels(ofPNG: file, hasAlpha: false)
    #expect((picture.width, picture.height) == (80, 60))
    #expect(
      !String(decoding: image.data, as: UTF8.self).contains("clip.mp4"),
      "images do not contain the path of the clip"
    )
  }

  @Test(
    "JPEG and WebP are written as such",
    arguments: [(ImageFormat.jpeg(quality: 80), "mjpeg", "image/jpeg"), (.webp(quality: 80), "webp", "image/webp")]
  )
  func formats(_ format: ImageFormat, codec: String, type: String) async throws {
    let clip = ClipSource.file(ProjectFolder.fixture("bt709.mp4").string)
    let image = try await CoverGenerator(format: format, pool: pool).image(of: clip)
    let file = try scratch.write(image.data, as: "image")
    let result = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", file.string]
    )
    #expect(String(decoding: result.output, as: UTF8.self) == codec + "\n")
    #expect(image.mediaType == type)
  }

  @Test("Images at several times are those at each time")
  func images() async throws {
    let clip = try await counting("clip.mp4")
    let times: [ClipTime] = [.percent(50), .first, .seconds(3.95), .keyFrame(before: 1.9), .seconds(99)]
    var found: [Double?] = []
    for try await element in generator.images(of: clip, at: times) {
      #expect(element.requestedTime == times[found.count])
      let image = try element.image
      let alone = try await CoverGenerator(pool: pool).image(of: clip, at: element.requestedTime)
      #expect(image.data == alone.data)
      found.append(image.actualTime)
    }
    #expect(found == [2, 0, 3.9, 1, 3.9])
  }

  @Test("A clip in memory gives the same image as its file")
  func bytes() async throws {
    for name in ["bt709.mp4", "audio-first.mkv"] {
      let path = ProjectFolder.fixture(name)
      let inMemory = try await generator.image(of: .bytes(ScratchFolder.read(path)))
      let onDisk = try await generator.image(of: .file(path.string))
      #expect(try pixels(inMemory).elementsEqual(pixels(onDisk)))
    }
  }

  /// The compressed pixels of a PNG, without the texts that identify its clip.
  private func pixels(_ image: ClipImage) throws -> ArraySlice<UInt8> {
    let start = image.data.indices.first { image.data[$0...].starts(with: Array("IDAT".utf8)) }
    return image.data[try #require(start)...]
  }

  @Test("The facts are those of ffprobe")
  func facts() async throws {
    let facts = try await generator.facts(of: .file(ProjectFolder.fixture("anamorphic-turned.mp4").string))
    let result = try await Program.runTool(
      "ffprobe",
      ["-v", "error", "-select_streams", "v:0", "-show_entries", "stream=codec_name,width,height,pix_fmt"]
        + ["-of", "csv=p=0", ProjectFolder.fixture("anamorphic-turned.mp4").string]
    )
    let stored = facts.storedSize
    let words = "\(facts.codec),\(stored.width),\(stored.height),\(facts.pixelFormat ?? "")"
    // A comma follows, because the stream has side data.
    #expect(result.text.hasPrefix(words), "\(result.text)")
    #expect(facts.rotation == 90 || facts.rotation == 270)
    #expect(facts.displayedSize.width < facts.displayedSize.height)
  }

  @Test("A sheet has a tile for each of its frames")
  func sheet() async throws {
    let clip = try await counting("clip.mp4")
    let sheet = try await CoverGenerator(maximumSize: .init(width: 80, height: 80), pool: pool)
      .sheet(of: clip, columns: 3, rows: 2)
    #expect(sheet.image.size == PictureSize(width: 240, height: 120))
    #expect(sheet.tileSize == PictureSize(width: 80, height: 60))
    #expect(sheet.columns == 3 && sheet.times.count == 6 && sheet.damagedTiles == 0)
    let times = sheet.times.compactMap(\.self)
    #expect(times == times.sorted() && Set(times).count == 6)
  }

  @Test("A storyboard has a tile for each interval, on as many sheets as needed")
  func storyboard() async throws {
    let clip = try await counting("clip.mp4")
    let sheets = try await CoverGenerator(maximumSize: .init(width: 40, height: 40), format: .webp(), pool: pool)
      .storyboard(of: clip, every: 0.5, columns: 3, rows: 1)
    #expect(sheets.map(\.times.count) == [3, 3, 2])
    #expect(sheets.flatMap(\.times).compactMap(\.self).count == 8)
    #expect(sheets.allSatisfy { $0.tileSize == PictureSize(width: 40, height: 30) })
  }
}
