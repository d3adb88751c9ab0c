import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// Many changes of a watched folder, and what is right after them.
@Suite("clipcanvas batch --watch under load", .ownThread)
struct BatchWatchLoadTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for folder in ["v", "v/a", "v/a/b", "v/c"] { try FilePath.makeFolder(scratch(folder)) }
  }

  /// Waits until the covers are those of the clips that exist.
  private func settle(_ watch: RunningProgram) async throws -> [String] {
    for _ in 0..<2400 {
      let errors = try watch.errorOutputSoFar()
      try #require(!watch.hasEnded, "\(errors)")
      let clips = try FolderTree(below: scratch("v")).paths
      // A cover may be removed while the folder is read.
      let covers = try? FolderTree(below: scratch("out/v")).paths
      if covers ?? [] == clips.map({ $0 + ".png" }).sorted() { return clips }
      try await pause(.milliseconds(100))
    }
    let covers = try FolderTree(below: scratch("out/v")).paths
    Issue.record("\(covers) instead of \(try FolderTree(below: scratch("v")).paths)")
    return []
  }

  private let folders = ["v", "v/a", "v/a/b", "v/c"]

  /// Changes something in the folder.
  private func change(_ number: Int, _ numbers: inout SeededNumbers, _ clips: inout [String]) throws {
    let new = "\(folders.randomElement(using: &numbers) ?? "v")/\(number).mp4"
    let fixture = ["h264.mp4", "rotated-90.mp4", "1x1.mkv"].randomElement(using: &numbers) ?? "h264.mp4"
    let old = clips.indices.randomElement(using: &numbers)
    switch Int.random(in: 0..<10, using: &numbers) {
    case 0..<3:
      try scratch.write(try ScratchFolder.read(ProjectFolder.fixture(fixture)), as: new)
      clips.append(new)
    case 3..<5:
      try scratch.write(try ScratchFolder.read(ProjectFolder.fixture(fixture)), as: "part")
      try #require(rename(scratch("part").string, scratch(new).string) == 0)
      clips.append(new)
    case 5..<7:
      guard let old else { return }
      try #require(rename(scratch(clips[old]).string, scratch(new).string) == 0)
      clips[old] = new
    case 7..<9:
      guard let old else { return }
      try scratch.write(try ScratchFolder.read(ProjectFolder.fixture(fixture)), as: clips[old])
    default:
      guard let old else { return }
      try ScratchFolder.remove(scratch(clips.remove(at: old)))
    }
  }

  @Test(
    "After random changes, every clip has its own cover, no other remains, and none was made twice",
    .enabled(if: Scope.isFull)
  )
  func randomChanges() async throws {
    let watch = try RunningProgram(
      "hurried-watch",
      ["batch", "--watch", "--prune", "--json", "--size", "32", "-j2", "-o", "out", "v"],
      scratch: scratch
    )
    var numbers = SeededNumbers(seed: 31)
    var clips: [String] = []
    for number in 0..<LongForm.count(short: 150, long: 10_000, variable: "TORTURE_CHANGES") {
      try change(number, &numbers, &clips)
      if number % 10 == 0 { try await pause(.milliseconds(Int.random(in: 0...200, using: &numbers))) }
    }
    #expect(try await settle(watch) == clips.map { String($0.dropFirst(2)) }.sorted())
    // What is written last may not have been read yet; a file that stays open is processed after all of it.
    let open = try scratch.create("v/open.mp4")
    defer { try? open.close() }
    try open.writeAll(try ScratchFolder.read(ProjectFolder.fixture("h264.mp4")))
    clips.append("v/open.mp4")
    #expect(try await settle(watch) == clips.map { String($0.dropFirst(2)) }.sorted())
    watch.send(SIGTERM)
    let run = try BatchRun(of: try await watch.end())
    let made = run.records.filter { $0.status == "cover" }.map { "\($0.clip.path) \($0.clip.mtimeNanoseconds ?? 0)" }
    #expect(made.count == Set(made).count, "a version of a clip was processed twice")
    let again = try await BatchRun(["--size", "32", "-o", "out", "v"], in: scratch.path)
    #expect(again.status == 0 && again.summary?.covers == 0 && again.summary?.fresh == clips.count, "\(again.essence)")
  }

  @Test(
    "A day in the life: clips are copied, renamed and deleted; gallery and covers stay right",
    .enabled(if: Scope.isFull)
  )
  func day() async throws {
    let watch = try RunningProgram(
      "hurried-watch",
      ["batch", "--watch", "--prune", "--quiet", "--gallery", "all.html", "-o", "out", "v"],
      scratch: scratch
    )
    var numbers = SeededNumbers(seed: 7)
    var clips: [String] = []
    for number in 0..<LongForm.count(short: 20, long: 200, variable: "TORTURE_CLIPS") {
      // A phone writes in parts, under the final name, with pauses.
      let bytes = try ScratchFolder.read(ProjectFolder.fixture("1080p.mp4"))
      let clip = "v/c/IMG_\(number).mp4"
      let file = try FileDescriptor.open(
        scratch(clip),
        .writeOnly,
        options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite
      )
      for part in stride(from: 0, to: bytes.count, by: bytes.count / 4 + 1) {
        try file.writeAll(bytes[part..<min(part + bytes.count / 4 + 1, bytes.count)])
        try await pause(.milliseconds(Int.random(in: 0...20, using: &numbers)))
      }
      try file.close()
      clips.append(clip)
      if number % 5 == 4 {
        let old = Int.random(in: 0..<clips.count, using: &numbers)
        let name = "v/a/holiday \(number).mp4"
        try #require(rename(scratch(clips[old]).string, scratch(name).string) == 0)
        clips[old] = name
      }
      if number % 7 == 6 {
        try ScratchFolder.remove(scratch(clips.remove(at: Int.random(in: 0..<clips.count, using: &numbers))))
      }
    }
    #expect(try await settle(watch) == clips.map { String($0.dropFirst(2)) }.sorted())
    var shown: [String] = []
    for _ in 0..<300 where shown != clips.sorted() {
      try await pause(.milliseconds(200))
      shown = try await GalleryOracle(of: scratch("all.html")).cards.filter { $0.cover != nil }.map(\.path).sorted()
    }
    #expect(shown == clips.sorted())
    watch.send(SIGTERM)
    let result = try await watch.end()
    #expect(result.text.isEmpty && result.errorOutput.isEmpty, "\(result.errorOutput)")
    #expect(try await GalleryOracle(of: scratch("all.html")).cards.count == clips.count)
  }
}
