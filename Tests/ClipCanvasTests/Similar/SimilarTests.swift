import FoundationEssentials
import Glibc
import SystemPackage
import TestSupport
import Testing

@Suite("clipcanvas similar")
struct SimilarTests {
  private static let still = ["-frames:v", "30", "-c:v", "mpeg4", "-q:v", "3"]

  /// Makes a folder with clips that are identical, look alike, and differ.
  private func folder() async throws -> ScratchFolder {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    try FilePath.makeFolder(scratch("c/sub"))
    try await scratch.makeClip("c/a.mp4", of: "mandelbrot=s=320x180:r=10", Self.still)
    try await scratch.makeClip(
      "c/small.webm",
      of: "mandelbrot=s=320x180:r=10",
      ["-frames:v", "30", "-vf", "scale=160:90", "-c:v", "libvpx", "-b:v", "100k"]
    )
    try await scratch.makeClip("c/other.mp4", of: "testsrc=s=320x180:r=10", Self.still)
    try await scratch.makeClip("c/black.mp4", of: "color=black:s=320x180:r=10", Self.still)
    try await scratch.makeClip("c/dark.avi", of: "color=0x010101:s=160x90:r=10", Self.still)
    try scratch.copy(scratch("c/a.mp4"), as: "c/sub/copy.mp4")
    try scratch.copy(scratch("c/other.mp4"), as: "c/sub/again.mov")
    try scratch.write(Array("notes".utf8), as: "c/notes.txt")
    return scratch
  }

  @Test("Identical clips and those that look alike are printed in groups", .enabled(if: Scope.isFull))
  func groups() async throws {
    let scratch = try await folder()
    let similar = try await SimilarGroups(["c"], in: scratch)
    #expect(similar.result.exitStatus == 0 && similar.result.errorOutput.isEmpty, "\(similar.result)")
    #expect(similar.paths == [["c/a.mp4", "c/small.webm", "c/sub/copy.mp4"], ["c/other.mp4", "c/sub/again.mov"]])
    #expect(similar.groups.map(\.similarity) == ["alike", "identical"])
    #expect(similar.groups.map { $0.clips.map(\.content) } == [[0, 1, 0], [0, 0]])
    let clips = try #require(similar.groups.first?.clips)
    #expect(clips.map(\.width) == [320, 160, 320] && clips.map(\.height) == [180, 90, 180])
    #expect(clips.map(\.codec) == ["mpeg4", "vp8", "mpeg4"])
    #expect(clips.allSatisfy { $0.hashes?.count == 4 && $0.hashes?.contains(nil) == false })

    let text = try await Program.run("clipcanvas", ["similar", "c"], in: scratch.path)
    #expect(text.exitStatus == 0)
    let lines = text.text.split(separator: "\n").map(String.init)
    #expect(lines.count == 8, "\(text.text)")
    #expect(lines.first == "3 clips that look alike")
    #expect(lines.dropFirst().first?.hasPrefix("  c/a.mp4  320×180, 3.0 s, mpeg4, ") == true, "\(text.text)")
    #expect(lines.dropFirst(3).first == "  c/sub/copy.mp4  identical to c/a.mp4")
    #expect(lines.dropFirst(4).first == "2 identical clips" && lines.dropFirst(6).first == "  c/sub/again.mov")
    let summary =
      "7 clips: 1 group of identical clips, 1 group of clips that look alike, 1 other file not examined (--all); "
    #expect(lines.last?.hasPrefix(summary) == true, "\(text.text)")
  }

  @Test("A smaller distance finds fewer", .enabled(if: Scope.isFull))
  func distance() async throws {
    let scratch = try await folder()
    try await scratch.makeClip(
      "c/bad.avi",
      of: "mandelbrot=s=320x180:r=10",
      ["-frames:v", "30", "-vf", "scale=32:18,noise=alls=60:all_seed=1", "-c:v", "mpeg4"]
    )
    let usual = try await SimilarGroups(["--distance", "15", "c"], in: scratch)
    #expect(usual.paths.first?.contains("c/bad.avi") == true)
    let strict = try await SimilarGroups(["--distance=0", "c"], in: scratch)
    #expect(strict.paths.contains { $0.contains("c/a.mp4") && !$0.contains("c/bad.avi") }, "\(strict.paths)")
    for value in ["16", "-1", "x"] {
      let result = try await Program.run("clipcanvas", ["similar", "--distance=\(value)", "c"], in: scratch.path)
      #expect(result.exitStatus == 64 && result.errorOutput.contains("a number from 0 to 15"), "\(result)")
    }
  }

  @Test("No clip, one clip, and a name with a newline", .enabled(if: Scope.isFull))
  func few() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("none"))
    let none = try await Program.run("clipcanvas", ["similar", "none"], in: scratch.path)
    #expect(none.exitStatus == 0 && none.text == "no clips found\n" && none.errorOutput.isEmpty, "\(none)")
    try FilePath.makeFolder(scratch("one"))
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "one/a\nb.mp4")
    let one = try await Program.run("clipcanvas", ["similar", "one", "one"], in: scratch.path)
    #expect(one.exitStatus == 0 && one.text.hasPrefix("1 clip: no identical or similar ones; "), "\(one)")
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "one/c.mp4")
    let two = try await Program.run("clipcanvas", ["similar", "one"], in: scratch.path)
    #expect(two.text.hasPrefix("2 identical clips\n  one/a\\x0ab.mp4  160×120, 1.0 s, h264, "), "\(two.text)")
    let list = try scratch.write(Array("one/a\nb.mp4\0one/c.mp4\0".utf8), as: "list")
    let listed = try await SimilarGroups(["--files-from", list.string, "-0"], in: scratch)
    #expect(listed.groups.first?.clips.map { $0.clip.uri.hasSuffix("/one/a%0Ab.mp4") } == [true, false])
  }

  @Test("Clips that cannot be decoded are compared by content", .enabled(if: Scope.isFull))
  func undecodable() async throws {
    let scratch = try ScratchFolder()
    for name in ["a.m4a", "b.m4a"] { try scratch.copy(ProjectFolder.fixture("sound-only.m4a"), as: name) }
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "c.mp4")
    let similar = try await SimilarGroups(["a.m4a", "b.m4a", "c.mp4", "gone.mp4"], in: scratch)
    #expect(similar.result.exitStatus == 1)
    #expect(similar.paths == [["a.m4a", "b.m4a"]] && similar.groups.first?.clips.first?.hashes == nil)
    let lines = similar.result.errorOutput.split(separator: "\n").sorted()
    #expect(lines.map { $0.prefix { $0 != ":" } } == ["a.m4a", "b.m4a", "gone.mp4"], "\(lines)")
  }

  @Test(
    "Files of equal size are identical only if all bytes are, and names of one file are one clip",
    .enabled(if: Scope.isFull)
  )
  func content() async throws {
    let scratch = try ScratchFolder()
    // 400 kB after the clip: the files differ at the beginning of it, in the middle, or not at all.
    let clip = try ScratchFolder.read(ProjectFolder.fixture("sound-only.m4a"))
    var bytes = clip + [UInt8](repeating: 7, count: 400_000)
    for name in ["a.mp4", "same.mp4"] { try scratch.write(bytes, as: name) }
    bytes[clip.count + 200_000] = 8
    try scratch.write(bytes, as: "middle.mp4")
    try scratch.write(bytes.dropLast(), as: "shorter.mp4")
    try #require(link(scratch("middle.mp4").string, scratch("name.mp4").string) == 0)
    let similar = try await SimilarGroups(["."], in: scratch)
    #expect(similar.paths == [["./a.mp4", "./same.mp4"]], "\(similar.result)")
  }

  // MARK: - Reports

  @Test("A clip of a report has its display size, or none if a number is out of range", .enabled(if: Scope.isFull))
  func sizes() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    for name in ["anamorphic.mp4", "rotated-90.mp4"] {
      for copy in ["a", "b"] { try scratch.copy(ProjectFolder.fixture(name), as: "c/\(name).\(copy).mp4") }
    }
    let batch = ["batch", "--quiet", "-o", "covers", "--report", "report", "c"]
    #expect(try await Program.run("clipcanvas", batch, in: scratch.path).exitStatus == 0)
    let similar = try await SimilarGroups(["report"], in: scratch)
    #expect(similar.groups.map { $0.clips.map(\.width) } == [[160, 160], [120, 120]], "\(similar.result)")
    #expect(similar.groups.map { $0.clips.map(\.height) } == [[120, 120], [160, 160]], "\(similar.result)")
    let report = String(decoding: try ScratchFolder.read(scratch("report")), as: UTF8.self)
    for number in ["9223372036854775807", "0", "-160"] {
      try scratch.write(report.replacing(/"storedWidth":[0-9]+/, with: "\"storedWidth\":\(number)").utf8, as: "report")
      let other = try await SimilarGroups(["report"], in: scratch)
      #expect(other.result.exitStatus == 0 && other.paths == similar.paths, "\(other.result)")
      #expect(other.groups.allSatisfy { $0.clips.allSatisfy { $0.width == nil } }, "\(other.result)")
    }
  }

  @Test("Reports are compared without decoding", .enabled(if: Scope.isFull))
  func reports() async throws {
    let scratch = try await folder()
    let batch = ["batch", "--quiet", "-o", "covers", "--report"]
    #expect(try await Program.run("clipcanvas", batch + ["one.ndjson", "c"], in: scratch.path).exitStatus == 0)
    // A report of fresh covers is the same.
    #expect(try await Program.run("clipcanvas", batch + ["two.ndjson", "c"], in: scratch.path).exitStatus == 0)
    let expected = [["c/a.mp4", "c/small.webm", "c/sub/copy.mp4"], ["c/other.mp4", "c/sub/again.mov"]]
    for reports in [["one.ndjson"], ["two.ndjson"], ["one.ndjson", "two.ndjson"]] {
      let similar = try await SimilarGroups(reports, in: scratch, environment: ["CLIPCANVAS_DECODER": "/dev/null"])
      #expect(similar.result.exitStatus == 0 && similar.result.errorOutput.isEmpty, "\(similar.result)")
      #expect(similar.paths == expected)
      let clip = try #require(similar.groups.first?.clips.first)
      #expect(clip.width == 320 && clip.codec == "mpeg4" && clip.hashes?.dropFirst() == [nil, nil, nil])
    }
    // Without the files, only the covers are compared.
    try ScratchFolder.remove(scratch("c/a.mp4"))
    let similar = try await SimilarGroups(["one.ndjson"], in: scratch)
    #expect(similar.result.exitStatus == 0 && similar.paths == expected)
    #expect(similar.groups.first?.clips.map(\.content) == [0, 1, 2])
    #expect(
      similar.result.errorOutput
        == "warning: the content of 1 clip was not compared, such as c/a.mp4: no such file or directory\n"
    )
  }

  @Test("Records without hashes and damaged lines are counted", .enabled(if: Scope.isFull))
  func poorReports() async throws {
    let scratch = try await folder()
    let batch = ["batch", "--quiet", "-o", "covers", "--report", "a.ndjson", "c"]
    #expect(try await Program.run("clipcanvas", batch, in: scratch.path).exitStatus == 0)
    let text = String(decoding: try ScratchFolder.read(scratch("a.ndjson")), as: UTF8.self)
    let old = text.replacing(#/"perceptualHash":"[0-9a-f]*",/#, with: "")
    try #require(old != text)
    try scratch.write(Array(old.utf8), as: "old.ndjson")
    let similar = try await SimilarGroups(["old.ndjson"], in: scratch)
    #expect(
      similar.result.exitStatus == 0
        && similar.paths == [["c/a.mp4", "c/sub/copy.mp4"], ["c/other.mp4", "c/sub/again.mov"]]
    )
    #expect(
      similar.result.errorOutput
        == "warning: 7 covers have no hash; to add it, run the batch again with --force\n"
    )
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let wrong = lines[1].replacing(#/"perceptualHash":"[0-9a-f]*"/#, with: #""perceptualHash":"F""#)
    let damaged =
      [lines[0], "{\"clip\":", "[]", wrong, "", lines[2]].joined(separator: "\n") + "\n" + lines[3].prefix(50)
    try scratch.write(Array(damaged.utf8), as: "damaged.ndjson")
    let rest = try await SimilarGroups(["damaged.ndjson"], in: scratch)
    #expect(rest.result.exitStatus == 1)
    #expect(rest.result.errorOutput == "4 damaged lines were skipped; the first is line 2 of damaged.ndjson\n")
  }

  @Test("Files that are not reports, and reports with clips, are refused", .enabled(if: Scope.isFull))
  func notReports() async throws {
    let scratch = try ScratchFolder()
    try scratch.write(Array("{\"streams\": []}\n".utf8), as: "ffprobe.json")
    let other = try await SimilarGroups(["ffprobe.json"], in: scratch)
    #expect(other.result.exitStatus == 2)
    let message = "clipcanvas: ffprobe.json is not a report; name a file that 'clipcanvas batch --report' wrote\n"
    #expect(other.result.errorOutput == message)
    try scratch.copy(ProjectFolder.fixture("h264.mp4"), as: "a.mp4")
    let batch = ["batch", "--quiet", "--report", "a.ndjson", "a.mp4"]
    #expect(try await Program.run("clipcanvas", batch, in: scratch.path).exitStatus == 0)
    let mixed = try await SimilarGroups(["a.ndjson", "a.mp4"], in: scratch)
    #expect(mixed.result.exitStatus == 64)
    #expect(mixed.result.errorOutput.hasPrefix("clipcanvas: reports cannot be combined with folders and clips"))
    // A report without clips.
    try scratch.write(Array(#"{"summary":{"covers":0}}"#.utf8) + [10], as: "empty.ndjson")
    #expect(try await SimilarGroups(["empty.ndjson"], in: scratch).result.exitStatus == 0)
  }
}
