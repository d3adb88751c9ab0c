import Files
import Glibc
import SystemPackage
import TestHelpers
import TestSupport
import Testing

@Suite("clipcanvas batch --watch follows what happens to folders", .ownThread)
struct BatchWatchFolderTests {
  private let folder: WatchedFolder
  private var scratch: ScratchFolder { folder.scratch }

  init() throws { folder = try WatchedFolder() }

  @Test("Pictures below a folder that another one has replaced are removed", .enabled(if: Scope.isFull))
  func replaced() async throws {
    try await folder.shell("mkdir -p v/today/morning; cp $f/h264.mp4 v/today/morning/a.mp4")
    let watch = try await folder.start()
    try await folder.expect(["today/morning/a.mp4"], by: watch)
    watch.send(SIGSTOP)
    try await folder.shell("mv v/today v/yesterday; mkdir v/today; cp $f/vp9.webm v/today/b.webm")
    watch.send(SIGCONT)
    try await folder.expect(["today/b.webm", "yesterday/morning/a.mp4"], by: watch)
    _ = try await folder.end(watch)
  }

  @Test(
    "A folder that another user makes readable is searched and watched from then on",
    .enabled(if: Scope.isFull),
    .enabled(if: geteuid() == 0, "becoming another user takes root"),
    arguments: ["v/private", "v"]
  )
  func permissions(_ name: String) async throws {
    // The build folder may be accessible to root only.
    for program in ["hurried-watch", "clipcanvas-decoder"] {
      try await scratch.install(ProjectFolder.program(program), as: program)
    }
    try await folder.shell("chmod 755 . v; install -d -o 65534 out; chmod 755 v")
    if name == "v" { try await folder.shell("chmod 700 v") }
    let watch = try RunningProgram(
      tool: "setpriv",
      ["--reuid=65534", "--regid=65534", "--clear-groups", scratch("hurried-watch").string]
        + ["batch", "--watch", "--size", "64", "-o", "out", "v"],
      scratch: scratch
    )
    try await folder.wait(for: watch, "the start") { try watch.errorOutputSoFar().contains("waiting for clips") }
    try await folder.shell("mkdir -pm 700 \(name); cp $f/h264.mp4 \(name)/a.mp4; cp $f/h264.mp4 v/seen.mp4")
    let inside = name == "v" ? "" : "private/"
    // The watch has met the folder that it cannot read.
    if name != "v" { try await folder.expect(["seen.mp4"], by: watch) }
    try await folder.shell("chmod 755 \(name)")
    try await folder.expect(["\(inside)a.mp4", "seen.mp4"], by: watch)
    try await folder.shell("cp $f/vp9.webm \(name)/b.webm")
    try await folder.expect(["\(inside)a.mp4", "\(inside)b.webm", "seen.mp4"], by: watch)
    watch.send(SIGINT)
    _ = try await watch.end()
  }

  @Test("A page in a watched folder is rewritten for clips, but not for itself", .enabled(if: Scope.isFull))
  func ownPage() async throws {
    let watch = try await folder.start(["--all", "--gallery", "v/all.html"])
    let page = scratch("v/all.html")
    func shows(_ clip: String) throws -> Bool {
      String(decoding: try ScratchFolder.read(page), as: UTF8.self).contains("\(clip)</span>")
    }
    try await folder.shell("cp $f/h264.mp4 v/a.mp4")
    try await folder.wait(for: watch, "the page with a.mp4") { try shows("a.mp4") }
    func version() throws -> [AnyHashable] {
      let status = try FileStatus(of: page)
      return [status.identity, status.modificationTime]
    }
    let first = try version()
    // A page that is rewritten because of itself is so several times a second.
    for _ in 0..<5 {
      try await pause(.milliseconds(200))
      #expect(try version() == first)
    }
    try await folder.shell("cp $f/h264.mp4 v/b.mp4")
    try await folder.wait(for: watch, "the page with b.mp4") { try shows("b.mp4") }
    try await folder.shell("rm v/a.mp4")
    try await folder.wait(for: watch, "the page without a.mp4") { try !shows("a.mp4") }
    let run = try await folder.end(watch)
    #expect(run.records.map(\.status) == ["cover", "cover"], "\(run.essence)")
  }

  @Test("A folder that is searched again for the gallery counts each clip once", .enabled(if: Scope.isFull))
  func counts() async throws {
    try await folder.shell("cp $f/h264.mp4 v/a.mp4; cp $f/vp9.webm v/b.webm")
    try await folder.shell("cp $f/sound-only.m4a v/c.mp4; touch -d '1 minute ago' v/empty.mp4")
    let watch = try await folder.start(["--gallery", "all.html"])
    for name in ["d.mp4", "e.mp4"] {
      try await folder.shell("cp $f/h264.mp4 v/\(name)")
      try await folder.wait(for: watch, "\(name) in the gallery") {
        String(decoding: try ScratchFolder.read(folder.scratch("all.html")), as: UTF8.self).contains(name)
      }
    }
    let run = try await folder.end(watch)
    let summary = run.summary
    #expect(summary?.covers == 4 && summary?.fresh == 0 && summary?.failed == 1, "\(String(describing: summary))")
    // No marker is left for an empty file, so each search tries it again.
    #expect(summary?.incomplete == 1 && run.records.count == 6, "\(run.essence)")
  }
}
