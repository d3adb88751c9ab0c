import Subprocess
import Synchronization
import SystemPackage
import Testing

@testable import TestSupport

@Suite("Cache of clips")
struct ClipCacheTests {
  /// Counts the runs of a program that stands for ffmpeg.
  private final class Encoder: Sendable {
    private let count = Mutex(0)
    var runs: Int { count.withLock { $0 } }

    /// Writes the words in front of the last one, and the content of the input, to the file that the last word names.
    func run(version: String = "1", exitStatus: Int32 = 0) -> ClipCache.Runner {
      { name, arguments, folder in
        if arguments == ["-version"] {
          return ProgramResult(status: .exited(0), output: Array(version.utf8), errorOutput: "")
        }
        let number = self.count.withLock {
          $0 += 1
          return $0
        }
        let folder = try #require(folder)
        let file = try #require(arguments.last)
        try ScratchFolder.write("clip \(number) of \(version)".utf8, to: folder.appending(file))
        return ProgramResult(
          status: .exited(exitStatus),
          output: Array("out \(number)".utf8),
          errorOutput: "warning \(number)"
        )
      }
    }
  }

  private let scratch: ScratchFolder
  private let encoder = Encoder()
  private var folder: FilePath { scratch("entries/clips") }
  private let words = ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x48:d=1", "-c:v", "mpeg4"]

  init() throws { scratch = try ScratchFolder() }

  private func text(_ name: String) throws -> String {
    String(decoding: try ScratchFolder.read(scratch(name)), as: UTF8.self)
  }

  @Test("The same words give the same clip in any folder and under any name, and run nothing")
  func hit() async throws {
    let first = ClipCache(folder: folder, run: encoder.run())
    _ = try await first.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
    let other = try ScratchFolder()
    let result = try await ClipCache(folder: folder, run: encoder.run()).result(
      of: "ffmpeg",
      words + ["b.mp4"],
      in: other.path
    )
    #expect(encoder.runs == 1)
    #expect(result.text == "out 1")
    #expect(result.errorOutput == "warning 1")
    #expect(try ScratchFolder.read(other("b.mp4")) == Array("clip 1 of 1".utf8))
  }

  @Test(
    "Other words, another container and another program are another clip",
    arguments: [["-g", "5", "a.mp4"], ["a.mkv"], ["-c:v", "ffv1", "a.mp4"]]
  )
  func miss(_ last: [String]) async throws {
    let cache = ClipCache(folder: folder, run: encoder.run())
    _ = try await cache.result(of: "ffmpeg", words + ["first.mp4"], in: scratch.path)
    _ = try await cache.result(of: "ffmpeg", words + last, in: scratch.path)
    #expect(encoder.runs == 2)
  }

  @Test("The clips of another version of ffmpeg are not used")
  func version() async throws {
    for version in ["1", "2", "1"] {
      let cache = ClipCache(folder: folder, run: encoder.run(version: version))
      _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
    }
    #expect(encoder.runs == 2)
    #expect(try text("a.mp4") == "clip 1 of 1")
  }

  @Test("An input counts by its content")
  func input() async throws {
    let cache = ClipCache(folder: folder, run: encoder.run())
    for content in ["one", "two", "one"] {
      try scratch.write(content.utf8, as: "in.mp4")
      _ = try await cache.result(of: "ffmpeg", ["-y", "-i", "in.mp4", "-c", "copy", "out.mp4"], in: scratch.path)
    }
    #expect(encoder.runs == 2)
    #expect(try text("out.mp4") == "clip 1 of 1")
  }

  @Test("An attachment counts by its name too, which the clip stores")
  func attachment() async throws {
    let cache = ClipCache(folder: folder, run: encoder.run())
    for name in ["one.ttf", "two.ttf", "one.ttf"] {
      try scratch.write("font".utf8, as: name)
      _ = try await cache.result(of: "ffmpeg", words + ["-attach", name, "out.mkv"], in: scratch.path)
    }
    #expect(encoder.runs == 2)
  }

  @Test(
    "What depends on more than words and the files they name is made each time",
    arguments: [
      ["-f", "concat", "-i", "list.txt", "out.mp4"], ["-f", "lavfi", "-i", "movie=in.mp4", "out.mp4"],
      ["-i", "in.mp4", "-f", "segment", "out.mp4"], ["-i", "frame%03d.png", "out.mp4"], ["-i", "-", "out.mp4"],
      ["-i", "concat:in.mp4|in.mp4", "out.mp4"], ["-i", "in.mp4", "-pass", "1", "out.mp4"],
      ["-i", "in.m3u8", "out.mp4"], ["-i", "missing.mp4", "out.mp4"], ["-unknown", "-i", "in.mp4", "out.mp4"],
      ["-i", "in.mp4", "-unknown", "out.mp4"], ["-i", "in.mp4", "-", "-unknown", "out.mp4"],
    ]
  )
  func uncached(_ arguments: [String]) async throws {
    try scratch.write("in".utf8, as: "in.mp4")
    let cache = ClipCache(folder: folder, run: encoder.run())
    for _ in 0..<2 { _ = try await cache.result(of: "ffmpeg", ["-y"] + arguments, in: scratch.path) }
    #expect(encoder.runs == 2)
  }

  @Test("A failure is not stored, nor is a clip whose overwriting needs -y")
  func failures() async throws {
    for _ in 0..<2 {
      let cache = ClipCache(folder: folder, run: encoder.run(exitStatus: 1))
      _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
    }
    #expect(encoder.runs == 2)
    let cache = ClipCache(folder: folder, run: encoder.run())
    let words = words.filter { $0 != "-y" }
    for _ in 0..<2 { _ = try await cache.result(of: "ffmpeg", words + ["b.mp4"], in: scratch.path) }
    #expect(encoder.runs == 4)
  }

  @Test("A damaged or half-written entry is made again", arguments: ["cut", "empty", "changed", "longer", "folder"])
  func damage(_ kind: String) async throws {
    let cache = ClipCache(folder: folder, run: encoder.run())
    _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
    let entry = folder.appending(try #require(try ScratchFolder.names(in: folder).first))
    var bytes = try ScratchFolder.read(entry)
    try ScratchFolder.remove(entry)
    switch kind {
    case "cut": bytes.removeLast()
    case "empty": bytes = []
    case "changed": bytes[bytes.count - 3] ^= 1
    case "longer": bytes += [0]
    default: bytes = []
    }
    if kind == "folder" { try FilePath.makeFolder(entry) } else { try ScratchFolder.write(bytes, to: entry) }
    for _ in 0..<2 { _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path) }
    #expect(try text("a.mp4") == (kind == "folder" ? "clip 3 of 1" : "clip 2 of 1"))
    #expect(encoder.runs == (kind == "folder" ? 3 : 2))
    #expect(try ScratchFolder.names(in: folder).count == 1)
  }

  @Test("A folder that cannot be written to does no harm", arguments: ["/proc/clips", "/dev/full/clips", "/dev/null"])
  func readOnly(_ folder: String) async throws {
    let cache = ClipCache(folder: FilePath(folder), run: encoder.run())
    for number in 1...2 {
      _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
      #expect(try text("a.mp4") == "clip \(number) of 1")
    }
  }

  @Test("Two runs at once leave whole entries and nothing else")
  func twoRuns() async throws {
    let (encoder, folder, words) = (encoder, folder, words)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let scratch = try ScratchFolder()
          for quality in 1...8 {
            let cache = ClipCache(folder: folder, run: encoder.run())
            _ = try await cache.result(of: "ffmpeg", words + ["-q", "\(quality)", "a.mp4"], in: scratch.path)
            #expect(try ScratchFolder.read(scratch("a.mp4")).starts(with: Array("clip ".utf8)))
          }
        }
      }
      try await group.waitForAll()
    }
    let runs = encoder.runs
    #expect(try ScratchFolder.names(in: folder).count == 8)
    for quality in 1...8 {
      let cache = ClipCache(folder: folder, run: encoder.run())
      _ = try await cache.result(of: "ffmpeg", words + ["-q", "\(quality)", "b.mp4"], in: scratch.path)
    }
    #expect(encoder.runs == runs)
  }

  @Test("ffmpeg's clips, pixels and facts are the same from the cache")
  func real() async throws {
    let cache = ClipCache(folder: folder)
    var results: [[UInt8]] = []
    for name in ["a.mkv", "b.mkv"] {
      _ = try await cache.result(of: "ffmpeg", words + [name], in: scratch.path)
      let pixels = ["-v", "error", "-i", name, "-frames:v", "1", "-f", "rawvideo", "-"]
      results.append(try await cache.result(of: "ffmpeg", pixels, in: scratch.path).output)
      let facts = ["-v", "error", "-show_entries", "stream=width,codec_name", "-of", "csv", name]
      results.append(try await cache.result(of: "ffprobe", facts, in: scratch.path).output)
    }
    #expect(try ScratchFolder.read(scratch("a.mkv")) == ScratchFolder.read(scratch("b.mkv")))
    #expect(results[0].count == 64 * 48 * 3 / 2)
    #expect(String(decoding: results[1], as: UTF8.self) == "stream,mpeg4,64\n")
    #expect(results[2...].elementsEqual(results[..<2]))
    #expect(try ScratchFolder.names(in: folder).count == 3)
  }

  @Test(
    "A full disk does no harm, and no part of an entry is left on it",
    .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence))
  )
  func fullDisk() async throws {
    let disk = try MemoryFileSystem(scratch("disk"), size: 64 << 10)
    let folder = disk.path.appending("clips")
    let clip = [UInt8](repeating: 7, count: 200_000)
    let cache = ClipCache(folder: folder) { name, arguments, place in
      if arguments != ["-version"] { try ScratchFolder.write(clip, to: try #require(place).appending("a.mp4")) }
      return ProgramResult(status: .exited(0), output: [], errorOutput: "")
    }
    for _ in 1...2 {
      _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
      #expect(try ScratchFolder.read(scratch("a.mp4")) == clip)
      #expect(try ScratchFolder.names(in: folder) == [])
    }
  }

  @Test(
    "The entries in a read-only folder are used",
    .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence))
  )
  func readOnlyEntries() async throws {
    let disk = try MemoryFileSystem(scratch("disk"), size: 1 << 20)
    let cache = ClipCache(folder: disk.path, run: encoder.run())
    _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
    try await disk.makeReadOnly()
    for (name, clip) in [("b.mp4", 1), ("b.mkv", 2), ("c.mkv", 3)] {
      _ = try await cache.result(of: "ffmpeg", words + [name], in: scratch.path)
      #expect(try text(name) == "clip \(clip) of 1")
    }
  }

  @Test("A part of an entry that a killed run left is ignored")
  func killedRun() async throws {
    let cache = ClipCache(folder: folder, run: encoder.run())
    _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path)
    let entry = folder.appending(try #require(try ScratchFolder.names(in: folder).first))
    let bytes = try ScratchFolder.read(entry)
    try ScratchFolder.remove(entry)
    try ScratchFolder.write(bytes.prefix(bytes.count / 2), to: folder.appending("new-1-1"))
    for _ in 1...2 { _ = try await cache.result(of: "ffmpeg", words + ["a.mp4"], in: scratch.path) }
    #expect(encoder.runs == 2)
    #expect(try text("a.mp4") == "clip 2 of 1")
  }

  @Test("A program that is not installed is named with its package")
  func missing() async throws {
    let error = await #expect(throws: Program.Missing.self) {
      try await Program.runDirectly("no-such-program", [], in: nil)
    }
    #expect(error?.description == "no-such-program is not installed; 'make setup' installs what the tests need")
    let cache = ClipCache(folder: folder) { name, _, _ in throw Program.Missing(name) }
    for name in ["ffmpeg", "ffprobe"] {
      let error = await #expect(throws: Program.Missing.self) {
        try await cache.result(of: name, words + ["a.mp4"], in: scratch.path)
      }
      #expect(error?.description == "\(name) is not installed; 'make setup' installs the package ffmpeg")
    }
  }
}
