import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("clipcanvas batch --watch tries again what failed for a reason that has passed", .ownThread)
struct BatchWatchRetryTests {
  private let folder: WatchedFolder

  init() throws { folder = try WatchedFolder() }

  @Test(
    "A clip whose cover found no room gets it when there is room again",
    .enabled(if: Scope.isFull),
    .enabled(if: MemoryFileSystem.isAllowed, Comment(rawValue: MemoryFileSystem.absence))
  )
  func fullDisk() async throws {
    let disk = try MemoryFileSystem(folder.scratch("out"), size: 64 * 1024)
    let watch = try await folder.start()
    try await folder.shell("mkdir -p out/v; head -c 1000000 /dev/zero > out/ballast || true; cp $f/h264.mp4 v/a.mp4")
    try await folder.wait(for: watch, "the failure") { try watch.outputSoFar().contains(#""reason":"outputFull""#) }
    try ScratchFolder.remove(disk.path.appending("ballast"))
    try await folder.expect(["a.mp4"], by: watch)
    let run = try await folder.end(watch)
    #expect(run.records.last?.status == "cover" && run.records.first?.reason == "outputFull", "\(run.essence)")
  }

  @Test("A clip whose place was that of another clip gets it when that is gone")
  func sharedPlace() async throws {
    try await folder.shell(
      "cp $f/1x1.mkv v/a.mkv; cp $f/h264.mp4 v/a.mp4; cp $f/vp9.webm v/b.webm; touch -d 2020-01-01 v/*"
    )
    let watch = try await folder.start(["-j1", "--name", "{stem}.{ext}"])
    try await folder.wait(for: watch, "the refusal") {
      try watch.outputSoFar().contains(#""reason":"outputDuplicate""#)
    }
    try await folder.shell("rm v/a.mkv")
    try await folder.wait(for: watch, "the other cover") {
      try watch.outputSoFar().split(separator: "\n").count { $0.contains(#""status":"cover""#) } == 3
    }
    #expect(folder.covers() == ["a.png", "b.png"])
    let run = try await folder.end(watch)
    #expect(run.records.last?.status == "cover" && run.records.last?.clip.path == "v/a.mp4", "\(run.essence)")
  }
}
