import SystemPackage
import TestHelpers
import TestSupport
import Testing

/// A large number of clips, damaged at random from a fixed seed.
@Suite("clipcanvas batch survives damaged clips", .ownThread)
struct BatchHostileTests {
  /// Damages a clip in one of five ways.
  private static func damage(_ clip: [UInt8], _ numbers: inout SeededNumbers) -> [UInt8] {
    var bytes = clip
    func range(_ most: Int, _ numbers: inout SeededNumbers) -> Range<Int> {
      let start = Int.random(in: 0..<bytes.count, using: &numbers)
      return start..<min(bytes.count, start + Int.random(in: 1...most, using: &numbers))
    }
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0:
      for _ in 0..<Int.random(in: 1...40, using: &numbers) {
        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
      }
    case 1:
      for index in range(2000, &numbers) { bytes[index] = 0 }
    case 2:
      let part = range(2000, &numbers)
      let moved = Array(bytes[part])
      bytes.removeSubrange(part)
      bytes.insert(contentsOf: moved, at: Int.random(in: 0...bytes.count, using: &numbers))
    case 3:
      bytes.removeSubrange(range(2000, &numbers))
    default:
      bytes.removeSubrange(Int.random(in: 1..<bytes.count, using: &numbers)...)
    }
    return bytes
  }

  @Test(
    "Each damaged clip gets one record with a reproducible reason, in time and in bounded memory",
    .enabled(if: Scope.isFull)
  )
  func mutations() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    let fixtures = try FixtureManifest.withCover.map { ($0.file, try ScratchFolder.read($0.path)) }
    var numbers = SeededNumbers(seed: 2)
    let count = LongForm.count(short: 300, long: 10_000, variable: "TORTURE_MUTATIONS")
    for number in 0..<count {
      let (name, bytes) = fixtures[number % fixtures.count]
      try scratch.write(Self.damage(bytes, &numbers), as: "c/\(number)-\(name).mp4")
    }
    let start = ContinuousClock.now
    let first = try await run(["--timeout", "5", "-j2", "-o", "one", "c"], label: "one", in: scratch, count: count)
    let seconds = start.duration(to: .now) / .seconds(1)
    let second = try await run(["--timeout", "5", "-j1", "-o", "two", "c"], label: "two", in: scratch, count: count)
    #expect(second.essence == first.essence)
    let differences = try FolderTree(below: scratch("one")).differences(from: FolderTree(below: scratch("two")))
    #expect(differences.isEmpty, "\(differences)")
    let failed = first.summary?.failed ?? 0
    print("\(count) damaged clips: \(failed) failed, \(first.summary?.decoders ?? 0) decoders, \(seconds) s")
    #expect(failed > count / 20 && (first.summary?.covers ?? 0) > count / 20)
  }

  // FFmpeg's raw video decoder accepts a packet that is too short and leaves the rest of the frame uninitialised.
  @Test("Memory left over from one clip never shows in the cover of another")
  func leftovers() async throws {
    let scratch = try ScratchFolder()
    try FilePath.makeFolder(scratch("c"))
    let short = try ScratchFolder.read(ProjectFolder.fixture("pal8.avi")).prefix(9189)
    try scratch.write(short, as: "c/z.avi")
    var covers: Set<[UInt8]> = []
    for (number, fixture) in ["h264.mp4", "vp9.webm", "pal8.avi", "1080p.mp4"].enumerated() {
      try scratch.copy(ProjectFolder.fixture(fixture), as: "c/a.mp4")
      _ = try await BatchRun(["-j1", "-o", "\(number)", "c"], in: scratch.path)
      covers.insert(try ScratchFolder.read(scratch("\(number)/c/z.avi.png")))
    }
    #expect(covers.count == 1)
  }

  @Test("Public hostile clips give reproducible results", .enabled(if: SharedClips.areHere, "\(SharedClips.absence)"))
  func hostile() async throws {
    let scratch = try ScratchFolder()
    let clips = SharedClips.hostile
    try scratch.write(Array(clips.map { SharedClips.path($0).string }.joined(separator: "\n").utf8), as: "list")
    let arguments = ["--timeout", "5", "--files-from", "list"]
    let first = try await run(arguments + ["-o", "one"], label: "one", in: scratch, count: clips.count)
    let second = try await run(arguments + ["-o", "two"], label: "two", in: scratch, count: clips.count)
    #expect(second.essence == first.essence)
  }

  /// Runs a batch whose clips must all have a record, and measures its memory.
  private func run(
    _ arguments: [String],
    label: String,
    in scratch: ScratchFolder,
    count: Int
  ) async throws -> BatchRun {
    let program = try RunningProgram("clipcanvas", ["batch", "--json"] + arguments, scratch: scratch, label: label)
    let run = try BatchRun(of: try await program.end(within: .seconds(3600)))
    #expect(run.status <= 1 && run.summary != nil, "\(run.result.errorOutput)")
    #expect(run.records.count == count && Set(run.records.map(\.clip.path)).count == count)
    #expect(run.records.allSatisfy { $0.status == "cover" || $0.status == "fresh" || $0.reason != nil })
    // The deadline is 5 s; the parent enforces it a second after the decoder does, and a busy machine may take another
    // second. Every clip is reported by then, so with one decoder no gap in the output is longer than that.
    let times = program.printed.map(\.time)
    let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .zero
    #expect(longest < .seconds(7), "nothing was told for \(longest)")
    #expect(program.peakMemory < 256 << 20)
    let decoders = program.peakOfChildren
    #expect(decoders.addressSpace <= 1 << 30 && decoders.resident < 512 << 20)
    // A run over a few clips may end before its decoders are sampled.
    #expect(decoders.addressSpace > 0 || count < 100, "no decoder was seen")
    print(
      "\(label): nothing told for at most \(longest), parent \(program.peakMemory >> 20) MiB, decoders "
        + "\(decoders.resident >> 20) MiB of \(decoders.addressSpace >> 20) MiB address space"
    )
    return run
  }
}
